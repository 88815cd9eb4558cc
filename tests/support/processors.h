#pragma once

#include <fmt/format.h>
#include <map>
#include <mutex>
#include <string>

#include "base/json_lookup.h"
#include "support/stand_in.h"

namespace guildhall::test {

// A stand-in for a crypto gateway (BTCPay's Greenfield API, store "store", key "key"). The test sets the state of its
// invoices.
class GatewayStandIn {
 public:
  GatewayStandIn() {
    stand_in.on("POST", "/api/v1/stores/store/invoices", [this](const StandInRequest& r) { return create(r); });
    stand_in.on("GET", "/api/v1/stores/store/invoices/*", [this](const StandInRequest& r) { return read(r); });
  }

  // Sets the status of the invoice; `extra` are further members, beginning with a comma.
  void set(const std::string& id, const std::string& status, const std::string& extra = "") {
    const std::lock_guard lock(mutex_);
    invoices_[id].status = status;
    invoices_[id].extra = extra;
  }

  // Sets the JSON list of the invoice's payment methods.
  void set_methods(const std::string& id, const std::string& list) {
    const std::lock_guard lock(mutex_);
    invoices_[id].methods = list;
  }

  // Adds an invoice that the server did not open.
  void add(const std::string& id, const std::string& order, const std::string& amount, const std::string& currency) {
    const std::lock_guard lock(mutex_);
    invoices_[id] = {order, amount, currency, "Settled", "", "[]"};
  }

  std::string last_id() const {
    const std::lock_guard lock(mutex_);
    return fmt::format("inv{}", created_);
  }
  int created() const {
    const std::lock_guard lock(mutex_);
    return created_;
  }

  StandIn stand_in;
  std::chrono::milliseconds creation_takes{0};
  std::string methods = "[]";  // the payment methods of new invoices

 private:
  struct Invoice {
    std::string order, amount, currency, status, extra, methods;
  };

  StandInReply create(const StandInRequest& request) {
    if (request.header("authorization") != "token key") return {.status = 401, .body = "{}"};
    const auto body = JsonLookup::parse(request.body);
    const std::lock_guard lock(mutex_);
    const std::string id = fmt::format("inv{}", ++created_);
    invoices_[id] = {
        body->text("/metadata/orderId"), body->text("/amount"), body->text("/currency"), "New", "", methods};
    StandInReply reply = shown(id);
    reply.delay = creation_takes;
    return reply;
  }

  StandInReply read(const StandInRequest& request) {
    constexpr std::string_view of_methods = "/payment-methods";
    std::string_view path = request.path;
    const bool asks_for_methods = path.ends_with(of_methods);
    if (asks_for_methods) path.remove_suffix(of_methods.size());
    const std::string id(path.substr(path.rfind('/') + 1));
    const std::lock_guard lock(mutex_);
    if (!invoices_.contains(id)) return {.status = 404, .body = "{}"};
    return asks_for_methods ? StandInReply{.body = invoices_[id].methods} : shown(id);
  }

  StandInReply shown(const std::string& id) {
    const Invoice& invoice = invoices_[id];
    return {
        .body = fmt::format(
            R"({{"id":"{}","checkoutLink":"{}","amount":"{}","currency":"{}","status":"{}","metadata":{{"orderId":"{}"}},)"
            R"("createdTime":1,"expirationTime":4000000000{}}})",
            id, stand_in.url("/i/" + id), invoice.amount, invoice.currency, invoice.status, invoice.order,
            invoice.extra)};
  }

  mutable std::mutex mutex_;
  int created_ = 0;
  std::map<std::string, Invoice> invoices_;
};

}  // namespace guildhall::test
