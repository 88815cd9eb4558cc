#include "http/accept.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace guildhall::http {
namespace {

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

double weight_of(std::string_view parameters) {
  const std::size_t at = parameters.find("q=");
  if (at == std::string_view::npos) return 1;
  return std::strtod(std::string(parameters.substr(at + 2)).c_str(), nullptr);
}

// The weight of the most specific range that covers the media type.
double weight_of_type(std::string_view accept, std::string_view type) {
  const std::string group = std::string(type.substr(0, type.find('/'))) + "/*";
  for (const std::string_view range : {type, std::string_view(group), std::string_view("*/*")}) {
    if (const double weight = weight_in(accept, range); weight >= 0) return weight;
  }
  return 0;
}

}  // namespace

double weight_in(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::string_view part = header.substr(0, header.find(','));
    header.remove_prefix(std::min(header.size(), part.size() + 1));
    const std::size_t end = std::min(part.find(';'), part.size());
    if (trimmed(part.substr(0, end)) == name) return weight_of(part.substr(end));
  }
  return -1;
}

bool prefers_html(std::string_view accept) {
  return weight_of_type(accept, "text/html") > weight_of_type(accept, "application/json");
}

}  // namespace guildhall::http
