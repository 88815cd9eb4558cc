#pragma once

#include <simdjson.h>
#include <string>

#include "support/http_client.h"

namespace guildhall::test {

// The server's own /openapi.json, held against what it really answers.
class ApiSchema {
 public:
  explicit ApiSchema(const std::string& openapi_json);

  // What does not fit in a reply to that request; empty when all is well. Strict: a field that the schema does not
  // know does not fit.
  std::string mismatch(const std::string& method, const std::string& path, const HttpReply& reply) const;

 private:
  simdjson::dom::element operation(const std::string& method, std::string_view path) const;
  std::string check(simdjson::dom::element schema, simdjson::dom::element value, const std::string& where) const;
  std::string check_object(simdjson::dom::element schema, simdjson::dom::object value, const std::string& where) const;

  simdjson::dom::parser parser_;
  simdjson::dom::element document_;
};

}  // namespace guildhall::test
