#include "features/payments/processors/wallet_certificates.h"

#include <functional>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/task.h"
#include "features/payments/processors/processor.h"

namespace guildhall {
namespace {

constexpr std::string_view documented_hosts[] = {"api.", "api-m.", "api.sandbox.", "api-m.sandbox."};
constexpr std::string_view documented_path = "/v1/notifications/certs/";
constexpr std::size_t name_characters_max = 200;

constexpr std::size_t certificate_bytes_max = 64 * 1024;
constexpr std::chrono::milliseconds fetch_ms_max{3000};
constexpr std::chrono::milliseconds look_again_after{20};

constexpr std::size_t trusted_max = 32;
constexpr std::size_t failures_max = 512;
constexpr std::chrono::hours trusted_for{24};
constexpr std::chrono::minutes failed_for{1};

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using OwnedCertificate = std::unique_ptr<X509, Freed<X509_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using Store = std::unique_ptr<X509_STORE, Freed<X509_STORE_free>>;
using StoreContext = std::unique_ptr<X509_STORE_CTX, Freed<X509_STORE_CTX_free>>;
using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;

struct Chain {
  std::vector<OwnedCertificate> certificates;  // the signing one first
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

// Whether a trusted authority issued the certificate and it is valid now.
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

// A trusted authority issues certificates to everybody; this one must belong to the processor's domain.
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

bool is_valid_now(const X509* certificate) {
  return X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0 &&
         X509_cmp_current_time(X509_get0_notAfter(certificate)) > 0;
}

// Makes room for one more by dropping the entry that ends first.
template <class Kept, class Until>
void make_room(std::map<std::string, Kept>& kept, std::size_t max, Until until) {
  if (kept.size() < max) return;
  kept.erase(std::min_element(kept.begin(), kept.end(),
                              [&](const auto& a, const auto& b) { return until(a.second) < until(b.second); }));
}

}  // namespace

WalletCertificates::WalletCertificates(const std::string& origin, std::string ca_file, WorkerPool& fetches)
    : ca_file_(std::move(ca_file)), fetches_(fetches) {
  const std::size_t scheme_end = origin.find("://") + 3;
  const std::string scheme = origin.substr(0, scheme_end), host = origin.substr(scheme_end);
  domain_ = host.substr(0, host.find(':'));
  if (domain_ != host) {
    prefixes_.push_back(origin + std::string(documented_path));
    return;
  }
  for (const std::string_view api : documented_hosts) {
    prefixes_.push_back(fmt::format("{}{}{}{}", scheme, api, host, documented_path));
  }
}

bool WalletCertificates::is_pinned(std::string_view url) const {
  return std::any_of(prefixes_.begin(), prefixes_.end(), [&](const std::string& prefix) {
    if (!url.starts_with(prefix)) return false;
    const std::string_view name = url.substr(prefix.size());
    return !name.empty() && name.size() <= name_characters_max && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
  });
}

WalletCertificates::Lookup WalletCertificates::look_up(const std::string& url, Certificate& found) {
  const Instant at = now();
  const std::lock_guard lock(mutex_);
  if (const auto kept = trusted_.find(url); kept != trusted_.end() && kept->second.until > at) {
    found = kept->second.certificate;
    return Lookup::found;
  }
  if (const auto kept = untrusted_.find(url); kept != untrusted_.end() && kept->second > at) return Lookup::found;
  if (const auto kept = unreachable_.find(url); kept != unreachable_.end() && kept->second > at) {
    throw ProcessorFailure("the certificate could not be fetched a moment ago", false);
  }
  return being_fetched_.insert(url).second ? Lookup::fetch_it : Lookup::being_fetched;
}

Task<WalletCertificates::Certificate> WalletCertificates::certificate_at(const std::string& url) {
  Certificate found;
  Lookup lookup = look_up(url, found);
  while (lookup == Lookup::being_fetched) {
    co_await pause_for(look_again_after);
    lookup = look_up(url, found);
  }
  if (lookup == Lookup::found) co_return found;
  struct Fetch {  // removes the mark when the fetch has ended, also by an exception
    WalletCertificates& certificates;
    const std::string& url;
    ~Fetch() {
      const std::lock_guard lock(certificates.mutex_);
      certificates.being_fetched_.erase(url);
    }
  } fetch_mark{*this, url};
  try {
    found = co_await fetches_.run([&] { return fetch(url); });
  } catch (const ProcessorFailure&) {
    keep_failure(url);
    throw;
  }
  keep(url, found);
  co_return found;
}

WalletCertificates::Certificate WalletCertificates::fetch(const std::string& url) const {
  outbound::Request request{.url = url};
  request.total_ms_max = fetch_ms_max;
  request.reply_bytes_max = certificate_bytes_max;
  const outbound::Reply reply = outbound::send_now(request);
  if (!reply.ok()) {
    throw ProcessorFailure(fmt::format("the certificate cannot be fetched: {} {}", reply.status, reply.error), false);
  }
  Chain chain = read_chain(reply.body);
  if (chain.certificates.empty() || !is_trusted(chain, ca_file_)) return nullptr;
  X509* signing = chain.certificates.front().get();
  if (!is_made_out_to(signing, domain_)) return nullptr;
  X509_up_ref(signing);
  return {signing, X509_free};
}

void WalletCertificates::keep(const std::string& url, Certificate certificate) {
  const std::lock_guard lock(mutex_);
  if (!certificate) {
    make_room(untrusted_, failures_max, std::identity{});
    untrusted_[url] = now() + failed_for;
    return;
  }
  make_room(trusted_, trusted_max, [](const Kept& kept) { return kept.until; });
  trusted_[url] = {std::move(certificate), now() + trusted_for};
}

void WalletCertificates::keep_failure(const std::string& url) {
  const std::lock_guard lock(mutex_);
  make_room(unreachable_, failures_max, std::identity{});
  unreachable_[url] = now() + failed_for;
}

Task<bool> WalletCertificates::verify(std::string url, std::string message, std::string signature_bytes) {
  if (!is_pinned(url)) co_return false;
  const Certificate certificate = co_await certificate_at(url);
  co_return certificate&& is_valid_now(certificate.get()) &&
      signature_fits(certificate.get(), message, signature_bytes);
}

}  // namespace guildhall
