#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.h"

namespace guildhall {

// The certificates that a wallet's webhooks are signed with. A webhook says itself where its certificate lies, so
// nothing is believed but what lies at the pinned host, comes from an authority we trust, is valid now, and is made
// out to that host's domain. Thread-safe.
class WalletCertificates {
 public:
  // `origin` is scheme and host (`https://paypal.com`): the host itself or any below it. An empty `ca_file` stands for
  // the system's authorities.
  WalletCertificates(std::string origin, std::string ca_file);

  // Whether a certificate may be fetched from there at all.
  bool is_pinned(std::string_view url) const;

  // RSA with SHA-256. Fetches the certificate if it is not known: blocks. Throws ProcessorFailure when it cannot be
  // fetched. False for a certificate that is not to be trusted, and for a wrong signature.
  bool verify(const std::string& url, std::string_view message, std::string_view signature_bytes);

 private:
  std::string certificate_at(const std::string& url);

  std::string scheme_;  // "https://"
  std::string host_;    // paypal.com, perhaps with a port
  std::string domain_;  // without the port
  std::string ca_file_;
  std::mutex mutex_;
  struct Known {
    std::string pem;
    Instant fetched;
  };
  std::map<std::string, Known> known_;
};

}  // namespace guildhall
