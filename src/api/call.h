#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/actor.h"
#include "base/declared.h"
#include "base/ids.h"
#include "base/instant.h"
#include "http/reply.h"
#include "http/request.h"

namespace guildhall::api {

using http::Method, http::Reply, http::Request;

// Who is calling, as their session says.
struct Caller {
  std::string session_id;
  UserId user;
  TenantId tenant;  // the session's; may be empty
  std::vector<std::string> permissions;
  bool through_tenants_application = false;  // signed in through a chat application that a tenant has set up

  std::string token_id{};  // of a program that signed in with an API token, which has no session; otherwise empty

  // A session through a tenant's application, or a token, does not prove that the user is at the other end.
  bool may_change_itself() const { return !through_tenants_application && token_id.empty(); }

  bool may(std::string_view permission) const;
};

// A body or query of which single fields may be wrong; those of a patch are left as if they had not been sent.
template <class T>
struct Partial {
  T value{};
  std::vector<Problem> problems;
};

// One request on its way through a handler.
struct Call {
  const Request& request;
  std::string_view address;         // the client's, found through trusted proxies
  std::optional<Caller> caller;     // present wherever the route asks for a session, and optional elsewhere
  TenantId tenant;                  // the tenant that the call means; empty on routes without one
  std::vector<std::string> params;  // the path's `:name` parts, in order, decoded
  Instant now;
  Decoder::Unknown unknown = Decoder::Unknown::ignored;  // refused where the client prefers strict handling

  const std::string& param(std::size_t index) const { return params[index]; }
  const UserId& user() const { return caller->user; }
  Actor actor() const {
    if (!caller->token_id.empty()) return {ActorKind::TOKEN, caller->token_id, request.request_id};
    return {ActorKind::USER, caller->user.text(), request.request_id};
  }

  // The body as a declared struct. Throws Failure invalid naming every wrong field, and for a tenantId in the
  // body that differs from the call's.
  template <class T>
  T body() const {
    return body_of<T>(tenant);
  }

  // The same where the body's tenantId has to name another tenant than the call's, or (empty) may name any.
  template <class T>
  T body_of(const TenantId& body_tenant) const {
    auto [value, problems] = partial_body_of<T>(body_tenant);
    if (!problems.empty()) throw invalid_fields(std::move(problems));
    return std::move(value);
  }

  // For a PATCH of a record that is judged as a whole, so that all that is wrong can be named at once (see throw_all).
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

  // The same for checks that need more than the query; see throw_all.
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

  // Throws stale_record if there is an If-Match that does not fit the record's version.
  void require_match(std::int64_t version) const;

 private:
  // A type may have a `check(value, decoder)` for what its members do not say alone, so that all that is wrong is named
  // at once.
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

// Runs `judge`, and throws what it finds wrong together with `problems`. Returns if nothing is wrong.
void throw_all(std::vector<Problem> problems, FunctionRef<void()> judge);

std::string etag(std::int64_t version);

template <class T>
Reply json_reply(int status, const T& value) {
  Reply reply{.status = status};
  reply.body = to_json(value);
  return reply;
}

// A record with its ETag.
template <class T>
Reply record_reply(int status, const T& record) {
  return json_reply(status, record).with("ETag", etag(record.version));
}

inline Reply no_content() {
  return {.status = 204, .content_type = ""};
}

}  // namespace guildhall::api
