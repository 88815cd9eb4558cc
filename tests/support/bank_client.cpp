#include "support/bank_client.h"

#include <fmt/format.h>
#include <future>
#include <thread>

namespace guildhall::test {
namespace {

const std::string fund_path = "/api/admin/community-fund";

void wait_briefly() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

}  // namespace

Bank::Client::Client(Bank& bank, int number)
    : bank_(bank),
      number_(number),
      tenant_(number % bank_tenants),
      generator_(static_cast<unsigned>(number)),
      client_(bank.port_),
      second_(bank.port_) {}

void Bank::Client::work() {
  while (!bank_.stopping_) {
    const int dice = random_(generator_);
    Operation operation{.id = fmt::format("{}-{}-{}", bank_tenant(tenant_), number_, ++count_),
                        .tenant = tenant_,
                        .kind = Kind::contribute,
                        .cents = 1 + random_(generator_),
                        .outcome = Outcome::unknown,
                        .order = ""};
    if (dice < 15) {
      read();
      continue;
    }
    if (dice < 55) {
      operation.kind = Kind::disburse;
      operation.cents *= 2;  // often more than the balance, so that the guard has to refuse
    } else if (dice < 70) {
      operation.kind = Kind::order;
    } else if (dice < 80 && !refundable_.empty()) {
      operation = refundable_.back();
      operation.kind = Kind::refund;
      refundable_.pop_back();
    }
    perform(std::move(operation));
  }
}

// Sends an operation. A fifth of all operations are sent twice, half of those at the same time. Half of the operations
// without an answer are repeated, too.
void Bank::Client::perform(Operation operation) {
  const bool twice = chance(20), at_once = chance(50);
  std::string other_order;
  std::future<Outcome> other;
  if (twice && at_once) {
    other = std::async(std::launch::async, [&] { return attempt(second_, operation, other_order); });
  }
  Outcome outcome = attempt(client_, operation, operation.order);
  if (other.valid()) {
    const Outcome second = other.get();
    if (operation.order.empty()) operation.order = other_order;
    if (second == Outcome::ok || outcome == Outcome::ok) {
      outcome = Outcome::ok;
    } else if (second == Outcome::unknown) {
      outcome = Outcome::unknown;
    }
  }
  if ((twice && !at_once) || (outcome == Outcome::unknown && chance(50))) repeat(operation, outcome, operation.order);
  if (twice) ++bank_.duplicates_;
  if (outcome == Outcome::unknown) wait_briefly();  // do not flood a server that is starting again
  operation.outcome = outcome;
  if (operation.kind == Kind::order && outcome == Outcome::ok) refundable_.push_back(operation);
  const std::lock_guard lock(bank_.mutex_);
  bank_.log_.push_back(std::move(operation));
}

// Sends an operation again. A refused one may succeed now, and one with an unknown outcome may still be carried out:
// only ok is final.
void Bank::Client::repeat(const Operation& operation, Outcome& outcome, std::string& order) {
  const Outcome again = attempt(client_, operation, order);
  if (again == Outcome::ok) outcome = Outcome::ok;
  if (again == Outcome::unknown && outcome == Outcome::failed) outcome = Outcome::unknown;
}

Bank::Outcome Bank::Client::attempt(HttpClient& client, const Operation& operation, std::string& order) {
  while (true) {
    std::optional<HttpReply> reply;
    try {
      reply = send(client, operation);
    } catch (const std::runtime_error&) {
      client.disconnect();
      return Outcome::unknown;
    }
    if (!reply) {
      if (bank_.stopping_) return Outcome::unknown;
      wait_briefly();
    } else if (reply->status == 401) {
      client.cookies = bank_.sign_in(tenant_, client.cookies);
    } else {
      return judge(operation, *reply, order);
    }
  }
}

// Returns nullopt if the server cannot be reached.
std::optional<HttpReply> Bank::Client::send(HttpClient& client, const Operation& operation) {
  try {
    client.connect();
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  const HttpHeaders key = {{"Idempotency-Key", operation.id}};
  switch (operation.kind) {
    case Kind::contribute:
      return client.post(fund_path + "/contributions",
                         fmt::format(R"({{"customerId":"{}","amountCents":{}}})", operation.id, operation.cents), key);
    case Kind::disburse:
      return client.post(fund_path + "/disbursements",
                         fmt::format(R"({{"recipientCustomerId":"{}","amountCents":{},"reason":"{}"}})",
                                     bank_.tenants_[tenant_].recipient, operation.cents, operation.id),
                         key);
    case Kind::order:
      return client.post(
          "/api/data/order",
          fmt::format(R"({{"orderNumber":"{0}","customer":{{"name":"{0}"}},"customerId":"{0}","status":"PAID",
          "items":[{{"productId":"community-fund","name":"Gift","sku":"G","quantity":1,"unitPriceCents":{1}}}]}})",
                      operation.id, operation.cents),
          key);
    case Kind::refund:
      return client.patch("/api/data/order/" + operation.order, R"({"status":"REFUNDED"})");
  }
  return std::nullopt;
}

Bank::Outcome Bank::Client::judge(const Operation& operation, const HttpReply& reply, std::string& order) {
  if (reply.status == 200 || reply.status == 201) {
    if (operation.kind == Kind::order) order = reply.text("/id");
    return Outcome::ok;
  }
  if (reply.status == 503) return Outcome::unknown;
  if (reply.status == 400 && reply.code() == "INSUFFICIENT_BALANCE") return Outcome::failed;
  bank_.violated(fmt::format("unexpected answer to {}: {} {}", operation.id, reply.status, reply.body));
  return Outcome::unknown;
}

// Reads the balance and the newest part of the ledger. Each must be consistent at any time.
void Bank::Client::read() {
  try {
    const HttpReply balance = client_.get(fund_path + "/balance");
    if (balance.status == 401) client_.cookies = bank_.sign_in(tenant_, client_.cookies);
    if (balance.status != 200) return wait_briefly();
    const std::int64_t left = balance.integer("/currentBalanceCents");
    if (left < 0) bank_.violated(fmt::format("a balance below zero was read: {}", left));
    if (left != balance.integer("/totalContributedCents") - balance.integer("/totalDisbursedCents")) {
      bank_.violated("a balance that does not add up was read: " + balance.body);
    }
    const HttpReply ledger = client_.get(fund_path + "/ledger?limit=20");
    if (ledger.status != 200) return wait_briefly();
    for (std::size_t i = 0; i + 1 < ledger.size("/items"); ++i) {
      const std::string item = fmt::format("/items/{}", i), before = fmt::format("/items/{}", i + 1);
      if (ledger.integer(item + "/balanceCents") !=
          ledger.integer(before + "/balanceCents") + ledger.integer(item + "/changeCents")) {
        bank_.violated("a ledger that does not run was read at " + ledger.text(item + "/id"));
      }
      if (ledger.text(item + "/tenantId") != bank_tenant(tenant_)) bank_.violated("a row of another tenant was read");
    }
    ++bank_.reads_;
  } catch (const std::runtime_error&) {
    client_.disconnect();
    wait_briefly();
  }
}

}  // namespace guildhall::test
