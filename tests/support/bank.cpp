#include "support/bank.h"

#include <fmt/format.h>
#include <functional>
#include <set>
#include <thread>

#include "support/bank_client.h"
#include "support/test_server.h"

namespace guildhall::test {
namespace {

const std::string fund = "/api/admin/community-fund";
constexpr std::size_t violations_shown_max = 20;
constexpr std::chrono::seconds patience{30};

struct LedgerRow {
  std::string customer, source, reason;
  std::int64_t sequence, change, balance;
  std::string tenant;
};

}  // namespace

std::string bank_tenant(int number) {
  return fmt::format("bank{}", number);
}

void Bank::violated(std::string what) {
  const std::lock_guard lock(mutex_);
  if (violations_.size() < violations_shown_max) violations_.push_back(std::move(what));
}

std::vector<std::string> Bank::violations() const {
  const std::lock_guard lock(mutex_);
  return violations_;
}

std::string Bank::summary() const {
  const std::lock_guard lock(mutex_);
  std::map<Outcome, int> outcomes;
  for (const Operation& operation : log_) ++outcomes[operation.outcome];
  return fmt::format("{} ok, {} failed, {} unknown, {} sent twice, {} reads", outcomes[Outcome::ok],
                     outcomes[Outcome::failed], outcomes[Outcome::unknown], duplicates_.load(), reads_.load());
}

// Signs in, once for all clients of the tenant whose session ended at the same time. Waits while the server is down.
Bank::Cookies Bank::sign_in(int tenant, const Cookies& stale) {
  Tenant& entry = tenants_[tenant];
  const std::lock_guard lock(entry.mutex);
  if (entry.cookies != stale) return entry.cookies;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    try {
      HttpClient client(port_);
      const HttpReply reply =
          client.post("/auth/local/login", fmt::format(R"({{"username":"admin","password":"{}","tenantId":"{}"}})",
                                                       admin_password, bank_tenant(tenant)));
      if (reply.status == 200) {
        return entry.cookies = client.cookies;
      }
    } catch (const std::runtime_error&) {
      // The server is being restarted.
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // a sign-in costs the server a password check
  }
  violated("nobody could sign in for 30 seconds");
  return entry.cookies;
}

HttpReply Bank::call(int tenant, const std::string& method, const std::string& path, const std::string& body) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    HttpClient client(port_);
    client.cookies = tenants_[tenant].cookies;  // no client runs at this time
    HttpHeaders headers;
    if (!body.empty()) headers.emplace_back("Content-Type", "application/json");
    HttpReply reply = client.send(method, path, body, headers);
    if (reply.status < 300) return reply;
    if (reply.status == 401) {
      sign_in(tenant, client.cookies);
    } else if (reply.status != 503) {
      throw std::runtime_error(path + ": " + reply.body);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw std::runtime_error(path + " does not answer");
}

void Bank::open() {
  for (int tenant = 0; tenant < bank_tenants; ++tenant) {
    call(tenant, "PUT", fund + "/config", R"({"enabled":true})");
    tenants_[tenant].recipient =
        call(tenant, "POST", "/api/data/customer", R"({"chatId":"1","chatUsername":"u","chatDisplayName":"d"})")
            .text("/id");
  }
}

void Bank::work(std::chrono::milliseconds duration, const std::function<void()>& disturb) {
  std::vector<std::jthread> clients;
  for (int number = 0; number < bank_clients; ++number) {
    clients.emplace_back([this, number] {
      try {
        Client(*this, number).work();
      } catch (const std::exception& error) {
        violated(std::string("a client gave up: ") + error.what());
      }
    });
  }
  const auto deadline = std::chrono::steady_clock::now() + duration;
  while (std::chrono::steady_clock::now() < deadline) disturb();
  stopping_ = true;
}

void Bank::check() {
  std::vector<Operation> operations;
  {
    const std::lock_guard lock(mutex_);
    operations = log_;
  }
  for (int tenant = 0; tenant < bank_tenants; ++tenant) check_tenant(tenant, operations);
}

void Bank::check_tenant(int tenant, const std::vector<Operation>& operations) {
  std::vector<LedgerRow> rows;  // newest first
  std::string cursor;
  do {
    const HttpReply page =
        call(tenant, "GET", fund + "/ledger?limit=200" + (cursor.empty() ? "" : "&cursor=" + cursor));
    for (std::size_t i = 0; i < page.size("/items"); ++i) {
      const std::string item = fmt::format("/items/{}/", i);
      rows.push_back({page.text(item + "customerId"), page.text(item + "source"), page.text(item + "reason"),
                      page.integer(item + "sequence"), page.integer(item + "changeCents"),
                      page.integer(item + "balanceCents"), page.text(item + "tenantId")});
    }
    cursor = page.text("/nextCursor");
  } while (!cursor.empty());

  // The amounts in the ledger, by the id that the client gave to the operation.
  std::map<std::string, std::vector<std::int64_t>> found;
  std::int64_t balance = 0, sequence = 0;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    balance += row->change;
    const std::string place = fmt::format("{}, entry {}", bank_tenant(tenant), row->sequence);
    if (row->sequence != ++sequence) violated(place + ": a gap");
    if (row->balance != balance) violated(place + ": the running balance is wrong");
    if (balance < 0) violated(place + ": the balance is below zero");
    if (row->tenant != bank_tenant(tenant)) violated(place + ": belongs to another tenant");
    const std::string id = row->reason.empty() ? row->customer : row->reason;
    if (!id.starts_with(bank_tenant(tenant) + "-")) violated(place + ": was meant for another tenant: " + id);
    found[id + (row->source == "REFUND" ? " refund" : "")].push_back(row->change);
  }
  const HttpReply totals = call(tenant, "GET", fund + "/balance");
  if (totals.integer("/currentBalanceCents") != balance) violated(bank_tenant(tenant) + ": the balance is not the sum");
  if (totals.integer("/totalContributedCents") - totals.integer("/totalDisbursedCents") != balance) {
    violated(bank_tenant(tenant) + ": the totals do not add up");
  }

  for (const Operation& operation : operations) {
    if (operation.tenant != tenant) continue;
    const bool takes = operation.kind == Kind::disburse || operation.kind == Kind::refund;
    const auto entry = found.find(operation.id + (operation.kind == Kind::refund ? " refund" : ""));
    const std::size_t times = entry == found.end() ? 0 : entry->second.size();
    if (operation.outcome == Outcome::ok && times != 1)
      violated(fmt::format("{} was ok, {} times", operation.id, times));
    if (operation.outcome == Outcome::failed && times != 0) violated(operation.id + " failed but happened");
    if (operation.outcome == Outcome::unknown && times > 1) violated(operation.id + " happened twice");
    if (times > 0 && entry->second.front() != (takes ? -operation.cents : operation.cents)) {
      violated(operation.id + " happened with another amount");
    }
    if (entry != found.end()) found.erase(entry);
  }
  if (!found.empty())
    violated(fmt::format("{}: entries that nobody asked for, such as {}", bank_tenant(tenant), found.begin()->first));
}

}  // namespace guildhall::test
