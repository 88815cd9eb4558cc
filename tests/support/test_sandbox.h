#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sandbox/guild.h"
#include "sandbox/processor.h"
#include "sandbox/sandbox.h"
#include "support/http_client.h"

namespace guildhall::test {

// The secrets of all sandboxes of this process, since the wallet's key takes a while to make.
const sandbox::Secrets& sandbox_secrets();

// A webhook of a party, signed. The test sends it.
struct SignedWebhook {
  std::string path;
  std::string body;
  HttpHeaders headers;
};

// The sandbox in this process, for a server that uses its parties over HTTP. It sends no webhooks by itself: a test
// takes them and sends them, so that it knows when the server has taken them.
class TestSandbox {
 public:
  static constexpr std::string_view server = "https://shop.test";  // the public address of the server

  explicit TestSandbox(const std::string& guild = "9001");
  TestSandbox(const TestSandbox&) = delete;
  TestSandbox& operator=(const TestSandbox&) = delete;

  // The variables of a server that uses the sandbox, or those of one party: with the operator's accounts, or with the
  // addresses alone.
  std::map<std::string, std::string> environment(std::string_view prefix = "") const;
  std::map<std::string, std::string> addresses() const;

  std::uint16_t port() const { return sandbox_->port(); }
  std::string url(std::string_view path) const { return sandbox_->url(path); }
  static std::string secret(std::string_view name) { return sandbox_secrets().of(name); }

  // Refuses all further connections, like servers that are down.
  void stop() { sandbox_.reset(); }

  // Runs `work(World&)` on the sandbox's thread and returns its result.
  template <class Work>
  auto run(Work work) const {
    using Result = std::invoke_result_t<Work&, sandbox::World&>;
    if constexpr (std::is_void_v<Result>) {
      sandbox_->run([&](sandbox::World& world) { work(world); });
    } else {
      std::optional<Result> result;
      sandbox_->run([&](sandbox::World& world) { result.emplace(work(world)); });
      return std::move(*result);
    }
  }

  // The calls that a party has answered, oldest first. With a path (below the party's) only those for it, where `*`
  // stands for any part.
  std::vector<sandbox::Call> calls(const std::string& party, const std::string& path = "") const;

  // How many calls have arrived at the party, those without an answer included.
  std::int64_t arrived(const std::string& party) const;

  void forget_calls() const;

  // Switches a fault on until recover(). With a path it is a fault of these calls only.
  void fail(const std::string& party, sandbox::Fault fault) const;
  void fail(const std::string& party, sandbox::FaultKind kind, const std::string& path = "") const;

  // Lets the party answer like this until recover(), for replies that its rules do not lead to.
  void answer(const std::string& party, const std::string& path, int status, const std::string& body) const;
  void recover(const std::string& party) const;

  // Carries out an action of a person on a payment: pay, payPart, overpay, payLate, expire … Returns the webhooks that
  // announce it.
  std::vector<SignedWebhook> act(const std::string& payment, std::string_view action,
                                 std::optional<std::int64_t> cents = {}) const;

  // Adds a payment that the server did not open, paid in full, with the transaction `<id>-T`.
  void add_paid(const std::string& party, const std::string& id, const std::string& order, std::int64_t cents,
                const std::string& currency) const;

  sandbox::Payment payment(const std::string& id) const;
  std::string last_payment(const std::string& party) const;  // its id; empty: there is none
  int payments(const std::string& party) const;
  std::string checkout_url(const std::string& payment) const { return url("/checkout/" + payment); }

  // Takes the webhooks that the parties wanted to send by themselves, for example after a capture.
  std::vector<SignedWebhook> take_webhooks() const;

  // A webhook with any body, signed as the party signs. `path` is the server's.
  SignedWebhook sign(const std::string& party, const std::string& path, const std::string& body) const;

  // Agrees on the platform's page to the sign-in with this authorization URL, as this member. Returns the code.
  std::string consent(const std::string& authorization_url, const std::string& member) const;

  // A new member `User <id>` of the guild. The name is `user<id>`.
  void add_member(const std::string& id) const;
  void add_channel(const std::string& id) const;
  void add_role(const std::string& id) const;

 private:
  std::unique_ptr<sandbox::Sandbox> sandbox_;
};

// The value of a header of a call; empty when there is none.
std::string header_of(const sandbox::Call& call, std::string_view name);

}  // namespace guildhall::test
