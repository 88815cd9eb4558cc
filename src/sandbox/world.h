#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/task.h"
#include "base/worker_pool.h"
#include "outbound/http_client.h"
#include "sandbox/call_log.h"
#include "sandbox/faults.h"
#include "sandbox/mailbox.h"
#include "sandbox/party.h"
#include "sandbox/secrets.h"

namespace guildhall::sandbox {

class Billing;
class ChatPlatform;
class Processor;
class Shipping;

struct Options {
  Secrets secrets;
  std::uint16_t port = 8099;                     // 0: any free port
  std::uint16_t mail_port = 0;                   // of the mailbox; 0: there is none
  std::string server = "http://127.0.0.1:8080";  // the server that uses the sandbox
  std::string tenant = "default";                // of webhooks of parties that do not name a tenant
  std::string guild = "100000000000000001";      // the id of the chat server
  std::string commands = "[]";                   // the bot's commands until it publishes others; JSON
  std::chrono::milliseconds delay{0};  // about the time after which a party answers, and then sends its events
  bool sends = true;                   // false: webhooks wait in World::waiting, and nothing is sent
};

// An event of a party for the server.
struct Webhook {
  const Party& party;
  std::string path;  // of the server
  std::string body;
};

struct Delivered {
  bool delivered = false;
  int status = 0;  // 0: there was no reply, or the webhook waits
};

// How webhooks of all parties are sent.
struct DeliveryRule {
  bool reversed = false;  // every second webhook is sent before the one that came before it
  std::chrono::seconds delay{0};
};

// All parties with their state. Used on one loop only.
class World {
 public:
  World(Options options, boost::asio::io_context& loop, WorkerPool& workers);
  ~World();

  // An address of the sandbox, for people and for the server.
  std::string url(std::string_view path) const;

  // Must be called after every change that GET /sandbox/state shows.
  void touch() { ++version; }

  // Sends the webhook as the rule says. One that fails is sent again later, as real providers do: returns the result of
  // the first attempt.
  Task<Delivered> deliver(Webhook webhook);
  void deliver_later(Webhook webhook);

  // Waits as long as a party takes to answer.
  Task<> take_time() const;

  // Sends a signed call of the party to the server, and logs it.
  Task<outbound::Reply> send(const Party& party, std::string url, std::string body);

  // Replaces the rule. A webhook that is held back is sent now.
  void set_delivery(const DeliveryRule& rule);

  Party* find_party(std::string_view name);  // null: unknown

  const Options options;
  boost::asio::io_context& loop;
  WorkerPool& workers;
  Background background;
  std::uint16_t port = 0;
  const Instant started = now();
  std::uint64_t version = 1;
  bool server_reachable = false;
  CallLog calls;
  Faults faults;
  DeliveryRule delivery;
  Mailbox mailbox;
  bool refunds_wait = false;    // a refund is pending until a person completes it or lets it fail
  std::deque<Webhook> waiting;  // where Options::sends is false; the newest ones

  std::unique_ptr<ChatPlatform> chat;
  std::vector<std::unique_ptr<Processor>> processors;
  std::unique_ptr<Shipping> shipping;
  std::unique_ptr<Billing> billing;
  std::vector<Party*> parties;  // all of these

 private:
  Task<Delivered> attempt(Webhook webhook);
  Task<> send_again(Webhook webhook);
  Task<> send_delayed(Webhook webhook, std::chrono::seconds delay);
  void set_reachable(bool reachable);
  Task<> watch();  // the server, and the time of payments

  std::optional<Webhook> held_;  // while the order is reversed
};

// A random text of these characters.
std::string random_text(std::size_t length, std::string_view characters);

inline constexpr std::string_view digits_and_capitals = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
inline constexpr std::string_view base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

}  // namespace guildhall::sandbox
