#include "api/call.h"

#include "base/ascii.h"

namespace guildhall::api {

bool Caller::may(std::string_view permission) const {
  return std::find(permissions.begin(), permissions.end(), permission) != permissions.end();
}

std::string etag(std::int64_t version) {
  return "\"" + std::to_string(version) + "\"";
}

void Call::require_match(std::int64_t version) const {
  if (!request.has_header("if-match")) return;
  const std::string current = etag(version);
  std::string_view list = request.header("if-match");
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    if (trim(item) == "*" || trim(item) == current) return;
  }
  throw stale_record();
}

std::vector<Problem> Call::decode_body(const TenantId& body_tenant,
                                       FunctionRef<void(JsonValue, Decoder&)> decode) const {
  const auto decode_with_tenant = [&](JsonValue document, Decoder& decoder) {
    JsonValue named;
    if (!body_tenant.empty() && document["tenantId"].get(named) == simdjson::SUCCESS && !named.is_null()) {
      std::string_view text;
      if (named.get(text) != simdjson::SUCCESS || text != body_tenant.text()) {
        throw bad_request("TENANT_MISMATCH", "The tenantId of the body is not the request's tenant.");
      }
    }
    decode(document, decoder);
  };
  return decode_leniently(request.body, decode_with_tenant, unknown);
}

namespace {

// Whether the problem is about this field or about one that it is part of: items[0] for items[0].name.
bool concerns(const Problem& problem, std::string_view field) {
  if (!field.starts_with(problem.field)) return false;
  const std::string_view rest = field.substr(problem.field.size());
  return rest.empty() || rest.front() == '.' || rest.front() == '[';
}

}  // namespace

void throw_all(std::vector<Problem> problems, FunctionRef<void()> judge) {
  try {
    judge();
  } catch (Failure& failure) {
    if (problems.empty()) throw;
    for (Problem& found : failure.details) {
      const bool known = std::any_of(problems.begin(), problems.end(),
                                     [&](const Problem& problem) { return concerns(problem, found.field); });
      if (!known) problems.push_back(std::move(found));
    }
  }
  if (!problems.empty()) throw invalid_fields(std::move(problems));
}

}  // namespace guildhall::api
