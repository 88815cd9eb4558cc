#pragma once

#include <boost/crc.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace guildhall::test {

inline std::uint32_t crc32_of(std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return crc.checksum();
}

// Changes letters of the run of `A` in `text` until its CRC32 is `wanted`. CRC32 is linear: every changed bit changes
// the checksum by a fixed pattern, so that the bits to change are found by elimination.
inline std::string with_checksum(std::string text, std::uint32_t wanted) {
  struct Row {
    std::uint32_t pattern;
    std::vector<std::size_t> bits;  // the changes that make up the pattern
  };
  const std::uint32_t start = crc32_of(text);
  const std::size_t run = text.find("AAAAAAAAAAAAAAAA");
  std::vector<Row> rows;  // each with a leading bit that no other has
  const auto reduce = [&rows](Row row) {
    for (const Row& known : rows) {
      if ((row.pattern ^ known.pattern) >= row.pattern) continue;
      row.pattern ^= known.pattern;
      row.bits.insert(row.bits.end(), known.bits.begin(), known.bits.end());
    }
    return row;
  };
  const auto flip = [&text, run](std::size_t bit) { text[run + bit / 4] ^= static_cast<char>(1 << bit % 4); };
  for (std::size_t bit = 0; bit < 64; ++bit) {  // four bits of each of 16 letters: from '@' to 'O'
    flip(bit);
    const Row row = reduce({crc32_of(text) ^ start, {bit}});
    flip(bit);
    if (row.pattern == 0) continue;
    rows.push_back(row);
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.pattern > b.pattern; });
  }
  const Row solution = reduce({wanted ^ start, {}});
  if (solution.pattern != 0) throw std::logic_error("the checksum cannot be reached");
  for (const std::size_t bit : solution.bits) flip(bit);
  return text;
}

}  // namespace guildhall::test
