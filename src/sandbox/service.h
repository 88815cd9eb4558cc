#pragma once

#include "http/service.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {

// Answers all requests: those to the parties, with their faults, and those of people at the sandbox's page.
class SandboxService final : public http::Service {
 public:
  explicit SandboxService(World& world) : world_(world) {}

  std::size_t body_bytes_max(const http::Request&) override { return http::usual_body_bytes_max; }
  Task<http::Reply> answer(http::Request& request) override;
  http::Reply timed_out(const http::Request& request) override;
  http::Reply malformed(int status, std::string_view sentence) override;

 private:
  Task<http::Reply> answer_person(const http::Request& request);
  Task<http::Reply> answer_party(Party& party, const http::Request& request, std::string_view path);
  Task<http::Reply> answer_with_fault(Party& party, const PartyRequest& request);
  bool is_held(const Party& party);

  World& world_;
};

}  // namespace guildhall::sandbox
