#pragma once

#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <simdjson.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "base/function_ref.h"
#include "base/ids.h"
#include "base/instant.h"
#include "base/json_writer.h"

// Decoding, checking, encoding and describing of single JSON values. base/declared.h does the same for structs.
namespace guildhall {

// A value of the document that is being decoded. It is valid only as long as the document: decoders copy the data that
// they keep.
using JsonValue = simdjson::dom::element;

struct Field;

// Collects the problems that decoding finds, each with the path of its field.
class Decoder {
 public:
  // The origin of the values.
  enum class Source {
    body,
    query,   // every value is text, so numbers and booleans are read from text
    stored,  // a column: limits and blank text are not checked again, since the rules may have changed
  };
  // The treatment of members that the declared struct does not have.
  enum class Unknown { ignored, refused };

  explicit Decoder(Source source = Source::body, Unknown unknown = Unknown::ignored)
      : source_(source), unknown_(unknown) {}

  // Both functions keep only the first problem of a field.
  void problem(std::string_view message);
  void problem(Problem whole);  // names its own path

  // Whether there is a problem with that field or with a field inside it.
  bool found_in(std::string_view field) const;
  bool ok() const { return problems_.empty(); }
  std::size_t problem_count() const { return problems_.size(); }
  std::vector<Problem> take_problems() { return std::move(problems_); }

  Source source() const { return source_; }
  bool from_query() const { return source_ == Source::query; }
  bool from_store() const { return source_ == Source::stored; }

  // Whether the member is a problem because the struct does not have it. Members of `read_only` are ignored, and so is
  // the tenantId of a body, which is compared with the request's tenant.
  bool refuses(std::string_view key, std::span<const Field> read_only) const;

  // As long as it exists, the decoder's path includes that member or element.
  class Step {
   public:
    Step(Decoder& decoder, std::string_view key) : Step(decoder, key, 0) {}
    Step(Decoder& decoder, std::size_t index) : Step(decoder, {}, index) {}
    ~Step() { decoder_.innermost_ = outer_; }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    friend class Decoder;
    Step(Decoder& decoder, std::string_view key, std::size_t index)
        : decoder_(decoder), outer_(decoder.innermost_), key_(key), index_(index) {
      decoder.innermost_ = this;
    }
    Decoder& decoder_;
    const Step* outer_;
    std::string_view key_;
    std::size_t index_;
  };

 private:
  static void append_path(std::string& path, const Step* step);

  const Step* innermost_ = nullptr;
  Source source_;
  Unknown unknown_;
  std::vector<Problem> problems_;
};

// Writes JSON Schema (OpenAPI 3.1) and collects the structs that it describes as named components.
class Schema {
 public:
  void raw(std::string_view text) { out += text; }

  // Throws logic_error if another type has the same name: one of the two would be described as the other.
  void component(std::string_view type_name, std::span<const Field> fields);

  std::string out;
  std::map<std::string, std::string> components;

 private:
  std::map<std::string, const Field*> types_;  // the type of each component
};

// One member of a declared struct.
struct Field {
  std::string_view key;     // in JSON
  std::string_view column;  // in the database
  bool required;            // absent or null is a problem
  bool hidden;              // in the database only
  void (*decode)(JsonValue, void* object, Decoder&);
  void (*encode)(std::string& out, const void* object);
  void (*schema)(Schema&);
};

// `read_only` are fields that a client may send although the object does not have them.
void decode_object(JsonValue value, void* object, std::span<const Field> fields, std::span<const Field> read_only,
                   Decoder& decoder);
void encode_object(std::string& out, const void* object, std::span<const Field> fields);

// Parses and checks a document: valid JSON and UTF-8, an object, depth ≤ 32, no duplicate keys, no U+0000.
// Then calls `decode`, and throws Failure invalid if it found problems. The document is parsed into a buffer of the
// calling thread.
void decode_document(std::string_view text, FunctionRef<void(JsonValue, Decoder&)> decode,
                     Decoder::Unknown unknown = Decoder::Unknown::ignored);

// The same, but returns the problems of fields. It throws only for text that is not such a document.
std::vector<Problem> decode_leniently(std::string_view text, FunctionRef<void(JsonValue, Decoder&)> decode,
                                      Decoder::Unknown unknown);

// Parses text that the server itself has written (a JSON column), of any type, without those checks.
void decode_stored(std::string_view text, FunctionRef<void(JsonValue, Decoder&)> decode);

// Same as decode_document for a query string: `a=1&b=x%20y`.
void decode_query(std::string_view query, FunctionRef<void(JsonValue, Decoder&)> decode,
                  Decoder::Unknown unknown = Decoder::Unknown::ignored);

template <class T>
struct Codec;

template <class T>
concept Coded = requires(JsonValue value, T& out, Decoder& decoder, std::string& text, Schema& schema) {
  Codec<T>::decode(value, out, decoder);
  Codec<T>::encode(text, out);
  Codec<T>::schema(schema);
};

struct PlainCodec {
  static constexpr bool required = true;
  static constexpr bool hidden = false;
  static constexpr bool is_text = false;  // any text is a value of it, so that blank text of an optional one is null
};

struct TextCodec : PlainCodec {
  static constexpr bool is_text = true;
};

constexpr std::size_t text_characters_max = 10'000;
constexpr std::size_t key_characters_max = 255;        // keys that people or providers choose; they are indexed
constexpr std::size_t reference_characters_max = 200;  // ids of other records

// Decodes text of a bounded number of characters. Returns false, and adds a problem, when the value is not such a text.
bool decode_text(JsonValue value, std::string& out, std::size_t characters_max, Decoder& decoder);
// The same for text that must not be blank: white space alone counts as missing.
bool decode_required_text(JsonValue value, std::string& out, std::size_t characters_max, Decoder& decoder);
bool is_blank(std::string_view text);
bool is_blank(JsonValue value, const Decoder& decoder);  // always false for a stored value
std::size_t characters_in(std::string_view utf8);

// Text as sent, possibly empty.
template <>
struct Codec<std::string> : TextCodec {
  static void decode(JsonValue value, std::string& out, Decoder& decoder) {
    decode_text(value, out, text_characters_max, decoder);
  }
  static void encode(std::string& out, const std::string& value) { json::append_string(out, value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string"})"); }
};

// Text that must not be blank: white space alone counts as missing.
template <std::size_t Max = text_characters_max, std::size_t Min = 1>
struct Text {
  std::string value;
  operator const std::string&() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <std::size_t Max, std::size_t Min>
struct Codec<Text<Max, Min>> : TextCodec {
  static void decode(JsonValue value, Text<Max, Min>& out, Decoder& decoder) {
    if (!decode_required_text(value, out.value, Max, decoder)) return;
    if (characters_in(out.value) < Min && !decoder.from_store()) {
      decoder.problem(fmt::format("must have at least {} characters", Min));
    }
  }
  static void encode(std::string& out, const Text<Max, Min>& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) {
    schema.raw(json::object({{"type", "string"}, {"minLength", Min}, {"maxLength", Max}}).text);
  }
};

using Key = Text<key_characters_max>;
using Reference = Text<reference_characters_max>;

struct Email {
  std::string value;
  operator const std::string&() const { return value; }  // NOLINT(google-explicit-constructor)
};
bool is_email(std::string_view text);

template <>
struct Codec<Email> : TextCodec {
  static void decode(JsonValue value, Email& out, Decoder& decoder);
  static void encode(std::string& out, const Email& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string","format":"email"})"); }
};

template <class Tag>
struct Codec<Id<Tag>> : TextCodec {
  static void decode(JsonValue value, Id<Tag>& out, Decoder& decoder) {
    std::string text;
    if (decode_required_text(value, text, reference_characters_max, decoder)) out = Id<Tag>(std::move(text));
  }
  static void encode(std::string& out, const Id<Tag>& value) { json::append_string(out, value.text()); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string"})"); }
};

template <>
struct Codec<bool> : PlainCodec {
  static void decode(JsonValue value, bool& out, Decoder& decoder);
  static void encode(std::string& out, bool value) { out += value ? "true" : "false"; }
  static void schema(Schema& schema) { schema.raw(R"({"type":"boolean"})"); }
};

// Decodes 1 and 1.0, but not 1.5 or "1", for which it adds a problem that names the range.
void decode_integer(JsonValue value, std::int64_t& out, std::int64_t min, std::int64_t max, Decoder& decoder);

constexpr std::int64_t safe_integer_max = (std::int64_t{1} << 53) - 1;

template <>
struct Codec<std::int64_t> : PlainCodec {
  static void decode(JsonValue value, std::int64_t& out, Decoder& decoder) {
    decode_integer(value, out, -safe_integer_max, safe_integer_max, decoder);
  }
  static void encode(std::string& out, std::int64_t value) { json::append_integer(out, value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"integer"})"); }
};

// An integer within bounds.
template <std::int64_t Min, std::int64_t Max>
struct Bounded {
  std::int64_t value = Min;
  operator std::int64_t() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <std::int64_t Min, std::int64_t Max>
struct Codec<Bounded<Min, Max>> : PlainCodec {
  static void decode(JsonValue value, Bounded<Min, Max>& out, Decoder& decoder) {
    decode_integer(value, out.value, Min, Max, decoder);
  }
  static void encode(std::string& out, Bounded<Min, Max> value) { json::append_integer(out, value.value); }
  static void schema(Schema& schema) {
    schema.raw(json::object({{"type", "integer"}, {"minimum", Min}, {"maximum", Max}}).text);
  }
};

template <>
struct Codec<Instant> : PlainCodec {
  static void decode(JsonValue value, Instant& out, Decoder& decoder);
  static void encode(std::string& out, Instant value);
  static void schema(Schema& schema) { schema.raw(R"({"type":"string","format":"date-time"})"); }
};

// Enums described with BOOST_DESCRIBE_ENUM; an enumerator's name is its text in JSON and in the database.
template <class E>
  requires std::is_enum_v<E>
constexpr std::string_view name_of(E value) {
  return boost::describe::enum_to_string(value, "");
}

template <class E>
  requires std::is_enum_v<E>
std::optional<E> named(std::string_view name) {
  std::optional<E> found;
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto enumerator) {
    if (name == enumerator.name) found = enumerator.value;
  });
  return found;
}

template <class E>
  requires std::is_enum_v<E>
std::string names_of() {
  std::string names;
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>(
      [&](auto enumerator) { names.append(names.empty() ? "" : ", ").append(enumerator.name); });
  return names;
}

template <class E>
  requires std::is_enum_v<E>
struct Codec<E> : PlainCodec {
  static void decode(JsonValue value, E& out, Decoder& decoder) {
    std::string_view text;
    const auto found = value.get(text) == simdjson::SUCCESS ? named<E>(text) : std::nullopt;
    if (!found) return decoder.problem("must be one of " + names_of<E>());
    out = *found;
  }
  static void encode(std::string& out, E value) { json::append_string(out, name_of(value)); }
  static void schema(Schema& schema) {
    json::ObjectWriter type(schema.out);
    type.add("type", "string");
    json::ArrayWriter names(type.key("enum"));
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>(
        [&](auto enumerator) { names.add(std::string_view(enumerator.name)); });
  }
};

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

template <class T>
struct Codec<std::vector<T>> : PlainCodec {
  static void decode(JsonValue value, std::vector<T>& out, Decoder& decoder) {
    simdjson::dom::array array;
    if (value.get(array) != simdjson::SUCCESS) return decoder.problem("must be a list");
    out.clear();
    std::size_t index = 0;
    for (const JsonValue element : array) {
      const Decoder::Step step(decoder, index++);
      Codec<T>::decode(element, out.emplace_back(), decoder);
    }
  }
  static void encode(std::string& out, const std::vector<T>& value) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out += ',';
      Codec<T>::encode(out, value[i]);
    }
    out += ']';
  }
  static void schema(Schema& schema) {
    schema.raw(R"({"type":"array","items":)");
    Codec<T>::schema(schema);
    schema.raw("}");
  }
};

// Only for schemas: one of several shapes.
template <class... T>
struct AnyOf {};

template <class First, class... Rest>
struct Codec<AnyOf<First, Rest...>> {
  static void schema(Schema& schema) {
    schema.raw(R"({"anyOf":[)");
    Codec<First>::schema(schema);
    ((schema.raw(","), Codec<Rest>::schema(schema)), ...);
    schema.raw("]}");
  }
};

}  // namespace guildhall
