#include "features/payments/methods/payment_method.h"

#include "features/payments/processors/processor_list.h"

namespace guildhall {
namespace {

struct ManualLabel {
  PaymentMethod method;
  std::string_view label;
};

constexpr ManualLabel manual_methods[] = {
    {btc_manual_method, "Bitcoin transfer"}, {p2p_method, "Direct transfer"}, {cash_method, "Cash"}};

constexpr MethodValue manual_values[] = {{"instructions", "", ValueKind::setting, MethodNeed::nothing},
                                         {"showOnInvoice", "", ValueKind::setting, MethodNeed::nothing}};

}  // namespace

const std::vector<PaymentMethod>& PaymentMethods::all() {
  static const std::vector<PaymentMethod> methods = [] {
    auto list = of_each_processor(&ProcessorDescriptor::method);
    for (const ManualLabel& each : manual_methods) list.push_back(each.method);
    return list;
  }();
  return methods;
}

bool has_processor(PaymentMethod method) {
  return find_processor(method) != nullptr;
}

std::string_view label_of(PaymentMethod method) {
  if (const auto* processor = find_processor(method)) return processor->label;
  for (const ManualLabel& each : manual_methods) {
    if (each.method == method) return each.label;
  }
  return "";
}

std::span<const MethodValue> values_of_method(PaymentMethod method) {
  const auto* processor = find_processor(method);
  return processor != nullptr ? processor->values : manual_values;
}

void apply(const PaymentSettingsPatch& patch, PaymentSettings& settings) {
  patch.store_id.apply_to(settings.store_id);
  patch.expiration_minutes.apply_to(settings.expiration_minutes);
  patch.webhook_id.apply_to(settings.webhook_id);
  patch.location_id.apply_to(settings.location_id);
  patch.notification_url.apply_to(settings.notification_url);
  patch.instructions.apply_to(settings.instructions);
  patch.show_on_invoice.apply_to(settings.show_on_invoice);
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
        if (value.kind != ValueKind::setting || field.key != value.key) continue;
        std::string text;
        field.encode(text, &settings);
        if (text != "null") object.key(field.key) += text;
      }
    }
  })};
}

}  // namespace guildhall
