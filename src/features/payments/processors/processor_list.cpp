#include "features/payments/processors/processor_list.h"

#include <algorithm>

namespace guildhall {
namespace {

template <class Test>
const ProcessorDescriptor* find_if(Test test) {
  const auto found =
      std::find_if(std::begin(processor_list), std::end(processor_list), [&](const auto* each) { return test(*each); });
  return found == std::end(processor_list) ? nullptr : *found;
}

}  // namespace

const std::vector<PaymentProvider>& PaymentProviders::all() {
  static const std::vector<PaymentProvider> providers = [] {
    auto list = of_each_processor(&ProcessorDescriptor::provider);
    list.push_back(manual_provider);
    return list;
  }();
  return providers;
}

const std::vector<WebhookProvider>& WebhookProviders::all() {
  static const std::vector<WebhookProvider> providers = [] {
    auto list = of_each_processor(&ProcessorDescriptor::webhook_provider);
    list.insert(list.end(), {chat_webhooks, billing_webhooks, shipping_webhooks});
    return list;
  }();
  return providers;
}

const ProcessorDescriptor& descriptor_of(PaymentProvider provider) {
  const auto* found = find_if([&](const ProcessorDescriptor& each) { return each.provider == provider; });
  if (found == nullptr) throw std::logic_error("this provider has no processor");
  return *found;
}

const ProcessorDescriptor* find_processor(PaymentMethod method) {
  return find_if([&](const ProcessorDescriptor& each) { return each.method == method; });
}

const ProcessorDescriptor* find_processor_by_path(std::string_view name) {
  return find_if([&](const ProcessorDescriptor& each) { return each.path_name == name; });
}

Processors::Processors(const PaymentConfig& config, WorkerPool& certificate_fetches) {
  for (const ProcessorDescriptor* each : processor_list) all_[each->provider] = each->make(config, certificate_fetches);
}

}  // namespace guildhall
