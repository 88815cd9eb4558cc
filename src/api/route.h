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

// Routes are data: who may call what, with which body, and what comes back. Dispatch, OpenAPI and the access
// tests all read the same table.
namespace guildhall::api {

enum class Access {
  open,            // anybody
  optional,        // anybody; a session is read if there is one
  session,         // anybody who is signed in
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
};

// Requests a minute from one address, counted under the endpoint's logical name.
struct AddressLimit {
  std::string_view endpoint;
  std::int64_t per_minute;
  // Without the cache requests are counted by this process alone, where other limits let all requests pass: for sign-in
  // and public links, which are worth guessing.
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
  std::size_t body_bytes_max = 256 * 1024;
  std::optional<AddressLimit> limit{};
  bool raw_body = false;  // any content type; the handler reads the bytes itself
  bool form = false;      // an HTML form's button, whose fields nobody reads

  // These say in words what the route takes and gives, and put the same into /openapi.json.
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
  Route&& takes_form() && {
    form = true;
    return std::move(*this);
  }
  Route&& limited(AddressLimit by_address) && {
    limit = by_address;
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
  Route&& gives(int status, std::string_view meaning) && {
    outcomes.push_back({status, nullptr, meaning});
    return std::move(*this);
  }

  bool needs_session() const { return access != Access::open && access != Access::optional; }
  // Whether it lists records by pages, whose size depends on the records.
  bool gives_pages() const {
    return method == Method::get &&
           std::any_of(query.begin(), query.end(), [](const Field& field) { return field.key == "limit"; });
  }
  bool tenant_scoped() const { return needs_session() && access != Access::session; }
};

// A handler that takes what it needs by reference: `route(Method::get, path, access, summary, find, db)`
// calls `find(call, db)`.
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
