#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "support/http_client.h"

// The bank test: many clients pay into and out of the community funds of several tenants, while a function causes
// crashes. Every operation is logged with the outcome that the client knows. At every read, and at the end, the ledgers
// must be consistent and must agree with the log.
namespace guildhall::test {

constexpr int bank_tenants = 8;
constexpr int bank_clients = 32;

std::string bank_tenant(int number);

class Bank {
 public:
  explicit Bank(std::uint16_t port) : port_(port) {}

  // Signs in to every tenant, enables its fund, and creates a recipient.
  void open();

  // Runs the clients for that time and calls `disturb` repeatedly until the time has passed.
  void work(std::chrono::milliseconds duration, const std::function<void()>& disturb);

  // Compares the ledgers with the log. Must be called after all clients have ended.
  void check();

  // The descriptions of all violations that were found; empty if there are none.
  std::vector<std::string> violations() const;
  std::string summary() const;

 private:
  enum class Kind { contribute, disburse, order, refund };
  enum class Outcome { ok, failed, unknown };
  struct Operation {
    std::string id;
    int tenant = 0;
    Kind kind = Kind::contribute;
    std::int64_t cents = 0;
    Outcome outcome = Outcome::unknown;
    std::string order;  // the order's id, if there is an order
  };
  struct Tenant {
    std::mutex mutex;
    std::map<std::string, std::string> cookies;
    std::string recipient;
  };
  class Client;

  using Cookies = std::map<std::string, std::string>;
  Cookies sign_in(int tenant, const Cookies& stale);
  HttpReply call(int tenant, const std::string& method, const std::string& path, const std::string& body = "");
  void check_tenant(int tenant, const std::vector<Operation>& operations);
  void violated(std::string what);

  std::uint16_t port_;
  Tenant tenants_[bank_tenants];
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;
  std::vector<Operation> log_;
  std::vector<std::string> violations_;
  std::atomic<int> reads_ = 0, duplicates_ = 0;
};

}  // namespace guildhall::test
