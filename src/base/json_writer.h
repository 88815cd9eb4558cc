#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace guildhall {
template <class T>
struct Codec;  // base/codec.h
}  // namespace guildhall

// All JSON text is written with this header, or with to_json() where a declared struct has the shape (base/declared.h).
//
//   json::object({{"type", 1}, {"user", json::object({{"id", user.id}})}}).text
//
// is an object of a fixed shape. Where members depend on something, a function adds them:
//
//   json::write_object([&](json::ObjectWriter& body) { if (!nonce.empty()) body.add("nonce", nonce); })
namespace guildhall::json {

// A buffer that the thread keeps, for text that is copied to its exact size afterwards: it need not grow anew each
// time. Nested ones get buffers of their own.
class Scratch {
 public:
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  std::string text;
};

// Quoted and escaped; the text must be valid UTF-8.
void append_string(std::string& out, std::string_view text);
void append_integer(std::string& out, std::int64_t number);
void append_number(std::string& out, double number);

// A JSON value that is already written. Made from text (which is quoted and escaped), integers, booleans, nullptr and
// every type that has a Codec.
struct Value {
  template <class T>
    requires(!std::same_as<T, Value>)
  Value(const T& value);  // NOLINT(google-explicit-constructor)

  std::string text;
};

// Text that is JSON already, taken as it is.
Value verbatim(std::string json);

template <class T>
void append(std::string& out, const T& value) {
  if constexpr (std::same_as<T, Value>) {
    out += value.text;
  } else if constexpr (std::same_as<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::integral<T>) {
    append_integer(out, static_cast<std::int64_t>(value));
  } else if constexpr (std::same_as<T, std::nullptr_t>) {
    out += "null";
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    append_string(out, value);
  } else {
    Codec<T>::encode(out, value);
  }
}

template <class T>
  requires(!std::same_as<T, Value>)
Value::Value(const T& value) {
  append(text, value);
}

// Appends an object to a string. The object is complete when the writer has gone out of scope.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;
  ~ObjectWriter() { out_ += '}'; }

  // Begins a member. The caller appends exactly one JSON value to the string that is returned.
  std::string& key(std::string_view name);

  template <class T>
  void add(std::string_view name, const T& value) {
    append(key(name), value);
  }

 private:
  std::string& out_;
  bool is_empty_ = true;
};

// Appends a list to a string. The list is complete when the writer has gone out of scope.
class ArrayWriter {
 public:
  explicit ArrayWriter(std::string& out) : out_(out) { out_ += '['; }
  ArrayWriter(const ArrayWriter&) = delete;
  ArrayWriter& operator=(const ArrayWriter&) = delete;
  ~ArrayWriter() { out_ += ']'; }

  // Begins an element. The caller appends exactly one JSON value to the string that is returned.
  std::string& next();

  template <class T>
  void add(const T& value) {
    append(next(), value);
  }

 private:
  std::string& out_;
  bool is_empty_ = true;
};

struct Member {
  std::string_view key;
  Value value;
};

Value object(std::initializer_list<Member> members);
Value array(std::initializer_list<Value> elements);

template <std::invocable<ObjectWriter&> Write>
std::string write_object(Write write) {
  std::string text;
  {
    ObjectWriter writer(text);
    write(writer);
  }
  return text;
}

template <std::invocable<ArrayWriter&> Write>
std::string write_array(Write write) {
  std::string text;
  {
    ArrayWriter writer(text);
    write(writer);
  }
  return text;
}

}  // namespace guildhall::json
