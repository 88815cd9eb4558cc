#include "features/payments/processors/processor_list.h"

#include <gtest/gtest.h>
#include <set>

namespace guildhall {
namespace {

TEST(ProcessorList, has_one_descriptor_for_each_provider_but_the_manual_one) {
  for (const PaymentProvider each : PaymentProvider::all()) {
    if (each != manual_provider) EXPECT_EQ(descriptor_of(each).provider, each) << each.name();
  }
  EXPECT_EQ(PaymentProvider::all().size(), std::size(processor_list) + 1);
  EXPECT_THROW(descriptor_of(manual_provider), std::logic_error);
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
  EXPECT_EQ(find_processor(cash_method), nullptr);
}

TEST(ProcessorList, lets_only_processors_refund_whose_payments_can_be_read_first) {
  for (const ProcessorDescriptor* each : processor_list) {
    EXPECT_TRUE(each->refunds == RefundSupport::none || each->polling) << each->path_name;
    EXPECT_FALSE(each->label.empty());
    EXPECT_FALSE(each->product.empty());
    EXPECT_TRUE(each->keys_url.starts_with("https://")) << each->keys_url;
  }
}

TEST(ProcessorList, has_every_method_once_in_the_list_of_all_methods) {
  const auto& all = PaymentMethod::all();
  EXPECT_EQ(std::set<PaymentMethod>(all.begin(), all.end()).size(), all.size());
  for (const PaymentMethod each : all) {
    EXPECT_EQ(named<PaymentMethod>(each.name()), each);
    EXPECT_FALSE(label_of(each).empty()) << each.name();
  }
}

// These names are part of the API and stored in databases.
TEST(ProcessorList, gives_the_api_the_names_of_its_processors) {
  EXPECT_EQ(names_of<PaymentMethod>(), "WALLET, APPPAY, CRYPTO_COMMERCE, BTC_GATEWAY, BTC_MANUAL, P2P, CASH");
  EXPECT_EQ(names_of<PaymentProvider>(), "WALLET, APPPAY, CRYPTO_COMMERCE, CRYPTO_GATEWAY, MANUAL");
  EXPECT_EQ(names_of<WebhookProvider>(), "WALLET, APPPAY, CRYPTO_COMMERCE, CRYPTO_GATEWAY, CHAT, BILLING, SHIPPING");
  EXPECT_EQ(named<PaymentMethod>("PAYPAL"), std::nullopt);
  EXPECT_EQ(named<PaymentMethod>(""), std::nullopt);
}

}  // namespace
}  // namespace guildhall
