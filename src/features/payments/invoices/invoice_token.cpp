#include "features/payments/invoices/invoice_token.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <stdexcept>

#include "base/encoding.h"

namespace guildhall {
namespace {

constexpr std::string_view version = "1";
constexpr std::size_t token_characters_max = 1000;
constexpr std::size_t parts = 6;  // version, key id, tenant, order, expiry, generation

bool is_key_id(std::string_view text) {
  return !text.empty() && text.size() <= 32 && is_tenant_id(text);
}

std::string derived_id(std::string_view secret) {
  return hex(HmacSha256(secret).sign("guildhall invoice link key id")).substr(0, 8);
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::array<std::string_view, parts>> split(std::string_view payload) {
  std::array<std::string_view, parts> found;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t bar = payload.find('|');
    if ((bar == std::string_view::npos) != (i == parts - 1)) return std::nullopt;
    found[i] = payload.substr(0, bar);
    payload.remove_prefix(std::min(payload.size(), found[i].size() + 1));
  }
  return found;
}

}  // namespace

InvoiceSigner::InvoiceSigner(std::string_view secrets) {
  while (!secrets.empty()) {
    std::string_view secret = secrets.substr(0, secrets.find(','));
    secrets.remove_prefix(std::min(secrets.size(), secret.size() + 1));
    while (secret.starts_with(' ')) secret.remove_prefix(1);
    while (secret.ends_with(' ')) secret.remove_suffix(1);
    if (secret.empty()) continue;
    const std::size_t colon = secret.find(':');
    const bool named =
        colon != std::string_view::npos && is_key_id(secret.substr(0, colon)) && colon + 1 < secret.size();
    std::string id = named ? std::string(secret.substr(0, colon)) : derived_id(secret);
    if (key(id) != nullptr) throw std::runtime_error("INVOICE_LINK_SIGNING_SECRET has the key id twice: " + id);
    keys_.push_back({std::move(id), std::make_unique<HmacSha256>(named ? secret.substr(colon + 1) : secret)});
  }
}

const InvoiceSigner::Key* InvoiceSigner::key(std::string_view id) const {
  for (const Key& each : keys_) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

std::string InvoiceSigner::sign(const InvoiceLink& link) const {
  const Key& signing = keys_.front();
  const std::string payload = base64url(fmt::format("{}|{}|{}|{}|{}|{}", version, signing.id, link.tenant.text(),
                                                    link.order.text(), link.expires_at.ms, link.generation));
  return payload + "." + base64url(signing.hmac->sign(payload));
}

std::optional<InvoiceLink> InvoiceSigner::verify(std::string_view token) const {
  const std::size_t dot = token.find('.');
  if (token.size() > token_characters_max || dot == std::string_view::npos) return std::nullopt;
  const auto payload = from_base64url(token.substr(0, dot)), signature = from_base64url(token.substr(dot + 1));
  if (!payload || !signature) return std::nullopt;
  const auto said = split(*payload);
  if (!said || (*said)[0] != version) return std::nullopt;
  const Key* signing = key((*said)[1]);
  if (signing == nullptr || !signing->hmac->verify(token.substr(0, dot), *signature)) return std::nullopt;
  const auto expiry = number((*said)[4]), generation = number((*said)[5]);
  if (!expiry || !generation) return std::nullopt;
  return InvoiceLink{TenantId((*said)[2]), OrderId((*said)[3]), {*expiry}, *generation};
}

}  // namespace guildhall
