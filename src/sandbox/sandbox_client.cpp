#include "sandbox/sandbox_client.h"

#include <fmt/format.h>
#include <stdexcept>

#include "outbound/http_client.h"

namespace guildhall {

JsonLookup call_sandbox(const std::string& sandbox, const std::string& method, const std::string& path,
                        const std::string& body) {
  const outbound::Reply reply = outbound::send_now({.method = method,
                                                    .url = sandbox + path,
                                                    .headers = {{"Content-Type", "application/json"}},
                                                    .body = body,
                                                    .total_ms_max = std::chrono::seconds(30),
                                                    .reply_bytes_max = 64 << 20});
  auto answer = JsonLookup::parse(reply.body);
  if (reply.status == 0) {
    throw std::runtime_error(fmt::format("The sandbox at {} does not answer ({}). Start it with `guildhall sandbox`.",
                                         sandbox, reply.error));
  }
  if (!reply.ok() || !answer) {
    throw std::runtime_error(
        fmt::format("The sandbox answered {}: {}", reply.status, answer ? answer->text("/error") : reply.body));
  }
  return std::move(*answer);
}

}  // namespace guildhall
