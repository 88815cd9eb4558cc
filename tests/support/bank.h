#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "support/http_client.h"

// The bank test: many clients put money into and take it out of the community funds of several tenants, while somebody
// breaks things. Every operation is logged with what the client knows of its outcome; afterwards, and at every read,
// the ledgers must agree with the log and with themselves.
namespace guildhall::test {

constexpr int bank_tenants = 8;
constexpr int bank_clients = 32;

std::string bank_tenant(int number);

class Bank {
 public:
  explicit Bank(std::uint16_t port) : port_(port) {}

  // Signs in everywhere, enables the funds, and makes a recipient in each.
  void open();

  // Serves the clients for that long, beside `disturb`, which is called again and again until the time is over.
  void work(std::chrono::milliseconds duration, const std::function<void()>& disturb);

  // After everything has come to rest: holds the ledgers against the log.
  void check();

  // What was seen that must not be, each with its place. Empty is good.
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
    std::string order;  // the order's id, where there is one
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
