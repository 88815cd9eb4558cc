#include "features/payments/wallet_certificates.h"

#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <vector>

#include "features/payments/processor.h"

namespace guildhall {
namespace {

constexpr std::size_t known_max = 32;
constexpr std::size_t certificate_bytes_max = 64 * 1024;
constexpr std::chrono::hours known_for{1};

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using Store = std::unique_ptr<X509_STORE, Freed<X509_STORE_free>>;
using StoreContext = std::unique_ptr<X509_STORE_CTX, Freed<X509_STORE_CTX_free>>;
using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;

struct Chain {
  std::vector<Certificate> certificates;  // the signing one first
  std::unique_ptr<STACK_OF(X509), void (*)(STACK_OF(X509)*)> others{sk_X509_new_null(),
                                                                    [](STACK_OF(X509) * s) { sk_X509_free(s); }};
};

Chain read_chain(const std::string& pem) {
  Chain chain;
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  while (X509* next = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    if (!chain.certificates.empty()) sk_X509_push(chain.others.get(), next);
    chain.certificates.emplace_back(next);
    if (chain.certificates.size() == 10) break;
  }
  return chain;
}

// Authority and validity.
bool is_trusted(const Chain& chain, const std::string& ca_file) {
  const Store store(X509_STORE_new());
  const int loaded = ca_file.empty() ? X509_STORE_set_default_paths(store.get())
                                     : X509_STORE_load_locations(store.get(), ca_file.c_str(), nullptr);
  const StoreContext context(X509_STORE_CTX_new());
  return loaded == 1 &&
         X509_STORE_CTX_init(context.get(), store.get(), chain.certificates.front().get(), chain.others.get()) == 1 &&
         X509_verify_cert(context.get()) == 1;
}

bool is_within(std::string_view host, std::string_view domain) {
  return host == domain ||
         (host.size() > domain.size() && host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
}

// A trusted authority vouches for many; this one must be for our provider.
bool is_made_out_to(X509* certificate, std::string_view domain) {
  bool found = false;
  if (auto* names =
          static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr))) {
    for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
      const GENERAL_NAME* name = sk_GENERAL_NAME_value(names, i);
      if (name->type != GEN_DNS) continue;
      const std::string_view text(reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName)),
                                  static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName)));
      found |= is_within(text, domain);
    }
    GENERAL_NAMES_free(names);
  }
  char common[256] = {};
  const int length =
      X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, common, sizeof common);
  return found || (length > 0 && is_within({common, static_cast<std::size_t>(length)}, domain));
}

bool signature_fits(X509* certificate, std::string_view message, std::string_view signature) {
  EVP_PKEY* key = X509_get0_pubkey(certificate);
  if (key == nullptr || EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA) return false;
  const Context context(EVP_MD_CTX_new());
  return EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1 &&
         EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()), signature.size(),
                          reinterpret_cast<const unsigned char*>(message.data()), message.size()) == 1;
}

}  // namespace

WalletCertificates::WalletCertificates(std::string origin, std::string ca_file) : ca_file_(std::move(ca_file)) {
  const std::size_t host = origin.find("://") + 3;
  scheme_ = origin.substr(0, host);
  host_ = origin.substr(host);
  domain_ = host_.substr(0, host_.find(':'));
}

bool WalletCertificates::is_pinned(std::string_view url) const {
  if (!url.starts_with(scheme_) || url.size() > 2000) return false;
  url.remove_prefix(scheme_.size());
  const std::size_t path = url.find('/');
  if (path == std::string_view::npos) return false;
  const std::string_view host = url.substr(0, path);
  const bool plain = std::all_of(host.begin(), host.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
  });
  const bool visible = std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7f && c != '\\'; });
  return plain && visible && is_within(host, host_);
}

std::string WalletCertificates::certificate_at(const std::string& url) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(url);
    if (found != known_.end() && now() - known_for < found->second.fetched) return found->second.pem;
  }
  http::OutboundRequest request{.url = url};
  request.reply_bytes_max = certificate_bytes_max;
  const http::OutboundReply reply = http::send_now(request);
  if (!reply.ok()) {
    throw ProcessorFailure(fmt::format("the certificate cannot be fetched: {} {}", reply.status, reply.error), false);
  }
  const std::lock_guard lock(mutex_);
  if (known_.size() >= known_max) known_.clear();
  known_[url] = {reply.body, now()};
  return reply.body;
}

bool WalletCertificates::verify(const std::string& url, std::string_view message, std::string_view signature_bytes) {
  if (!is_pinned(url)) return false;
  const Chain chain = read_chain(certificate_at(url));
  if (chain.certificates.empty()) return false;
  X509* signing = chain.certificates.front().get();
  return is_trusted(chain, ca_file_) && is_made_out_to(signing, domain_) &&
         signature_fits(signing, message, signature_bytes);
}

}  // namespace guildhall
