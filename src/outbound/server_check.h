#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/instant.h"

// Checks of the connections to other servers, for the operator.
namespace guildhall::outbound {

struct ServerCheck {
  std::string error{};                              // why the server cannot be used; empty if it can. Names no secret.
  std::optional<Instant> certificate_expires_at{};  // nothing: the connection is not encrypted
};

// Connects to the server of an http, https, smtp or smtps address and verifies its certificate, with the authorities in
// a file (empty: those of trusted_authorities_file()). On a mail server it also signs in if the address has a user. It
// sends no request and no mail. Blocks.
ServerCheck check_server(const std::string& url, std::chrono::milliseconds total_ms_max,
                         const std::string& authorities_file = "");

// The file with the certificate authorities that outgoing calls trust; empty if there is none.
std::string trusted_authorities_file();

// The end of the first certificate in a PEM file; nothing if there is none. Throws std::runtime_error if the file
// cannot be read.
std::optional<Instant> certificate_expiry(const std::string& pem_file);

}  // namespace guildhall::outbound
