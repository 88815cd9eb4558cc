#pragma once

#include <simdjson.h>
#include <string>

#include "support/http_client.h"

namespace guildhall::test {

// Compares replies with the server's /openapi.json.
class ApiSchema {
 public:
  explicit ApiSchema(const std::string& openapi_json);

  // Describes how the reply to that request differs from its description; empty if it does not. A status, a header or a
  // field that is not described counts as a difference.
  std::string mismatch(const std::string& method, const std::string& path, const HttpReply& reply) const;

 private:
  bool find_operation(const std::string& method, std::string_view path, simdjson::dom::element& found) const;
  std::string check(simdjson::dom::element schema, simdjson::dom::element value, const std::string& where) const;
  std::string check_object(simdjson::dom::element schema, simdjson::dom::object value, const std::string& where) const;

  simdjson::dom::parser parser_;
  simdjson::dom::element document_;
};

}  // namespace guildhall::test
