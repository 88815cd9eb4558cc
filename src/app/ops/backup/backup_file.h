#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/declared.h"

// The file of a backup: a line that begins with `guildhall-backup` and has a header as JSON, then pieces of compressed
// data, each preceded by its length, then a checksum. With a public key the pieces are encrypted (libsodium's
// secretstream, whose key is sealed for the public key), so that a stolen backup cannot be read and a changed one is
// detected. Everything throws std::runtime_error with a sentence for the operator.
namespace guildhall {

struct BackupHeader {
  std::string engine;   // sqlite: the database file; postgresql: the output of pg_dump
  std::string version;  // of the program
  std::string schema;   // PostgreSQL's; empty for SQLite
  Instant created_at;
  std::optional<std::string> sealed_key{};    // base64url; null: not encrypted
  std::optional<std::string> stream_start{};  // base64url
};
BOOST_DESCRIBE_STRUCT(BackupHeader, (), (engine, version, schema, created_at, sealed_key, stream_start))

struct BackupKeys {
  std::string public_key;  // base64url of 32 bytes, as BACKUP_PUBLIC_KEY has it
  std::string secret_key;
};
BackupKeys make_backup_keys();

// Throws std::invalid_argument("must be …") if the text is not a public key. For the configuration.
std::string parse_backup_key(std::string_view text);

class BackupWriter {
 public:
  // Creates a file that only its owner can read. An empty public key means no encryption.
  BackupWriter(const std::filesystem::path& path, BackupHeader header, const std::string& public_key);
  ~BackupWriter();
  BackupWriter(const BackupWriter&) = delete;
  BackupWriter& operator=(const BackupWriter&) = delete;

  void write(std::string_view data);
  void finish();  // and syncs the file to the disk

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Reads the header alone, for which no key is needed.
BackupHeader read_backup_header(const std::filesystem::path& path);

class BackupReader {
 public:
  // `secret_key` is needed for an encrypted backup only.
  BackupReader(const std::filesystem::path& path, const std::string& secret_key);
  ~BackupReader();
  BackupReader(const BackupReader&) = delete;
  BackupReader& operator=(const BackupReader&) = delete;

  const BackupHeader& header() const;

  // The next data; empty at the end, after the checksum was verified.
  std::string_view read();

  // The bytes of the file, and how many of them were read.
  std::int64_t size() const;
  std::int64_t position() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace guildhall
