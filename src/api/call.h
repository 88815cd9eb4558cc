#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/actor.h"
#include "base/address.h"
#include "base/declared.h"
#include "base/ids.h"
#include "base/instant.h"
#include "http/reply.h"
#include "http/request.h"

namespace guildhall::api {

using http::Method, http::Reply, http::Request;

// The caller of a request, from the session or the API token.
struct Caller {
  std::string session_id;
  UserId user;
  TenantId tenant;  // the tenant of the session; may be empty
  std::vector<std::string> permissions;
  bool through_tenants_application = false;  // signed in through a tenant's own chat application

  std::string token_id{};     // set if the caller is a program with an API token, which has no session
  std::string api_version{};  // the version that the token asks for; empty: the present one
  bool must_enrol = false;    // the tenant requires a second factor, which the user has to enrol first

  // False for a session through a tenant's application and for a token: neither proves that the user is the caller.
  bool may_change_itself() const { return !through_tenants_application && token_id.empty(); }

  bool may(std::string_view permission) const;
};

// A body or query in which some fields may be invalid. An invalid field of a PATCH is treated as absent.
template <class T>
struct Partial {
  T value{};
  std::vector<Problem> problems;
};

// The request that a handler answers.
struct Call {
  const Request& request;
  std::string_view address;              // the client's address, found through trusted proxies
  std::shared_ptr<const Caller> caller;  // never null on routes that require a session
  TenantId tenant;                       // the tenant of the call; empty on routes without one
  std::vector<std::string> params;       // the decoded values of the path's `:name` parts, in order
  Instant now;
  Decoder::Unknown unknown = Decoder::Unknown::ignored;  // refused if the client prefers strict handling

  // The client as limits count it: its address, or its network (see counted_address).
  std::string source() const { return counted_address(address); }

  const std::string& param(std::size_t index) const { return params[index]; }
  const UserId& user() const { return caller->user; }
  Actor actor() const {
    if (!caller->token_id.empty()) return {ActorKind::TOKEN, caller->token_id, request.request_id};
    return {ActorKind::USER, caller->user.text(), request.request_id};
  }

  // Decodes the body. Throws Failure invalid that names every invalid field. A tenantId in the body that differs from
  // the call's tenant is invalid.
  template <class T>
  T body() const {
    return body_of<T>(tenant);
  }

  // Like body(), but a tenantId in the body must be `body_tenant`; if that is empty, it may be any tenant.
  template <class T>
  T body_of(const TenantId& body_tenant) const {
    auto [value, problems] = partial_body_of<T>(body_tenant);
    if (!problems.empty()) throw invalid_fields(std::move(problems));
    return std::move(value);
  }

  // For a PATCH whose result is validated as a whole, so that all problems can be reported together (see throw_all).
  template <class T>
  Partial<T> partial_body() const {
    return partial_body_of<T>(tenant);
  }

  template <class T>
  T query() const {
    T value{};
    decode_query(
        request.query, [&](JsonValue document, Decoder& decoder) { read(document, value, decoder); }, unknown);
    return value;
  }

  // Like query(), for a handler that adds checks of its own; see throw_all.
  template <class T>
  Partial<T> partial_query() const {
    Partial<T> query;
    const auto decode = [&](JsonValue document, Decoder& decoder) {
      read(document, query.value, decoder);
      query.problems = decoder.take_problems();
    };
    decode_query(request.query, decode, unknown);
    return query;
  }

  // Throws stale_record if the request has an If-Match that does not match the record's version.
  void require_match(std::int64_t version) const;

 private:
  // A type may define `check(value, decoder)` for rules that involve several members, so that all problems are reported
  // together.
  template <class T>
  static void read(JsonValue document, T& value, Decoder& decoder) {
    Codec<T>::decode(document, value, decoder);
    if constexpr (requires { check(value, decoder); }) check(value, decoder);
  }

  template <class T>
  Partial<T> partial_body_of(const TenantId& body_tenant) const {
    Partial<T> body;
    body.problems =
        decode_body(body_tenant, [&](JsonValue document, Decoder& decoder) { read(document, body.value, decoder); });
    return body;
  }

  std::vector<Problem> decode_body(const TenantId& body_tenant, FunctionRef<void(JsonValue, Decoder&)> decode) const;
};

// Runs `judge` and throws the problems that it reports together with `problems`. Returns if there are none.
void throw_all(std::vector<Problem> problems, FunctionRef<void()> judge);

std::string etag(std::int64_t version);

template <class T>
Reply json_reply(int status, const T& value) {
  Reply reply{.status = status};
  reply.body = to_json(value);
  return reply;
}

// A reply with the record as its body and with its ETag.
template <class T>
Reply record_reply(int status, const T& record) {
  return json_reply(status, record).with("ETag", etag(record.version));
}

inline Reply no_content() {
  return {.status = 204, .content_type = ""};
}

}  // namespace guildhall::api
