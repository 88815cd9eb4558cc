#include "features/changes/change.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace guildhall {
namespace {

constexpr std::size_t hash_characters = 8;
constexpr int reconnect_ms = 2000;

// Records that a caller with data.read may read. Every other kind needs admin.access.
constexpr std::array<std::string_view, 7> data_entities{"product", "customer",    "discount", "order",
                                                        "refund",  "entitlement", "shipment"};

// Changes of these records may take a caller's access away.
constexpr std::array<std::string_view, 4> access_entities{"grants", "user", "token", "tenant"};

bool contains(std::span<const std::string_view> entities, std::string_view entity) {
  return std::find(entities.begin(), entities.end(), entity) != entities.end();
}

}  // namespace

ChangePosition ChangePosition::of(const ChainHead& head) {
  return {head.sequence, head.hash.substr(0, hash_characters)};
}

std::optional<ChangePosition> ChangePosition::parse(std::string_view id) {
  const std::size_t dash = id.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  ChangePosition position{.sequence = 0, .hash = std::string(id.substr(dash + 1))};
  const auto [end, error] = std::from_chars(id.data(), id.data() + dash, position.sequence);
  if (error != std::errc() || end != id.data() + dash || position.sequence < 0) return std::nullopt;
  return position;
}

std::string ChangePosition::id() const {
  return fmt::format("{}-{}", sequence, hash);
}

EncodedChange encoded(const SealedChange& change) {
  const ChangePosition position = ChangePosition::of({change.sequence, change.hash});
  const LiveChange data{.entity = change.subject,
                        .id = change.subject_id,
                        .action = change.action,
                        .version = change.version,
                        .at = change.at,
                        .actor = {change.actor_kind, change.actor_id}};
  return {.position = position,
          .is_data = contains(data_entities, change.subject),
          .affects_access = contains(access_entities, change.subject),
          .text = fmt::format("id: {}\nevent: change\ndata: {}\n\n", position.id(), to_json(data))};
}

std::string reload_event(const ChangePosition& position) {
  return fmt::format("id: {}\nevent: reload\ndata: {{}}\n\n", position.id());
}

std::string opening(const ChangePosition& position) {
  return fmt::format("retry: {}\nid: {}\n\n", reconnect_ms, position.id());
}

std::string heartbeat(const ChangePosition& position) {
  return fmt::format(": heartbeat\nid: {}\n\n", position.id());
}

}  // namespace guildhall
