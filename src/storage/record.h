#pragma once

#include "base/failure.h"
#include "storage/columns.h"

// Rules for writing any record.
namespace guildhall {

constexpr std::size_t record_bytes_max = 256 * 1024;

// The number of bytes of a record's visible text: strings, and lists and objects as JSON. A payload that is stored as
// received has its own limit and does not count.
template <Declared T>
std::size_t text_bytes(const T& record) {
  std::size_t bytes = 0;
  boost::mp11::mp_for_each<detail::Members<T>>([&](auto member) {
    using M = std::remove_cvref_t<decltype(record.*member.pointer)>;
    if constexpr (!Codec<M>::hidden && !std::is_same_v<M, RawJson> && !std::is_same_v<M, std::optional<RawJson>>) {
      const Value value = Column<M>::write(record.*member.pointer);
      if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
    }
  });
  return bytes;
}

inline Failure record_too_large() {
  return bad_request("RECORD_TOO_LARGE", fmt::format("The record would have more than {} bytes.", record_bytes_max));
}

// Throws RECORD_TOO_LARGE if a new record is larger than the limit.
template <Declared T>
void require_size(const T& record) {
  if (text_bytes(record) > record_bytes_max) throw record_too_large();
}

// Returns false if every column is the same, so that the change need not be written. Throws RECORD_TOO_LARGE if the
// change makes the record larger than the limit; a record that already is larger may be changed as long as it does not
// grow.
template <Declared T>
bool needs_write(const T& before, const T& after) {
  const std::vector<Value> values = values_of(after);
  if (values == values_of(before)) return false;
  std::size_t bytes = 0;
  for (const Value& value : values) {
    if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
  }
  if (bytes <= record_bytes_max) return true;
  bytes = text_bytes(after);
  if (bytes > record_bytes_max && bytes > text_bytes(before)) throw record_too_large();
  return true;
}

}  // namespace guildhall
