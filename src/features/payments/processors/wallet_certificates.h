#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <openssl/types.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/worker_pool.h"

namespace guildhall {

// The certificates that a wallet's webhooks are signed with. A webhook itself names the address of its certificate, and
// anybody can send webhooks. So a certificate is fetched only from the processor's documented addresses, on a small
// pool of its own; concurrent webhooks with the same address share one fetch. A certificate is trusted only if a
// trusted authority issued it for the processor's domain. Thread-safe.
class WalletCertificates {
 public:
  // `origin` is scheme and domain of the processor (`https://paypal.com`): certificates come from its API hosts, live
  // and sandbox. An origin with a port (`http://localhost:8080`) is one host, for tests. An empty `ca_file` stands for
  // the system's authorities.
  WalletCertificates(const std::string& origin, std::string ca_file, WorkerPool& fetches);

  // Whether certificates may be fetched from this address.
  bool is_pinned(std::string_view url) const;

  // RSA with SHA-256. False for an untrusted certificate and for a wrong signature. Throws
  // ProcessorFailure when the certificate cannot be fetched, Failure unavailable when too many fetches wait.
  Task<bool> verify(std::string url, std::string message, std::string signature_bytes);

 private:
  using Certificate = std::shared_ptr<X509>;  // null: fetched and not trusted
  struct Kept {
    Certificate certificate;
    Instant until;
  };
  enum class Lookup { found, fetch_it, being_fetched };
  Lookup look_up(const std::string& url, Certificate& found);
  Task<Certificate> certificate_at(const std::string& url);
  Certificate fetch(const std::string& url) const;
  void keep(const std::string& url, Certificate certificate);
  void keep_failure(const std::string& url);

  std::vector<std::string> prefixes_;  // https://api.paypal.com/v1/notifications/certs/ …
  std::string domain_;
  std::string ca_file_;
  WorkerPool& fetches_;
  std::mutex mutex_;
  std::map<std::string, Kept> trusted_;
  std::map<std::string, Instant> untrusted_, unreachable_;  // not fetched again before this time
  std::set<std::string> being_fetched_;
};

}  // namespace guildhall
