#include "sandbox/secrets.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sstream>
#include <stdexcept>

#include "base/encoding.h"
#include "base/private_file.h"

namespace guildhall::sandbox {
namespace {

constexpr int rsa_bits = 2048;
constexpr long valid_seconds = 10L * 365 * 24 * 3600;
constexpr std::string_view certificate_name = "127.0.0.1";  // the host of the sandbox's addresses

using Bio = std::unique_ptr<BIO, decltype(&BIO_free_all)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

std::string text_of(const Bio& bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

Certificate self_signed(EVP_PKEY* key) {
  Certificate made(X509_new(), X509_free);
  X509* x = made.get();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_gmtime_adj(X509_getm_notBefore(x), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x), valid_seconds);
  X509_set_pubkey(x, key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(certificate_name.data()),
                             static_cast<int>(certificate_name.size()), -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(x));
  X509_EXTENSION* authority = X509V3_EXT_conf_nid(nullptr, nullptr, NID_basic_constraints, "critical,CA:TRUE");
  X509_add_ext(x, authority, -1);
  X509_EXTENSION_free(authority);
  if (X509_sign(x, key, EVP_sha256()) == 0) throw std::runtime_error("The wallet's certificate cannot be signed.");
  return made;
}

std::string new_key_pem() {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_RSA_gen(rsa_bits), EVP_PKEY_free);
  if (!key) throw std::runtime_error("The wallet's key cannot be made.");
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free_all);
  PEM_write_bio_X509(bio.get(), self_signed(key.get()).get());
  PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return text_of(bio);
}

}  // namespace

WalletKey::WalletKey(const std::string& path) : path_(path) {
  if (!std::filesystem::exists(path)) {
    make_private_folders(std::filesystem::path(path).parent_path());
    PrivateFile file(path);
    file.write(new_key_pem());
    file.finish();
  }
  std::ostringstream pem;
  pem << std::ifstream(path).rdbuf();
  const std::string text = pem.str();
  const Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free_all);
  const Certificate certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), X509_free);
  key_.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  if (!certificate || !key_) throw std::runtime_error(fmt::format("{} has no certificate with its key.", path));
  const Bio out(BIO_new(BIO_s_mem()), BIO_free_all);
  PEM_write_bio_X509(out.get(), certificate.get());
  certificate_ = text_of(out);
}

std::string WalletKey::sign(std::string_view message) const {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::size_t size = rsa_bits / 8;
  std::string signature(size, '\0');
  EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
  EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                 reinterpret_cast<const unsigned char*>(message.data()), message.size());
  signature.resize(size);
  return signature;
}

std::string Secrets::of(std::string_view name) const {
  return hex(HmacSha256(root_).sign(name)).substr(0, 32);
}

Ed25519Key Secrets::chat_key() const {
  const Sha256 seed = HmacSha256(root_).sign("chat key");
  return ed25519_from_seed({reinterpret_cast<const char*>(seed.data()), seed.size()});
}

std::string Secrets::chat_application() const {
  const Sha256 digest = HmacSha256(root_).sign("chat application");
  std::string id = "1";
  for (std::size_t i = 0; i < 18; ++i) id += static_cast<char>('0' + digest[i] % 10);
  return id;
}

}  // namespace guildhall::sandbox
