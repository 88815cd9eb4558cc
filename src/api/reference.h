#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace guildhall::api {

// The contents of all files named reference.json below src/. The build puts them into the program
// (cmake/reference.cmake).
std::span<const std::string_view> reference_files();

// The texts of the OpenAPI document that no declaration holds: names and descriptions of operations, and the meaning
// and an example of every field, parameter, header and error code. They are written in files named reference.json: one
// in src/api for the texts that all features share, and one in each slice for its own. docs/adding-a-resource.md
// explains the format. The texts are read once, when the document is made.
class Reference {
 public:
  struct Note {
    std::string description;
    std::string example;  // JSON; empty if the file gives none
  };

  using Notes = std::map<std::string, Note, std::less<>>;

  struct Operation {
    std::string id;
    std::string tag;
    std::string description;
    std::vector<std::string> errors;  // codes, besides those that every operation may answer with
    Notes parameters;                 // those with another meaning than elsewhere
    std::string body_example;         // JSON; empty: it is made from the fields
    bool hidden = false;              // a page or file for browsers, which is not part of the API
    bool versioned = false;           // the record has an ETag, and writes take If-Match
    bool repeatable = true;           // a write takes an Idempotency-Key
    bool sets_cookie = false;         // a successful reply sets or removes a cookie
    bool counts_itself = false;       // the handler counts the requests, so that the route has no limit of its own
    // Parameters of the path that have only one value. The document has the path with the value instead.
    std::map<std::string, std::string> fixed;
  };

  struct Tag {
    std::string name;
    std::string description;
  };

  // Throws logic_error if a file has the wrong form, or if two files describe the same operation.
  explicit Reference(std::span<const std::string_view> files);

  // `key` is "POST /api/data/order". Returns an operation without texts if no file describes it.
  const Operation& operation(const std::string& key) const;

  // The note of a field of a type; an empty key means the type itself. Searches for the type, for a pattern such as
  // PageOf*, and for the field's name alone. Returns null if none of them has a note.
  const Note* field(std::string_view type, std::string_view key) const;
  // The same, but without the notes that hold for a field of this name in any type.
  const Note* own_field(std::string_view type, std::string_view key) const;
  const Note* parameter(const std::string& name) const;
  const Note* header(const std::string& name) const;

  // Whether the field is described as one that clients should no longer use.
  bool is_deprecated(std::string_view type, std::string_view key) const;

  // The note of an event that is sent to webhook endpoints. Returns null if no file describes it.
  const Note* webhook(std::string_view event) const;

  // The example of an error code is its HTTP status.
  const Notes& errors() const { return errors_; }
  const std::vector<Tag>& tags() const { return tags_; }  // in the order of the file

 private:
  std::vector<Tag> tags_;
  std::map<std::string, Operation> operations_;
  std::map<std::string, Notes, std::less<>> types_;
  std::vector<std::pair<std::string, Notes>> patterns_;  // without the star
  Notes fields_;
  Notes parameters_, headers_, errors_, webhooks_;
  std::set<std::pair<std::string, std::string>> deprecated_;  // type and field
};

}  // namespace guildhall::api
