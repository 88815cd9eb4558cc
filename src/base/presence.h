#pragma once

#include <optional>

#include "base/codec.h"

// Types of members that may be absent or null, or that the API does not show.
namespace guildhall {

// May be absent or null, which mean the same; text of only white space counts as null.
template <class T>
struct Codec<std::optional<T>> : PlainCodec {
  static constexpr bool required = false;
  static void decode(JsonValue value, std::optional<T>& out, Decoder& decoder) {
    if (value.is_null() || (Codec<T>::is_text && is_blank(value, decoder))) return;
    Codec<T>::decode(value, out.emplace(), decoder);
  }
  static void encode(std::string& out, const std::optional<T>& value) {
    value ? Codec<T>::encode(out, *value) : void(out += "null");
  }
  static void schema(Schema& schema) {
    schema.raw(R"({"anyOf":[)");
    Codec<T>::schema(schema);
    schema.raw(R"(,{"type":"null"}]})");
  }
};

// A member of a PATCH: absent, or the new value; Change<std::optional<T>> may also be null, which clears.
template <class T>
struct Change {
  std::optional<T> value;

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }

  bool differs_from(const T& present) const { return value && *value != present; }

  // Writes the new value, if there is one, over the record's.
  template <class Target>
  void apply_to(Target& target) const {
    if (!value) return;
    if constexpr (std::is_assignable_v<Target&, const T&>) {
      target = *value;
    } else {
      target.reset();  // an optional of another type: Email into text
      if (*value) target = **value;
    }
  }
};

template <class T>
struct Codec<Change<T>> : PlainCodec {
  static constexpr bool required = false;
  static void decode(JsonValue value, Change<T>& out, Decoder& decoder) {
    if (value.is_null() && Codec<T>::required) return decoder.problem("must not be null");
    const std::size_t problems = decoder.problem_count();
    Codec<T>::decode(value, out.value.emplace(), decoder);
    if (decoder.problem_count() > problems) out.value.reset();  // a wrong value changes nothing
  }
  static void encode(std::string& out, const Change<T>& value) { Codec<std::optional<T>>::encode(out, value.value); }
  static void schema(Schema& schema) { Codec<T>::schema(schema); }
};

// May be absent or null; then it keeps the value it was initialised with.
template <class T>
struct Default {
  T value;
  operator const T&() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <class T>
struct Codec<Default<T>> : PlainCodec {
  static constexpr bool required = false;
  static void decode(JsonValue value, Default<T>& out, Decoder& decoder) {
    if (value.is_null() || (Codec<T>::is_text && is_blank(value, decoder))) return;
    Codec<T>::decode(value, out.value, decoder);
  }
  static void encode(std::string& out, const Default<T>& value) { Codec<T>::encode(out, value.value); }
  static void schema(Schema& schema) { Codec<std::optional<T>>::schema(schema); }
};

// A column of the record that the API neither returns nor accepts.
template <class T>
struct Hidden {
  T value{};
  operator const T&() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <class T>
struct Codec<Hidden<T>> : PlainCodec {
  static constexpr bool required = false;
  static constexpr bool hidden = true;
  static void decode(JsonValue, Hidden<T>&, Decoder&) {}
  static void encode(std::string&, const Hidden<T>&) {}
  static void schema(Schema&) {}
};

}  // namespace guildhall
