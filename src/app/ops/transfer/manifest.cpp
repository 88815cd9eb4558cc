#include "app/ops/transfer/manifest.h"

#include <charconv>
#include <fstream>
#include <sstream>

#include "base/decoder.h"

namespace guildhall {
namespace {

std::uint64_t hexadecimal(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc() || end != text.data() + text.size()) throw std::runtime_error("a checksum is not a number");
  return number;
}

void decode_manifest(JsonValue json, Manifest& manifest) {
  manifest.tenant = TenantId(json["tenant"].get_string().value());
  for (const auto [name, table] : json["tables"].get_object().value()) {
    RowSum& sum = manifest.tables[std::string(name)];
    sum.rows = table["rows"].get_int64().value();
    sum.sum = hexadecimal(table["sum"].get_string().value());
  }
}

}  // namespace

std::int64_t Manifest::rows() const {
  std::int64_t all = 0;
  for (const auto& [name, sum] : tables) all += std::clamp<std::int64_t>(sum.rows, 0, 1'000'000'000'000);
  return all;
}

Manifest read_manifest(const std::filesystem::path& folder) {
  std::ifstream file(folder / "manifest.json", std::ios::binary);
  if (!file) throw std::runtime_error("there is no manifest.json in " + folder.string());
  std::stringstream text;
  text << file.rdbuf();
  Manifest manifest;
  try {
    decode_stored(text.str(), [&](JsonValue json, Decoder&) { decode_manifest(json, manifest); });
  } catch (const std::exception&) {
    throw std::runtime_error("manifest.json is not one that export has written");
  }
  if (!is_tenant_id(manifest.tenant.text())) throw std::runtime_error("manifest.json names no tenant");
  return manifest;
}

}  // namespace guildhall
