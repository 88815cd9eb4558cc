#include "features/payments/processors/processor_list.h"

#include <gtest/gtest.h>
#include <set>

namespace guildhall {
namespace {

TEST(ProcessorList, has_one_descriptor_for_each_provider_but_the_manual_one) {
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<PaymentProvider>>([](auto each) {
    if (each.value == PaymentProvider::MANUAL) return;
    EXPECT_EQ(descriptor_of(each.value).provider, each.value) << each.name;
  });
  EXPECT_THROW(descriptor_of(PaymentProvider::MANUAL), std::logic_error);
}

TEST(ProcessorList, names_each_processor_differently) {
  std::set<PaymentProvider> providers;
  std::set<PaymentMethod> methods;
  std::set<WebhookProvider> webhook_providers;
  std::set<std::string_view> paths, variables;
  std::size_t values = 0;
  for (const ProcessorDescriptor* each : processor_list) {
    providers.insert(each->provider);
    methods.insert(each->method);
    webhook_providers.insert(each->webhook_provider);
    paths.insert(each->path_name);
    variables.insert(each->address.variable);
    ++values;
    for (const MethodValue& value : each->values) {
      if (value.variable.empty()) continue;
      variables.insert(value.variable);
      ++values;
    }
  }
  const std::size_t count = std::size(processor_list);
  EXPECT_EQ(providers.size(), count);
  EXPECT_EQ(methods.size(), count);
  EXPECT_EQ(webhook_providers.size(), count);
  EXPECT_EQ(paths.size(), count);
  EXPECT_EQ(variables.size(), values);
}

TEST(ProcessorList, finds_processors_by_method_and_path) {
  for (const char* path : {"wallet", "apppay", "crypto-commerce", "crypto-gateway"}) {
    const auto* found = find_processor_by_path(path);
    ASSERT_NE(found, nullptr) << path;
    EXPECT_EQ(find_processor(found->method), found);
  }
  EXPECT_EQ(find_processor_by_path("WALLET"), nullptr);
  EXPECT_EQ(find_processor_by_path("manual"), nullptr);
  EXPECT_EQ(find_processor(PaymentMethod::CASH), nullptr);
}

TEST(ProcessorList, lets_only_processors_refund_whose_payments_can_be_read_first) {
  for (const ProcessorDescriptor* each : processor_list) {
    EXPECT_TRUE(each->refunds == RefundSupport::none || each->polling) << each->path_name;
    EXPECT_FALSE(each->label.empty());
  }
}

TEST(ProcessorList, has_every_method_once_in_the_list_of_all_methods) {
  const auto all = all_payment_methods();
  EXPECT_EQ(std::set<PaymentMethod>(all.begin(), all.end()).size(), all.size());
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<PaymentMethod>>([&](auto each) {
    EXPECT_EQ(std::count(all.begin(), all.end(), each.value), 1) << each.name;
    EXPECT_FALSE(label_of(each.value).empty()) << each.name;
  });
}

}  // namespace
}  // namespace guildhall
