#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "base/declared.h"
#include "base/task.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/service.h"

// Routes are data: method, path, callers, body and replies. Dispatch, OpenAPI and the access tests all read the same
// table.
namespace guildhall::api {

enum class Access {
  open,            // everyone
  optional,        // everyone; a session is read if there is one
  session,         // every caller who is signed in
  data_read,       // data.read in the request's tenant
  data_write,      // data.write in the request's tenant
  admin,           // admin.access in the session's tenant
  tenant_admin,    // TenantAdmin in the session's tenant
  platform_admin,  // PlatformAdmin
};

std::string_view to_string(Access access);

using Handler = std::function<Task<Reply>(Call&)>;
using SchemaOf = void (*)(Schema&);

struct Outcome {
  int status;
  SchemaOf schema;  // null: no JSON body
  std::string_view meaning;
  std::string_view media_type = "application/json";
  bool or_csv = false;  // the same as text/csv if the client prefers it
};

// The number of requests per minute from one address, counted under the endpoint's logical name.
struct AddressLimit {
  std::string_view endpoint;
  std::int64_t per_minute;
  // If true, requests are counted in this process while the cache does not answer; with other limits they are allowed
  // then. For sign-in and public links, which an attacker could otherwise guess.
  bool local_without_cache = false;
};

struct Route {
  Method method;
  std::string path;  // /api/data/customer/:id
  Access access;
  std::string_view summary;
  Handler handler;

  SchemaOf body = nullptr;
  std::span<const Field> query{};
  std::vector<Outcome> outcomes{};
  std::size_t body_bytes_max = http::usual_body_bytes_max;
  std::optional<AddressLimit> limit{};
  std::string_view unlimited_because{};  // why a public route needs no limit by address
  // As how many requests one counts in the tenant's limit; null: as one. May throw for a body that is not JSON.
  std::function<std::int64_t(const Call&)> cost{};
  // A further check of the caller's permissions. It runs after that of `access` and before the body is decoded.
  std::function<Task<>(const Call&)> authorize{};
  bool needs_person = false;                        // a session, not an API token, whatever the token's keys
  bool raw_body = false;                            // the handler reads the bytes itself
  std::span<const std::string_view> media_types{};  // of a raw body; empty: any content type
  bool has_deprecated_fields = false;               // replies say so (api/api_version.h)
  bool form = false;                                // an HTML form with only a button; its fields are ignored

  // These functions declare the bodies and replies of the route, for reading and for /openapi.json.
  template <class T>
  Route&& takes() && {
    body = &Codec<T>::schema;
    return std::move(*this);
  }
  Route&& takes_raw(std::size_t bytes_max) && {
    raw_body = true;
    body_bytes_max = bytes_max;
    return std::move(*this);
  }
  // A body of bytes that is sent with one of these content types. The views must live as long as the process.
  Route&& takes_bytes(std::span<const std::string_view> types, std::size_t bytes_max) && {
    media_types = types;
    return std::move(*this).takes_raw(bytes_max);
  }
  Route&& takes_form() && {
    form = true;
    return std::move(*this);
  }
  Route&& authorized_by(std::function<Task<>(const Call&)> check) && {
    authorize = std::move(check);
    return std::move(*this);
  }
  // For changes of who may do what, and of secrets: programs with an API token get 403.
  Route&& by_person() && {
    needs_person = true;
    return std::move(*this);
  }
  // Declares that the body or the reply has fields that will be removed.
  Route&& with_deprecated_fields() && {
    has_deprecated_fields = true;
    return std::move(*this);
  }
  // Declares a body of type T that counts as `cost_of(body)` requests. The handler refuses a body with wrong fields.
  template <class T>
  Route&& takes_at_cost(std::int64_t (*cost_of)(const T&)) && {
    cost = [cost_of](const Call& call) {
      const Partial<T> body = call.partial_body<T>();
      return body.problems.empty() ? cost_of(body.value) : 1;
    };
    return std::move(*this).template takes<T>();
  }
  Route&& limited(AddressLimit by_address) && {
    limit = by_address;
    return std::move(*this);
  }
  Route&& unlimited(std::string_view because) && {
    unlimited_because = because;
    return std::move(*this);
  }
  template <class T>
  Route&& takes_query() && {
    query = fields_of<T>();
    return std::move(*this);
  }
  template <class T>
  Route&& gives(int status, std::string_view meaning) && {
    outcomes.push_back({status, &Codec<T>::schema, meaning});
    return std::move(*this);
  }
  // Declares that the last outcome can be had as CSV, too.
  Route&& or_csv() && {
    outcomes.back().or_csv = true;
    return std::move(*this);
  }
  // Declares a stream of Server-Sent Events whose data has this type.
  template <class T>
  Route&& gives_events(int status, std::string_view meaning) && {
    outcomes.push_back({status, &Codec<T>::schema, meaning, "text/event-stream"});
    return std::move(*this);
  }
  Route&& gives(int status, std::string_view meaning) && {
    outcomes.push_back({status, nullptr, meaning});
    return std::move(*this);
  }

  bool needs_session() const { return access != Access::open && access != Access::optional; }
  // True if the route lists records in pages. The size of a page depends on its records.
  bool gives_pages() const {
    return method == Method::get &&
           std::any_of(query.begin(), query.end(), [](const Field& field) { return field.key == "limit"; });
  }
  bool tenant_scoped() const { return needs_session() && access != Access::session; }
  // True if requests count against a limit of the tenant or of the user.
  bool counts_callers() const { return tenant_scoped() || (access == Access::session && !limit); }
  bool admits_tokens() const { return tenant_scoped() && !needs_person; }
};

// Makes a route whose handler takes its dependencies by reference: `route(Method::get, path, access, summary, find,
// db)` calls `find(call, db)`.
template <class Function, class... Needs>
Route route(Method method, std::string_view path, Access access, std::string_view summary, Function function,
            Needs&... needs) {
  return {method, std::string(path), access, summary, [function, &needs...](Call& call) -> Task<Reply> {
            if constexpr (std::is_same_v<std::invoke_result_t<Function, Call&, Needs&...>, Reply>) {
              co_return function(call, needs...);
            } else {
              co_return co_await function(call, needs...);
            }
          }};
}

}  // namespace guildhall::api
