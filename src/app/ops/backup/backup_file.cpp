#include "app/ops/backup/backup_file.h"

#include <fmt/format.h>
#include <fstream>
#include <openssl/evp.h>
#include <sodium.h>
#include <stdexcept>
#include <zlib.h>

#include "base/encoding.h"
#include "base/private_file.h"

namespace guildhall {
namespace {

constexpr std::string_view mark = "guildhall-backup ";
constexpr std::size_t piece_bytes = 64 * 1024;
constexpr std::size_t piece_bytes_max = 2 * piece_bytes;
constexpr std::size_t header_bytes_max = 4096;
constexpr int compression_level = 3;  // a third of the time of the default, and nearly as small

unsigned char* bytes(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}
const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

void start_sodium() {
  if (sodium_init() < 0) throw std::runtime_error("The cryptographic library did not start.");
}

std::string key_bytes(std::string_view text, std::size_t size, std::string_view name) {
  auto key = from_base64url(text);
  if (!key || key->size() != size) throw std::runtime_error(fmt::format("The {} is not a key of 32 bytes.", name));
  return std::move(*key);
}

// SHA-256 of data that comes in parts.
class Checksum {
 public:
  Checksum() {
    if (EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) throw std::runtime_error("There is no SHA-256.");
  }
  void add(std::string_view data) { EVP_DigestUpdate(context_.get(), data.data(), data.size()); }
  std::string finish() {
    std::string digest(32, '\0');
    EVP_DigestFinal_ex(context_.get(), bytes(digest), nullptr);
    return digest;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

std::string length_of(std::size_t size) {
  std::string text(4, '\0');
  for (std::size_t i = 0; i < 4; ++i) text[i] = static_cast<char>(size >> (8 * i));
  return text;
}

[[noreturn]] void damaged() {
  throw std::runtime_error("The backup is damaged or incomplete.");
}

}  // namespace

BackupKeys make_backup_keys() {
  start_sodium();
  std::string open(crypto_box_PUBLICKEYBYTES, '\0'), secret(crypto_box_SECRETKEYBYTES, '\0');
  crypto_box_keypair(bytes(open), bytes(secret));
  return {base64url(open), base64url(secret)};
}

std::string parse_backup_key(std::string_view text) {
  const auto key = from_base64url(text);
  if (!key || key->size() != crypto_box_PUBLICKEYBYTES) {
    throw std::invalid_argument("must be a public key that `guildhall backup-key` has printed");
  }
  return std::string(text);
}

struct BackupWriter::State {
  State(const std::filesystem::path& path) : file(path) {}

  void put(std::string_view packed, bool last) {
    std::string sealed;
    if (encrypts) {
      sealed.resize(packed.size() + crypto_secretstream_xchacha20poly1305_ABYTES);
      crypto_secretstream_xchacha20poly1305_push(
          &stream, bytes(sealed), nullptr, bytes(packed), packed.size(), bytes(std::string_view(head)), head.size(),
          last ? crypto_secretstream_xchacha20poly1305_TAG_FINAL : crypto_secretstream_xchacha20poly1305_TAG_MESSAGE);
      packed = sealed;
    }
    checksum.add(packed);
    file.write(length_of(packed.size()));
    file.write(packed);
  }

  // Compresses the data, and writes what fills a piece, or all of it.
  void compress(std::string_view data, bool end) {
    zip.next_in = const_cast<unsigned char*>(bytes(data));
    zip.avail_in = static_cast<unsigned>(data.size());
    int result = Z_OK;
    do {
      const std::size_t before = piece.size();
      piece.resize(piece_bytes);
      zip.next_out = bytes(piece) + before;
      zip.avail_out = static_cast<unsigned>(piece_bytes - before);
      result = deflate(&zip, end ? Z_FINISH : Z_NO_FLUSH);
      piece.resize(piece_bytes - zip.avail_out);
      if (piece.size() == piece_bytes) {
        put(piece, false);
        piece.clear();
      }
    } while (zip.avail_in > 0 || (end && result != Z_STREAM_END));
  }

  PrivateFile file;
  z_stream zip{};
  bool encrypts = false;
  crypto_secretstream_xchacha20poly1305_state stream{};
  Checksum checksum;
  std::string head;  // the first line, which is authenticated with every piece
  std::string piece;
};

BackupWriter::BackupWriter(const std::filesystem::path& path, BackupHeader header, const std::string& public_key)
    : state_(std::make_unique<State>(path)) {
  start_sodium();
  if (!public_key.empty()) {
    const std::string receiver = key_bytes(public_key, crypto_box_PUBLICKEYBYTES, "public key");
    std::string key(crypto_secretstream_xchacha20poly1305_KEYBYTES, '\0');
    std::string start(crypto_secretstream_xchacha20poly1305_HEADERBYTES, '\0');
    std::string sealed(key.size() + crypto_box_SEALBYTES, '\0');
    crypto_secretstream_xchacha20poly1305_keygen(bytes(key));
    crypto_secretstream_xchacha20poly1305_init_push(&state_->stream, bytes(start), bytes(key));
    crypto_box_seal(bytes(sealed), bytes(key), key.size(), bytes(receiver));
    sodium_memzero(key.data(), key.size());
    header.sealed_key = base64url(sealed);
    header.stream_start = base64url(start);
    state_->encrypts = true;
  }
  state_->head = std::string(mark) + to_json(header) + "\n";
  state_->checksum.add(state_->head);
  state_->file.write(state_->head);
  if (deflateInit(&state_->zip, compression_level) != Z_OK) throw std::runtime_error("There is not enough memory.");
}

BackupWriter::~BackupWriter() {
  deflateEnd(&state_->zip);
}

void BackupWriter::write(std::string_view data) {
  if (!data.empty()) state_->compress(data, false);
}

void BackupWriter::finish() {
  state_->compress("", true);
  if (state_->encrypts || !state_->piece.empty()) state_->put(state_->piece, true);  // a length of 0 means the end
  state_->file.write(length_of(0));
  state_->file.write(state_->checksum.finish());
  state_->file.finish();
}

struct BackupReader::State {
  std::string exactly(std::size_t size) {
    std::string text(size, '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(size))) damaged();
    bytes_read += std::ssize(text);
    return text;
  }

  std::size_t length() {
    const std::string text = exactly(4);
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size |= static_cast<std::size_t>(bytes(text)[i]) << (8 * i);
    if (size > piece_bytes_max) damaged();
    return size;
  }

  // The next piece, decrypted; nothing at the end.
  std::optional<std::string> next_piece() {
    const std::size_t size = length();
    if (size == 0) {
      if (exactly(32) != checksum.finish() || (encrypted && !ended)) damaged();
      return std::nullopt;
    }
    std::string packed = exactly(size);
    checksum.add(packed);
    if (!encrypted) return packed;
    if (size < crypto_secretstream_xchacha20poly1305_ABYTES) damaged();
    std::string plain(size - crypto_secretstream_xchacha20poly1305_ABYTES, '\0');
    unsigned char tag = 0;
    if (crypto_secretstream_xchacha20poly1305_pull(&stream, bytes(plain), nullptr, &tag, bytes(packed), packed.size(),
                                                   bytes(std::string_view(head)), head.size()) != 0) {
      damaged();
    }
    ended = tag == crypto_secretstream_xchacha20poly1305_TAG_FINAL;
    return plain;
  }

  void open_stream(const std::string& secret_key) {
    if (secret_key.empty()) {
      throw std::runtime_error("The backup is encrypted: name the file of its secret key with --key.");
    }
    const std::string secret = key_bytes(secret_key, crypto_box_SECRETKEYBYTES, "secret key");
    std::string open(crypto_box_PUBLICKEYBYTES, '\0'), key(crypto_secretstream_xchacha20poly1305_KEYBYTES, '\0');
    crypto_scalarmult_base(bytes(open), bytes(secret));
    const auto sealed = from_base64url(*header.sealed_key), start = from_base64url(header.stream_start.value_or(""));
    if (!sealed || sealed->size() != key.size() + crypto_box_SEALBYTES || !start ||
        start->size() != crypto_secretstream_xchacha20poly1305_HEADERBYTES) {
      damaged();
    }
    if (crypto_box_seal_open(bytes(key), bytes(std::string_view(*sealed)), sealed->size(), bytes(open),
                             bytes(secret)) != 0) {
      throw std::runtime_error("The backup was encrypted for another key.");
    }
    if (crypto_secretstream_xchacha20poly1305_init_pull(&stream, bytes(std::string_view(*start)), bytes(key)) != 0) {
      damaged();
    }
    encrypted = true;
  }

  std::ifstream file;
  std::int64_t file_bytes = 0, bytes_read = 0;
  BackupHeader header;
  z_stream zip{};
  bool encrypted = false, ended = false, unzipped = false;
  crypto_secretstream_xchacha20poly1305_state stream{};
  Checksum checksum;
  std::string head, piece, data;
};

// Opens the file and reads its first line, which contains the header.
static std::string read_first_line(std::ifstream& file, const std::filesystem::path& path) {
  file.open(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{} cannot be read.", path.string()));
  std::string line(header_bytes_max, '\0');
  file.getline(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(line.find('\0'));
  if (!file || !line.starts_with(mark)) {
    throw std::runtime_error(fmt::format("{} is not a backup of Guildhall.", path.string()));
  }
  return line;
}

BackupHeader read_backup_header(const std::filesystem::path& path) {
  std::ifstream file;
  return from_json<BackupHeader>(read_first_line(file, path).substr(mark.size()));
}

BackupReader::BackupReader(const std::filesystem::path& path, const std::string& secret_key)
    : state_(std::make_unique<State>()) {
  start_sodium();
  const std::string line = read_first_line(state_->file, path);
  std::error_code ignored;
  state_->file_bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, ignored));
  state_->header = from_json<BackupHeader>(line.substr(mark.size()));
  state_->head = line + "\n";
  state_->bytes_read = std::ssize(state_->head);
  state_->checksum.add(state_->head);
  if (state_->header.sealed_key) state_->open_stream(secret_key);
  if (inflateInit(&state_->zip) != Z_OK) throw std::runtime_error("There is not enough memory.");
}

BackupReader::~BackupReader() {
  inflateEnd(&state_->zip);
}

const BackupHeader& BackupReader::header() const {
  return state_->header;
}

std::int64_t BackupReader::size() const {
  return state_->file_bytes;
}

std::int64_t BackupReader::position() const {
  return state_->bytes_read;
}

std::string_view BackupReader::read() {
  State& state = *state_;
  while (true) {
    if (state.zip.avail_in == 0) {
      auto piece = state.next_piece();
      if (!piece) {
        if (!state.unzipped) damaged();
        return {};
      }
      state.piece = std::move(*piece);
      state.zip.next_in = bytes(state.piece);
      state.zip.avail_in = static_cast<unsigned>(state.piece.size());
      continue;
    }
    if (state.unzipped) damaged();  // data after the end
    state.data.resize(piece_bytes);
    state.zip.next_out = bytes(state.data);
    state.zip.avail_out = static_cast<unsigned>(state.data.size());
    const int result = inflate(&state.zip, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) damaged();
    state.unzipped = result == Z_STREAM_END;
    state.data.resize(piece_bytes - state.zip.avail_out);
    if (!state.data.empty()) return state.data;
  }
}

}  // namespace guildhall
