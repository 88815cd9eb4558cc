#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace guildhall::pdf {

// The number of an object in a file; `reference` names it in another one.
struct ObjectId {
  int number = 0;
};
std::string reference(ObjectId id);
std::string references(std::span<const ObjectId> ids);  // an array

// A text of the file, as UTF-16 in hexadecimal.
std::string text_object(std::string_view utf8);

// A number with at most three decimals.
std::string number(double value);

// Writes the objects of a file. Objects may be written in any order.
class Objects {
 public:
  Objects();

  ObjectId reserve();
  void write(ObjectId id, std::string_view body);
  ObjectId add(std::string_view body);

  // `entries` are further entries of the stream's dictionary.
  ObjectId add_stream(std::string_view entries, std::string_view bytes);  // compressed
  ObjectId add_uncompressed_stream(std::string_view entries, std::string_view bytes);

  // The whole file. Its identifier is the hash of its content, so equal documents are equal files.
  std::string finish(ObjectId root, ObjectId info) &&;

 private:
  std::string out_;
  std::vector<std::size_t> offsets_;  // by number - 1; 0: not written
};

// Compresses for the filter FlateDecode.
std::string deflated(std::string_view bytes);

}  // namespace guildhall::pdf
