#pragma once

#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.h"
#include "base/presence.h"

// Declared types: a struct names its members once,
//
//   struct NewCustomer { Text<> chat_id; std::optional<Email> email; };
//   BOOST_DESCRIBE_STRUCT(NewCustomer, (), (chat_id, email))
//
// and that one description drives strict decoding, encoding, the OpenAPI schema, and its columns in the
// database. A description that leaves a member out does not compile. A member's type carries its rules; its JSON key is
// its name in camel case (`chatId`). An input type names the record it is about with `using Record = Customer;`: a
// client that asks for unknown fields to be refused may still send the record's read-only fields.
namespace guildhall {

namespace detail {

// chat_display_name → chatDisplayName, at compile time.
template <class Member>
struct JsonKey {
  static constexpr std::string_view name = Member::name;
  static constexpr auto camel = [] {
    std::array<char, name.size() + 1> out{};
    std::size_t length = 0;
    bool upper = false;
    for (const char c : name) {
      if (c == '_') {
        upper = true;
        continue;
      }
      out[length++] = upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      upper = false;
    }
    return std::pair(out, length);
  }();
  static constexpr std::string_view text{camel.first.data(), camel.second};
};

template <class T>
constexpr std::string_view type_name() {
  constexpr std::string_view signature = __PRETTY_FUNCTION__;  // … [T = guildhall::NewCustomer]
  constexpr std::size_t start = signature.find("T = ") + 4;
  return signature.substr(start, signature.size() - start - 1);
}

template <class S>
using Members = boost::describe::describe_members<S, boost::describe::mod_any_access | boost::describe::mod_inherited>;

// Converts to every type: an initialiser for any member, which is never evaluated.
struct AnyValue {
  template <class T>
  [[noreturn]] operator T() const {  // NOLINT(google-explicit-constructor)
    std::abort();
  }
};

template <class S, std::size_t... I>
constexpr bool has_elements(std::index_sequence<I...>) {
  return requires { S{(void(I), AnyValue{})...}; };
}

// Whether the description of an aggregate names all its bases and members: it can be initialised from that many values
// and not from one more.
template <class S>
constexpr bool is_fully_described() {
  using namespace boost::describe;
  constexpr std::size_t described = boost::mp11::mp_size<describe_bases<S, mod_any_access>>() +
                                    boost::mp11::mp_size<describe_members<S, mod_any_access>>();
  return has_elements<S>(std::make_index_sequence<described>()) &&
         !has_elements<S>(std::make_index_sequence<described + 1>());
}

template <class S, class Member>
constexpr Field field_row() {
  using M = std::remove_cvref_t<decltype(std::declval<S>().*Member::pointer)>;
  static_assert(Coded<M>, "this member's type has no Codec: see base/codec.h for the types a declared struct may have");
  return {
      .key = JsonKey<Member>::text,
      .column = Member::name,
      .required = Codec<M>::required,
      .hidden = Codec<M>::hidden,
      .decode = [](JsonValue value, void* object,
                   Decoder& decoder) { Codec<M>::decode(value, static_cast<S*>(object)->*Member::pointer, decoder); },
      .encode = [](std::string& out,
                   const void* object) { Codec<M>::encode(out, static_cast<const S*>(object)->*Member::pointer); },
      .schema = [](Schema& schema) { Codec<M>::schema(schema); },
  };
}

}  // namespace detail

template <class S>
concept Declared = boost::describe::has_describe_members<S>::value && std::is_class_v<S>;

namespace detail {

template <class S, template <class...> class List, class... Member>
constexpr auto make_rows(List<Member...>) {
  return std::array<Field, sizeof...(Member)>{field_row<S, Member>()...};
}

template <class S>
inline constexpr auto rows = make_rows<S>(Members<S>{});

}  // namespace detail

// The rows of a declared struct, in the order of its members.
template <Declared S>
constexpr std::span<const Field> fields_of() {
  static_assert(detail::rows<S>.size() <= 64, "a declared struct has at most 64 members");
  static_assert(detail::is_fully_described<S>(), "BOOST_DESCRIBE_STRUCT does not name every member of this struct");
  return detail::rows<S>;
}

namespace detail {

// The fields of the record that an input type is about. Clients that send a record back send these too.
template <class S>
constexpr std::span<const Field> record_fields() {
  if constexpr (requires { typename S::Record; }) {
    return fields_of<typename S::Record>();
  } else {
    return {};
  }
}

}  // namespace detail

template <Declared S>
struct Codec<S> : PlainCodec {
  static void decode(JsonValue value, S& out, Decoder& decoder) {
    decode_object(value, &out, fields_of<S>(), detail::record_fields<S>(), decoder);
  }
  static void encode(std::string& out, const S& value) { encode_object(out, &value, fields_of<S>()); }
  static void schema(Schema& schema) { schema.component(detail::type_name<S>(), fields_of<S>()); }
};

template <class T>
std::string to_json(const T& value) {
  json::Scratch scratch;
  Codec<T>::encode(scratch.text, value);
  return std::string(scratch.text);  // a copy, as long as it needs to be
}

// Decodes a whole document that must be a JSON object. Throws Failure invalid naming every wrong field.
template <Coded T>
T from_json(std::string_view text) {
  T value{};
  decode_document(text, [&](JsonValue document, Decoder& decoder) { Codec<T>::decode(document, value, decoder); });
  return value;
}

}  // namespace guildhall
