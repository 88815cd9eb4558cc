#pragma once

#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string>
#include <string_view>

namespace guildhall::test {

// A key with its certificate for a test: a certificate authority, or a certificate that is signed by one.
class TestCertificate {
 public:
  TestCertificate(std::string_view name, const TestCertificate* authority, long valid_for_seconds = 3600)
      : key_(EVP_RSA_gen(2048), EVP_PKEY_free), certificate_(X509_new(), X509_free) {
    X509* x = certificate_.get();
    X509_set_version(x, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x), authority == nullptr ? 1 : 2);
    X509_gmtime_adj(X509_getm_notBefore(x), -7200);
    X509_gmtime_adj(X509_getm_notAfter(x), valid_for_seconds);
    X509_set_pubkey(x, key_.get());
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.data()), static_cast<int>(name.size()), -1,
                               0);
    X509_set_issuer_name(x, X509_get_subject_name(authority != nullptr ? authority->certificate_.get() : x));
    if (authority == nullptr) {
      X509_EXTENSION* ca = X509V3_EXT_conf_nid(nullptr, nullptr, NID_basic_constraints, "critical,CA:TRUE");
      X509_add_ext(x, ca, -1);
      X509_EXTENSION_free(ca);
    }
    X509_sign(x, authority != nullptr ? authority->key_.get() : key_.get(), EVP_sha256());
  }

  std::string pem() const {
    std::unique_ptr<BIO, decltype(&BIO_free_all)> bio(BIO_new(BIO_s_mem()), BIO_free_all);
    PEM_write_bio_X509(bio.get(), certificate_.get());
    char* text = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &text);
    return {text, static_cast<std::size_t>(size)};
  }

  void use_in(SSL_CTX* context) const {
    SSL_CTX_use_certificate(context, certificate_.get());
    SSL_CTX_use_PrivateKey(context, key_.get());
  }

  // Signs with RSA and SHA-256.
  std::string sign(std::string_view message) const {
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
    std::size_t size = 512;
    std::string signature(size, '\0');
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                   reinterpret_cast<const unsigned char*>(message.data()), message.size());
    signature.resize(size);
    return signature;
  }

 private:
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
  std::unique_ptr<X509, decltype(&X509_free)> certificate_;
};

}  // namespace guildhall::test
