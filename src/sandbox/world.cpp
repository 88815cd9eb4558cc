#include "sandbox/world.h"

#include <random>

#include "base/crypto.h"
#include "base/failure.h"
#include "sandbox/billing.h"
#include "sandbox/chat_platform.h"
#include "sandbox/processor.h"
#include "sandbox/shipping.h"

namespace guildhall::sandbox {
namespace {

constexpr std::chrono::seconds first_pause{1};
constexpr int attempts_max = 7;  // the last one is about a minute after the first
constexpr std::chrono::milliseconds health_ms_max{2000};
constexpr std::size_t waiting_max = 1000;

// Rarely while the server answers, since every request is a line of its log.
constexpr std::chrono::seconds pause_while_reachable{15}, pause_while_unreachable{1};

bool is_worth_retrying(int status) {
  return status == 0 || status == 408 || status == 429 || status >= 500;
}

}  // namespace

World::World(Options given, boost::asio::io_context& loop, WorkerPool& workers)
    : options(std::move(given)),
      loop(loop),
      workers(workers),
      background(loop),
      mailbox(loop, [this] { touch(); }),
      chat(std::make_unique<ChatPlatform>(*this)),
      processors(all_processors(*this)),
      shipping(std::make_unique<Shipping>(*this)),
      billing(std::make_unique<Billing>(*this)) {
  parties.push_back(chat.get());
  for (const auto& processor : processors) parties.push_back(processor.get());
  parties.push_back(shipping.get());
  parties.push_back(billing.get());
  if (options.sends) background.start(watch());
}

World::~World() = default;

std::string World::url(std::string_view path) const {
  return fmt::format("http://127.0.0.1:{}{}", port, path);
}

Task<Delivered> World::deliver(Webhook webhook) {
  if (!options.sends) {
    if (waiting.size() >= waiting_max) waiting.pop_front();
    waiting.push_back(std::move(webhook));
    co_return Delivered{};
  }
  if (delivery.delay.count() > 0) {
    background.start(send_delayed(std::move(webhook), delivery.delay));
    co_return Delivered{};
  }
  if (!delivery.reversed) co_return co_await attempt(std::move(webhook));
  if (!held_) {
    held_.emplace(std::move(webhook));
    co_return Delivered{};
  }
  const Webhook earlier = std::move(*held_);
  held_.reset();
  const Delivered delivered = co_await attempt(std::move(webhook));
  co_await attempt(earlier);
  co_return delivered;
}

void World::deliver_later(Webhook webhook) {
  background.start([](World& world, Webhook webhook) -> Task<> {
    if (world.options.sends) co_await world.take_time();  // usually longer than the answer to the call that caused it
    co_await world.deliver(std::move(webhook));
  }(*this, std::move(webhook)));
}

// Between half and three halves of the delay.
Task<> World::take_time() const {
  const std::int64_t delay = options.delay.count();
  if (delay == 0) co_return;
  static std::minstd_rand numbers(std::random_device{}());
  co_await pause_for(std::chrono::milliseconds(delay / 2 + static_cast<std::int64_t>(numbers()) % (delay + 1)));
}

Task<Delivered> World::attempt(Webhook webhook) {
  const outbound::Reply reply = co_await send(webhook.party, options.server + webhook.path, webhook.body);
  if (is_worth_retrying(reply.status)) background.start(send_again(std::move(webhook)));
  co_return Delivered{reply.ok(), reply.status};
}

Task<> World::send_again(Webhook webhook) {
  std::chrono::seconds pause = first_pause;
  for (int attempts = 1; attempts < attempts_max; ++attempts, pause *= 2) {
    co_await pause_for(pause);
    const outbound::Reply reply =
        co_await send(webhook.party, options.server + webhook.path, webhook.party.body_of_repetition(webhook.body));
    if (!is_worth_retrying(reply.status)) co_return;
  }
}

Task<> World::send_delayed(Webhook webhook, std::chrono::seconds delay) {
  co_await pause_for(delay);
  co_await attempt(std::move(webhook));
}

Task<outbound::Reply> World::send(const Party& party, std::string url, std::string body) {
  Headers headers = party.signature(url, body);
  Call call{.at = now(),
            .outgoing = true,
            .party = party.name,
            .method = "POST",
            .url = url,
            .request_headers = headers,
            .request_body = body,
            .signature_header = headers.front().first};
  headers.emplace_back("Content-Type", "application/json");
  const auto began = std::chrono::steady_clock::now();
  outbound::Reply reply;
  try {
    reply = co_await outbound::send(
        workers, {.method = "POST", .url = std::move(url), .headers = std::move(headers), .body = std::move(body)});
  } catch (const Failure& too_many) {
    reply.error = too_many.sentence;
  }
  call.took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  call.status = reply.status;
  call.response_body = reply.status == 0 ? reply.error : reply.body;
  calls.add(std::move(call));
  set_reachable(reply.status != 0);
  touch();
  co_return reply;
}

void World::set_delivery(const DeliveryRule& rule) {
  delivery = rule;
  if (!held_) return;
  background.start(send_delayed(std::move(*held_), std::chrono::seconds(0)));
  held_.reset();
}

Party* World::find_party(std::string_view name) {
  const auto found = std::ranges::find(parties, name, &Party::name);
  return found == parties.end() ? nullptr : *found;
}

void World::set_reachable(bool reachable) {
  if (std::exchange(server_reachable, reachable) != reachable) touch();
}

Task<> World::watch() {
  while (true) {
    // Whether the server answers is not a call of a party, so it is not logged.
    bool answers = false;
    try {
      answers =
          (co_await outbound::send(workers, {.url = options.server + "/healthz", .total_ms_max = health_ms_max})).ok();
    } catch (const Failure&) {
      // Too many calls wait.
    }
    set_reachable(answers);
    for (const auto& processor : processors) {
      for (Webhook& webhook : processor->expire_overdue()) deliver_later(std::move(webhook));
    }
    co_await pause_for(server_reachable ? pause_while_reachable : pause_while_unreachable);
  }
}

std::string random_text(std::size_t length, std::string_view characters) {
  std::string text = random_bytes(length);
  for (char& c : text) c = characters[static_cast<unsigned char>(c) % characters.size()];
  return text;
}

}  // namespace guildhall::sandbox
