#include "features/reports/report_csv.h"

namespace guildhall::csv {

bool is_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
}

void append_text(std::string& out, std::string_view text) {
  const bool formula = is_formula(text);
  if (!formula && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  if (formula) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace guildhall::csv
