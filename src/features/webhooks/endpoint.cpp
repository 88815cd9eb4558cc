#include "features/webhooks/endpoint.h"

#include "base/address.h"
#include "outbound/http_client.h"

namespace guildhall {
namespace {

// The host of an address that is known to be well-formed; without the brackets of an IPv6 address.
std::string_view host_of(std::string_view url) {
  const std::size_t start = url.find("://") + 3;
  std::string_view host = url.substr(start, url.find_first_of("/?#", start) - start);
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

bool is_event_pattern(std::string_view text, const EndpointRules& rules) {
  return text == "*" || std::ranges::any_of(rules.event_names, [&](std::string_view event) {
           return text == event || text == event_group(event);
         });
}

std::vector<std::string> checked_events(const std::vector<Text<100>>& names, const EndpointRules& rules,
                                        std::vector<Problem>& problems) {
  std::vector<std::string> events;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_event_pattern(names[i].value, rules)) {
      problems.push_back(
          {fmt::format("events[{}]", i), "must be the name of an event, a pattern such as order.*, or *"});
    } else if (std::find(events.begin(), events.end(), names[i].value) == events.end()) {
      events.push_back(names[i]);
    }
  }
  return events;
}

void enable(WebhookEndpoint& endpoint, bool enabled, Instant now) {
  if (endpoint.enabled == enabled) return;
  endpoint.enabled = enabled;
  endpoint.failing_since.reset();
  endpoint.disabled_at.reset();
  endpoint.disabled_reason.reset();
  if (!enabled) endpoint.disabled_at = now;
}

}  // namespace

void check_target(const std::string& url, TargetRule rule, std::string_view field, std::vector<Problem>& problems) {
  if (rule == TargetRule::any) return;
  if (!has_scheme(url, "https://")) {
    problems.push_back({std::string(field), "must begin with https://"});
    return;
  }
  const std::string_view host = host_of(url);
  if (host == "localhost" || (AddressRange::parse(host) && !outbound::is_public_address(host))) {
    problems.push_back({std::string(field), "must lead to a public address"});
  }
}

std::string event_group(std::string_view event) {
  return fmt::format("{}.*", event.substr(0, event.find('.')));
}

WebhookEndpoint endpoint_from(const NewWebhookEndpoint& input, const TenantId& tenant, const EndpointRules& rules,
                              Instant now) {
  std::vector<Problem> problems;
  check_target(input.url, rules.targets, "url", problems);
  WebhookEndpoint endpoint;
  endpoint.id = WebhookEndpointId::make(now);
  endpoint.tenant_id = tenant;
  endpoint.url = input.url;
  endpoint.description = input.description;
  endpoint.events = checked_events(input.events, rules, problems);
  if (!problems.empty()) throw invalid_fields(std::move(problems));
  endpoint.created_at = now;
  endpoint.updated_at = now;
  endpoint.version = {1};
  enable(endpoint, input.enabled, now);
  return endpoint;
}

void apply(const WebhookEndpointPatch& patch, WebhookEndpoint& endpoint, const EndpointRules& rules, Instant now) {
  std::vector<Problem> problems;
  if (patch.url) check_target(*patch.url, rules.targets, "url", problems);
  patch.url.apply_to(endpoint.url);
  patch.description.apply_to(endpoint.description);
  if (patch.events) endpoint.events = checked_events(*patch.events, rules, problems);
  if (!problems.empty()) throw invalid_fields(std::move(problems));
  if (patch.enabled) enable(endpoint, *patch.enabled, now);
}

void replace_secret(WebhookEndpoint& endpoint, std::string sealed, Instant now) {
  endpoint.previous_secret.value = std::exchange(endpoint.secret.value, std::move(sealed));
  endpoint.previous_secret_until.value = now + previous_secret_kept;
}

}  // namespace guildhall
