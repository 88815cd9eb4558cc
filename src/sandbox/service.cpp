#include "sandbox/service.h"

#include "api/failure_reply.h"
#include "features/console/web_application.h"
#include "sandbox/control.h"
#include "sandbox/page_files.h"
#include "sandbox/processor.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply, http::Request;

constexpr std::chrono::seconds silent_for{20};  // longer than the server waits for a reply
constexpr std::chrono::milliseconds between_looks{5};

// The part of the path after the prefix; nothing if the path is not below it.
std::optional<std::string_view> below(std::string_view path, std::string_view prefix) {
  if (!path.starts_with(prefix)) return std::nullopt;
  path.remove_prefix(prefix.size());
  return path.empty() || path.front() == '/' ? std::optional(path) : std::nullopt;
}

// A page of another site must not control the sandbox, not even one whose name resolves to this machine.
void require_own_site(const World& world, const Request& request) {
  const std::string_view host = request.header("host");
  const bool known = host == fmt::format("127.0.0.1:{}", world.port) || host == fmt::format("localhost:{}", world.port);
  if (!known) throw forbidden("FOREIGN_HOST", "The sandbox answers only at its own address.");
}

void require_own_origin(const Request& request) {
  const std::string_view origin = request.header("origin");
  if (!origin.empty() && origin != fmt::format("http://{}", request.header("host"))) {
    throw forbidden("FOREIGN_ORIGIN", "Another site may not control the sandbox.");
  }
  const bool has_body = request.method == Method::post || request.method == Method::put;
  if (has_body && !request.header("content-type").starts_with("application/json")) {
    throw Failure(Failure::Kind::unsupported_media, "UNSUPPORTED_MEDIA_TYPE", "The body must be application/json.");
  }
}

Reply dropped(Reply reply) {
  reply.more = [](std::string&) -> Task<bool> {
    throw std::runtime_error("the sandbox drops this connection");
    co_return false;
  };
  return reply;
}

Headers headers_of(const Request& request) {
  Headers headers;
  for (const http::Header& header : request.headers) headers.emplace_back(header.name, header.value);
  return headers;
}

}  // namespace

Task<Reply> SandboxService::answer(Request& request) {
  try {
    require_own_site(world_, request);
    if (request.body_too_large) co_return api::too_large_reply(http::usual_body_bytes_max);
    if (below(request.path, wallet_certificates_path)) {
      co_return co_await answer_party(*world_.find_party("wallet"), request, request.path);
    }
    for (Party* party : world_.parties) {
      const auto path = below(request.path, "/" + party->name);
      if (path) co_return co_await answer_party(*party, request, *path);
    }
    co_return co_await answer_person(request);
  } catch (...) {
    co_return api::failure_reply(std::current_exception(), request.request_id);
  }
}

Task<Reply> SandboxService::answer_person(const Request& request) {
  if (const auto path = below(request.path, "/sandbox")) {
    require_own_origin(request);
    co_return co_await answer_control(world_, PartyRequest(request, *path));
  }
  const PartyRequest asked(request, request.path);
  if (asked.is(Method::get, "/checkout/*")) co_return checkout_page(world_, asked.part(1));
  if (asked.is(Method::post, "/checkout/*")) co_return co_await check_out(world_, asked.part(1), request.body);
  if (asked.is(Method::get, "/assets/*")) co_return asset_reply(sandbox_files(), request, asked.part(1));
  if (asked.is(Method::get, "/favicon.svg")) co_return plain_file_reply(sandbox_files(), "favicon.svg");
  if (asked.is(Method::get, "/licences.txt")) co_return plain_file_reply(sandbox_files(), "licences.txt");
  if (request.method == Method::get) co_return document_reply(sandbox_files(), world_.options.server);
  throw not_found("Address");
}

Task<Reply> SandboxService::answer_party(Party& party, const Request& request, std::string_view path) {
  Call call{.at = now(),
            .party = party.name,
            .method = std::string(to_string(request.method)),
            .url = world_.url(request.target),
            .request_headers = headers_of(request),
            .request_body = std::string(request.body)};
  ++party.calls;
  const auto began = std::chrono::steady_clock::now();
  co_await world_.take_time();
  Reply reply = co_await answer_with_fault(party, PartyRequest(request, path));
  call.took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  call.status = reply.more ? 0 : reply.status;
  call.response_body = reply.body;
  world_.calls.add(std::move(call));
  world_.touch();
  co_return reply;
}

Task<Reply> SandboxService::answer_with_fault(Party& party, const PartyRequest& request) {
  auto fault = world_.faults.take(party.name, request.parts, now());
  if (!fault) co_return party.answer(request);
  switch (fault->kind) {
    case FaultKind::error:
      co_return json_reply(500, json::object({{"message", "A fault of the sandbox is switched on."}}));
    case FaultKind::rateLimited:
      co_return json_reply(429, json::object({{"message", "You are being rate limited."},
                                              {"retry_after", fault->retry_after_seconds},
                                              {"global", false}}))
          .with("Retry-After", std::to_string(fault->retry_after_seconds));
    case FaultKind::timeout:
      co_await pause_for(silent_for);
      co_return json_reply(504, json::object({{"message", "A fault of the sandbox is switched on."}}));
    case FaultKind::rubbish:
      party.answer(request);
      co_return Reply{.content_type = "text/html", .body = "<html><h1>It works!</h1>{\"id\":"};
    case FaultKind::dropped:
      co_return dropped(party.answer(request));
    case FaultKind::held: {
      Reply reply = party.answer(request);
      while (is_held(party)) co_await pause_for(between_looks);
      co_return reply;
    }
    case FaultKind::answer: {
      Reply reply{.status = fault->status, .body = std::move(fault->body)};
      reply.headers = std::move(fault->headers);
      co_return reply;
    }
  }
  co_return party.answer(request);
}

bool SandboxService::is_held(const Party& party) {
  const auto fault = world_.faults.find(party.name, now());
  return fault && fault->kind == FaultKind::held;
}

Reply SandboxService::timed_out(const Request&) {
  return api::error_reply(503, "UNAVAILABLE", "The sandbox did not answer in time.");
}

Reply SandboxService::malformed(int status, std::string_view sentence) {
  return api::error_reply(status, "BAD_REQUEST", sentence);
}

}  // namespace guildhall::sandbox
