#pragma once

#include <string>
#include <vector>

#include "app/ops/transfer/row_check.h"

namespace guildhall {

// The rows of an export that import refuses, as sentences for the operator.
class Refusals {
 public:
  void add(std::string sentence);
  void add(const Table& table, const Table::Values& row, const Problems& problems);

  bool empty() const { return sentences_.empty(); }
  void clear();

  // One line for each, at most a hundred.
  std::string text() const;

 private:
  std::vector<std::string> sentences_;
  std::int64_t more_ = 0;
};

}  // namespace guildhall
