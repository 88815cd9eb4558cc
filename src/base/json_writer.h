#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// JSON text is written by appending to a string.
namespace guildhall::json {

// A thread's own buffer to write in, for whoever then copies the text to its exact size: it need not grow anew each
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

}  // namespace guildhall::json
