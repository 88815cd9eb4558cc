#pragma once

#include <map>
#include <simdjson.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "base/function_ref.h"

// Documents and objects: the decoder that collects problems, the writer of schemas, and the functions that decode and
// encode an object from the list of its fields. base/codec.h has the codecs of single values.
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

}  // namespace guildhall
