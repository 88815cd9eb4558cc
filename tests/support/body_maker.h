#pragma once

#include <string>
#include <vector>

#include "api/route.h"

namespace guildhall::test {

// Makes bodies from a route's own description of them: every required field with a value that its type allows, and
// every field that names a record (`customerId`, `productIds`, however deep) with the id given. Texts are new each
// time, of the form gen-<number>-x.
class BodyMaker {
 public:
  explicit BodyMaker(const api::Route& route);

  bool has_body() const { return !schema_.empty(); }
  bool names_records() const { return names_records_; }
  std::string make(const std::string& id);

 private:
  std::string schema_;
  std::map<std::string, std::string> components_;
  bool names_records_ = false;
};

// Whether a field of that name holds the id, or the ids, of records.
bool names_a_record(std::string_view key);

}  // namespace guildhall::test
