#include "pdf/objects.h"

#include <fmt/format.h>
#include <stdexcept>
#include <unistr.h>
#include <zlib.h>

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall::pdf {

std::string reference(ObjectId id) {
  return fmt::format("{} 0 R", id.number);
}

std::string references(std::span<const ObjectId> ids) {
  std::string text = "[";
  for (const ObjectId id : ids) text.append(text.size() > 1 ? " " : "").append(reference(id));
  return text + "]";
}

std::string text_object(std::string_view utf8) {
  std::string text = "<FEFF";
  const auto* at = reinterpret_cast<const std::uint8_t*>(utf8.data());
  const auto* end = at + utf8.size();
  while (at < end) {
    ucs4_t value = 0;
    at += u8_mbtouc(&value, at, static_cast<std::size_t>(end - at));
    if (value < 0x10000) {
      fmt::format_to(std::back_inserter(text), "{:04X}", value);
    } else {
      fmt::format_to(std::back_inserter(text), "{:04X}{:04X}", 0xD800 + ((value - 0x10000) >> 10),
                     0xDC00 + ((value - 0x10000) & 0x3FF));
    }
  }
  return text + ">";
}

std::string number(double value) {
  std::string text = fmt::format("{:.3f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int result =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  if (result != Z_OK) throw std::runtime_error("zlib cannot compress.");
  out.resize(size);
  return out;
}

// The comment of the second line says that the file contains bytes above 127.
Objects::Objects() : out_("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n") {}

ObjectId Objects::reserve() {
  offsets_.push_back(0);
  return {static_cast<int>(offsets_.size())};
}

void Objects::write(ObjectId id, std::string_view body) {
  offsets_[static_cast<std::size_t>(id.number) - 1] = out_.size();
  fmt::format_to(std::back_inserter(out_), "{} 0 obj\n{}\nendobj\n", id.number, body);
}

ObjectId Objects::add(std::string_view body) {
  const ObjectId id = reserve();
  write(id, body);
  return id;
}

ObjectId Objects::add_stream(std::string_view entries, std::string_view bytes) {
  return add_uncompressed_stream(fmt::format("/Filter /FlateDecode {}", entries), deflated(bytes));
}

ObjectId Objects::add_uncompressed_stream(std::string_view entries, std::string_view bytes) {
  return add(fmt::format("<< /Length {} {} >>\nstream\n{}\nendstream", bytes.size(), entries, bytes));
}

std::string Objects::finish(ObjectId root, ObjectId info) && {
  const Sha256 hash = sha256(out_);
  const std::string id = hex(std::span(hash).first(16));
  const std::size_t table = out_.size();
  auto append = std::back_inserter(out_);
  fmt::format_to(append, "xref\n0 {}\n0000000000 65535 f \n", offsets_.size() + 1);
  for (const std::size_t offset : offsets_) fmt::format_to(append, "{:010} 00000 n \n", offset);
  fmt::format_to(append, "trailer\n<< /Size {} /Root {} /Info {} /ID [<{}> <{}>] >>\nstartxref\n{}\n%%EOF\n",
                 offsets_.size() + 1, reference(root), reference(info), id, id, table);
  return std::move(out_);
}

}  // namespace guildhall::pdf
