#pragma once

#include <string>
#include <vector>

#include "api/route.h"

namespace guildhall::test {

// Makes bodies from the schema of a route: every required field has a valid value, and every field that names a record
// (`customerId`, `productIds`, at any depth) has the given id. Texts are new each time and have the form
// gen-<number>-x.
class BodyMaker {
 public:
  explicit BodyMaker(const api::Route& route);

  bool has_body() const { return !schema_.empty(); }
  const std::string& content_type() const { return content_type_; }
  bool names_records() const { return names_records_; }
  std::string make(const std::string& id);

 private:
  std::string schema_;
  std::string content_type_ = "application/json";
  std::string bytes_;  // the body of a route that takes pictures
  std::map<std::string, std::string> components_;
  bool names_records_ = false;
};

// True if a field of that name contains the id or the ids of records.
bool names_a_record(std::string_view key);

}  // namespace guildhall::test
