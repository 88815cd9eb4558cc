#pragma once

#include <span>
#include <string_view>

namespace guildhall {

// Bytes that the linker has embedded in the binary, from `begin` up to `end`.
struct EmbeddedBytes {
  const char* begin = nullptr;
  const char* end = nullptr;

  bool present() const { return begin != nullptr; }
  std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

// A file of a built web application. A compressed form is missing if it would not be smaller.
struct EmbeddedFile {
  std::string_view path;  // assets/index-1a2b3c.js
  EmbeddedBytes plain;
  EmbeddedBytes gzip;
  EmbeddedBytes brotli;
};

// The files of web/console and web/docs. Empty if the binary was built without them.
std::span<const EmbeddedFile> console_files();
std::span<const EmbeddedFile> docs_files();

}  // namespace guildhall
