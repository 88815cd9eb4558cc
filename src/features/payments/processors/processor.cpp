#include "features/payments/processors/processor.h"

namespace guildhall {

ProcessorFailure not_sent(const std::string& reason) {
  ProcessorFailure failure(reason, true);
  failure.not_sent = true;
  return failure;
}

std::optional<Deposit> Processor::deposit(const Account&, const std::string&) const {
  return std::nullopt;
}

PaymentReport Processor::state(const Account&, const std::string&) const {
  throw std::logic_error("this processor cannot be asked about payments");
}

RefundProgress Processor::refund(const Account&, const Refunding&) const {
  throw std::logic_error("this processor cannot return money by itself");
}

RefundProgress Processor::refund_state(const Account&, const std::string&) const {
  throw std::logic_error("this processor cannot return money by itself");
}

std::optional<RefundReport> Processor::confirmed_refund(const Account&, const std::string&, const std::string&) const {
  throw std::logic_error("this processor's events are proven");
}

namespace {

using Parse = std::optional<JsonLookup>(std::string_view text);

JsonLookup call_and_parse(const Account& account, outbound::Request request, std::string_view path, Parse* parse) {
  if (!account.configured()) throw not_sent("the payment method is not configured");
  request.url = account.base_url + std::string(path);
  const outbound::Reply reply = outbound::send_now(request);
  const std::string what = fmt::format("{} {}", request.method, path);
  if (reply.status == 0) throw ProcessorFailure(fmt::format("{}: {}", what, reply.error), false);
  if (!reply.ok()) {
    const bool later = reply.status >= 500 || reply.status == 429 || reply.status == 408;
    throw ProcessorFailure(fmt::format("{}: status {}", what, reply.status), !later, reply.status);
  }
  auto answer = parse(reply.body);
  if (!answer) throw ProcessorFailure(what + ": the answer is not the JSON that was expected", false);
  return std::move(*answer);
}

}  // namespace

JsonLookup call_processor(const Account& account, outbound::Request request, std::string_view path) {
  return call_and_parse(account, std::move(request), path, JsonLookup::parse);
}

JsonLookup call_processor_for_list(const Account& account, outbound::Request request, std::string_view path) {
  return call_and_parse(account, std::move(request), path, JsonLookup::parse_list);
}

std::string required_text(const JsonLookup& answer, std::string_view pointer) {
  std::string value = answer.text(pointer);
  if (value.empty()) throw ProcessorFailure(fmt::format("the answer has no {}", pointer), false);
  return value;
}

}  // namespace guildhall
