#include "features/payments/payment_method.h"

namespace guildhall {
namespace {

constexpr MethodValue wallet_values[] = {
    {"webhookId", "WALLET_WEBHOOK_ID", false, MethodNeed::webhooks},
    {"clientId", "WALLET_CLIENT_ID", true, MethodNeed::opening},
    {"clientSecret", "WALLET_CLIENT_SECRET", true, MethodNeed::opening},
};
constexpr MethodValue apppay_values[] = {
    {"locationId", "APPPAY_LOCATION_ID", false, MethodNeed::opening},
    {"notificationUrl", "", false, MethodNeed::nothing},
    {"accessToken", "APPPAY_ACCESS_TOKEN", true, MethodNeed::opening},
    {"webhookSecret", "APPPAY_WEBHOOK_SECRET", true, MethodNeed::webhooks},
};
constexpr MethodValue crypto_commerce_values[] = {
    {"apiKey", "CRYPTO_COMMERCE_API_KEY", true, MethodNeed::opening},
    {"webhookSecret", "CRYPTO_COMMERCE_WEBHOOK_SECRET", true, MethodNeed::webhooks},
};
constexpr MethodValue btc_gateway_values[] = {
    {"storeId", "CRYPTO_GATEWAY_STORE_ID", false, MethodNeed::opening},
    {"expirationMinutes", "", false, MethodNeed::nothing},
    {"apiKey", "CRYPTO_GATEWAY_API_KEY", true, MethodNeed::opening},
    {"webhookSecret", "CRYPTO_GATEWAY_WEBHOOK_SECRET", true, MethodNeed::webhooks},
};
constexpr MethodValue manual_values[] = {{"instructions", "", false, MethodNeed::nothing}};

}  // namespace

bool has_processor(PaymentMethod method) {
  return method <= PaymentMethod::BTC_GATEWAY;
}

std::string_view label_of(PaymentMethod method) {
  switch (method) {
    case PaymentMethod::WALLET:
      return "Pay with your online wallet";
    case PaymentMethod::APPPAY:
      return "Pay with card or app";
    case PaymentMethod::CRYPTO_COMMERCE:
      return "Pay with cryptocurrency";
    case PaymentMethod::BTC_GATEWAY:
      return "Pay with Bitcoin";
    case PaymentMethod::BTC_MANUAL:
      return "Bitcoin transfer";
    case PaymentMethod::P2P:
      return "Direct transfer";
    case PaymentMethod::CASH:
      return "Cash";
  }
  return "";
}

std::span<const MethodValue> values_of_method(PaymentMethod method) {
  switch (method) {
    case PaymentMethod::WALLET:
      return wallet_values;
    case PaymentMethod::APPPAY:
      return apppay_values;
    case PaymentMethod::CRYPTO_COMMERCE:
      return crypto_commerce_values;
    case PaymentMethod::BTC_GATEWAY:
      return btc_gateway_values;
    case PaymentMethod::BTC_MANUAL:
    case PaymentMethod::P2P:
    case PaymentMethod::CASH:
      return manual_values;
  }
  return {};
}

std::string_view base_url_variable(PaymentMethod method) {
  switch (method) {
    case PaymentMethod::WALLET:
      return "WALLET_BASE_URL";
    case PaymentMethod::APPPAY:
      return "APPPAY_BASE_URL";
    case PaymentMethod::CRYPTO_COMMERCE:
      return "CRYPTO_COMMERCE_BASE_URL";
    case PaymentMethod::BTC_GATEWAY:
      return "CRYPTO_GATEWAY_BASE_URL";
    default:
      return "";
  }
}

void apply(const PaymentSettingsPatch& patch, PaymentSettings& settings) {
  patch.store_id.apply_to(settings.store_id);
  patch.expiration_minutes.apply_to(settings.expiration_minutes);
  patch.webhook_id.apply_to(settings.webhook_id);
  patch.location_id.apply_to(settings.location_id);
  patch.notification_url.apply_to(settings.notification_url);
  patch.instructions.apply_to(settings.instructions);
}

void apply(const PaymentCredentialsPatch& patch, PaymentCredentials& credentials) {
  patch.api_key.apply_to(credentials.api_key);
  patch.webhook_secret.apply_to(credentials.webhook_secret);
  patch.client_id.apply_to(credentials.client_id);
  patch.client_secret.apply_to(credentials.client_secret);
  patch.access_token.apply_to(credentials.access_token);
}

JsonObject shown_settings(PaymentMethod method, const PaymentSettings& settings) {
  return {json::write_object([&](json::ObjectWriter& object) {
    for (const MethodValue& value : values_of_method(method)) {
      for (const Field& field : fields_of<PaymentSettings>()) {
        if (value.secret || field.key != value.key) continue;
        std::string text;
        field.encode(text, &settings);
        if (text != "null") object.key(field.key) += text;
      }
    }
  })};
}

}  // namespace guildhall
