#pragma once

#include "features/payments/processors/processor.h"

// The list of processors. A new one is declared and listed here; everything else about it is in its own file.
namespace guildhall {

extern const ProcessorDescriptor wallet_processor, apppay_processor, crypto_commerce_processor, btc_gateway_processor;

// In the order in which the API and the invoice page list their methods.
inline constexpr const ProcessorDescriptor* processor_list[] = {&wallet_processor, &apppay_processor,
                                                                &crypto_commerce_processor, &btc_gateway_processor};

// One member of every descriptor, in the order of the list.
template <class T>
std::vector<T> of_each_processor(T ProcessorDescriptor::*member) {
  std::vector<T> all;
  for (const ProcessorDescriptor* each : processor_list) all.push_back(each->*member);
  return all;
}

// Throws std::logic_error for MANUAL, which has no processor.
const ProcessorDescriptor& descriptor_of(PaymentProvider provider);

const ProcessorDescriptor* find_processor(PaymentMethod method);           // null: a manual method
const ProcessorDescriptor* find_processor_by_path(std::string_view name);  // null: there is no such processor

// One object for each processor of the list.
class Processors {
 public:
  Processors(const PaymentConfig& config, WorkerPool& certificate_fetches);
  const Processor& of(PaymentProvider provider) const { return *all_.at(provider); }

 private:
  std::map<PaymentProvider, std::unique_ptr<Processor>> all_;
};

}  // namespace guildhall
