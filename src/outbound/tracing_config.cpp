#include "outbound/tracing_config.h"

#include "base/ascii.h"
#include "base/config_values.h"

namespace guildhall::outbound {
namespace {

// name=value, separated by commas.
std::vector<std::pair<std::string, std::string>> parse_headers(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> headers;
  while (!text.empty()) {
    const std::string_view entry = trim(text.substr(0, text.find(',')));
    text.remove_prefix(std::min(text.size(), text.find(',') == text.npos ? text.size() : text.find(',') + 1));
    const std::size_t equals = entry.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
      throw std::invalid_argument("must be a list of name=value, separated by commas");
    }
    headers.emplace_back(trim(entry.substr(0, equals)), trim(entry.substr(equals + 1)));
  }
  return headers;
}

}  // namespace

std::vector<VariableOf<TracingConfig>> TracingConfig::variables() {
  return {
      {"OTLP_ENDPOINT", "", &TracingConfig::otlp_endpoint, parse_base_url,
       "The address of an OpenTelemetry collector: traces are sent to its `/v1/traces` as OTLP/HTTP with JSON; default "
       "none."},
      {"OTLP_HEADERS", "", &TracingConfig::otlp_headers, parse_headers,
       "Headers for the collector, `name=value` separated by commas.", Exposure::secret},
      {"TRACE_REQUESTS", "all", &TracingConfig::trace_requests, parse_sample,
       "Which requests are traced: `all`, `off` or a share such as `1/100`. A request with a `traceparent` is traced "
       "only if its caller traces it, too."},
  };
}

}  // namespace guildhall::outbound
