#include "features/delivery/deliverable.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/crypto.h"
#include "base/url.h"

namespace guildhall {
namespace {

// Without 0, 1, I, L and O, which people confuse.
constexpr std::string_view key_letters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
constexpr std::size_t random_places_min = 12;  // a key must not be guessed

char random_one_of(std::string_view characters) {
  while (true) {
    const auto number = static_cast<unsigned char>(random_bytes(1)[0]);
    const std::size_t fair = 256 - 256 % characters.size();  // each character is as likely as the others
    if (number < fair) return characters[number % characters.size()];
  }
}

bool is_guessable(const std::string& pattern) {
  return static_cast<std::size_t>(std::ranges::count(pattern, 'X')) < random_places_min;
}

}  // namespace

bool has_keys(const Deliverable& deliverable) {
  return deliverable.kind == DeliverableKind::KEY_POOL || deliverable.kind == DeliverableKind::KEY_GENERATED;
}

void check(const Deliverable& deliverable) {
  std::vector<Problem> problems;
  const auto only_if = [&](bool fits, bool is_given, std::string_view field, std::string_view sentence) {
    if (is_given && !fits) problems.push_back({std::string(field), std::string(sentence)});
  };
  const bool is_link = deliverable.kind == DeliverableKind::LINK, is_text = deliverable.kind == DeliverableKind::TEXT;
  const bool is_generated = deliverable.kind == DeliverableKind::KEY_GENERATED;
  only_if(is_link || is_text, deliverable.content.value.has_value(), "content", "is only for a link or a text");
  if ((is_link || is_text) && !deliverable.content.value) problems.push_back({"content", "is required"});
  if (is_link && deliverable.content.value && !is_http_url(*deliverable.content.value)) {
    problems.push_back({"content", "must be an http or https address"});
  }
  only_if(is_generated, deliverable.pattern.has_value(), "pattern", "is only for generated keys");
  if (is_generated && deliverable.pattern && is_guessable(*deliverable.pattern)) {
    problems.push_back({"pattern", fmt::format("must have at least {} X", random_places_min)});
  }
  if (is_generated && deliverable.pattern && !is_visible_ascii(*deliverable.pattern)) {
    problems.push_back({"pattern", "must consist of visible ASCII characters"});
  }
  only_if(has_keys(deliverable), deliverable.activations_max.has_value(), "activationsMax", "is only for keys");
  if (!problems.empty()) throw invalid_fields(std::move(problems));
}

std::int64_t keys_for(const Deliverable& deliverable, std::int64_t units) {
  if (!has_keys(deliverable)) return 0;
  return deliverable.per == DeliveredPer::UNIT ? units : 1;
}

std::string make_key(const std::string& pattern) {
  std::string key = pattern;
  for (char& c : key) {
    if (c == 'X') c = random_one_of(key_letters);
  }
  return key;
}

std::string hint_of_key(std::string_view key) {
  constexpr std::size_t shown = 4;
  return std::string(key.size() > 3 * shown && is_visible_ascii(key) ? key.substr(key.size() - shown) : "");
}

std::string content_context(const Deliverable& deliverable) {
  return fmt::format("deliverable/{}/{}", deliverable.tenant_id.text(), deliverable.id.text());
}

std::string key_context(const TenantId& tenant, const DeliveryKeyId& key) {
  return fmt::format("delivery-key/{}/{}", tenant.text(), key.text());
}

}  // namespace guildhall
