#include "features/chat/bot.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "features/chat_platform/chat_outbox.h"
#include "outbox/outbox.h"

namespace guildhall::chat {
namespace {

using Executor = boost::asio::io_context::executor_type;
using Timer = boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                                boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

constexpr std::chrono::milliseconds first_answer_within{1500};  // of the platform's three seconds

// Shared by the interaction, which waits for a limited time, and the work. Both run on one loop, so that no lock is
// needed.
struct PendingWork {
  PendingWork(const Executor& executor, std::chrono::milliseconds time_left) : done(executor, time_left) {}
  Timer done;             // cancelled when the work has ended
  bool deferred = false;  // the interaction was answered before the work ended
  std::optional<Message> message;
  std::exception_ptr failure;
};

struct LateEdit {
  TenantId tenant;
  InteractionAddress address;
  std::string fallback;  // an outbox message's id; may be empty
};

// The rest of the time for the first answer: part of it has passed since the request arrived.
std::chrono::milliseconds time_left(const CommandContext& context) {
  const std::chrono::milliseconds spent{now().ms - context.now.ms};
  return std::clamp(first_answer_within - spent, std::chrono::milliseconds(0), first_answer_within);
}

// Withdraws the fallback and queues the edit, if there is one. If the outbox has run the fallback before, that has
// queued the edit, and nothing is queued here.
Task<> finish(Database& db, const LateEdit& late, const std::optional<Message>& edit) {
  co_await db.write([&](Tx& tx) {
    const bool ours = late.fallback.empty() || outbox::withdraw(tx, late.tenant, late.fallback);
    const Instant at = now();
    if (ours && edit) queue_edit(tx, late.tenant, late.address, *edit, at, at);
  });
}

Task<> run_work(Database& db, std::shared_ptr<PendingWork> pending, LateEdit late,
                std::function<Task<Message>()> work) {
  std::optional<Message> message;
  try {
    message = co_await work();
  } catch (...) {
    pending->failure = std::current_exception();
  }
  pending->message = message;
  pending->done.cancel();
  if (!pending->deferred) {
    if (!late.fallback.empty()) co_await finish(db, late, std::nullopt);
    co_return;
  }
  const bool has_fallback = !late.fallback.empty();
  if (!message && !has_fallback) message = plain("Something went wrong on our side. Please try again in a moment.");
  if (message && can_be_edited(late.address)) co_await finish(db, late, message);
  if (pending->failure) std::rethrow_exception(pending->failure);
}

}  // namespace

std::string custom_id(const Bot& bot, const CommandContext& context, std::string_view step, std::string argument) {
  return bot.ids.sign({std::string(step), std::move(argument)}, context.addressee(), context.now);
}

Message plain(std::string content) {
  return {.content = std::move(content)};
}

Message out_of_date() {
  return plain("This is out of date or meant for someone else. Please start again with `/shop`.");
}

InteractionAddress reply_address(const Bot& bot, const Interaction& interaction) {
  return {interaction.application_id.empty() ? bot.platform.chat_application_id : interaction.application_id,
          interaction.token};
}

bool can_be_edited(const InteractionAddress& address) {
  return !address.application_id.empty() && !address.token.empty();
}

std::string queue_edit(Tx& tx, const TenantId& tenant, const InteractionAddress& address, const Message& message,
                       Instant due, Instant now) {
  const ChatEdit edit{address.application_id, address.token, {message_json(message)}};
  // Each interaction has a lane of its own, so that an expired token does not delay other members' answers.
  return outbox::append(tx, {tenant, std::string(chat_edit_topic), to_json(edit), due, nonce_of(address.token)}, now);
}

Task<Answer> answer_or_defer(const Bot& bot, const CommandContext& context, std::function<Task<Message>()> work,
                             std::string fallback) {
  const LateEdit late{context.tenant, reply_address(bot, context.interaction), std::move(fallback)};
  const auto pending = std::make_shared<PendingWork>(co_await boost::asio::this_coro::executor, time_left(context));
  bot.background.start(run_work(bot.db, pending, late, std::move(work)));
  if (!pending->message && !pending->failure) {
    co_await pending->done.async_wait(boost::asio::as_tuple_t<boost::asio::use_awaitable_t<Executor>>());
  }
  if (pending->failure) std::rethrow_exception(pending->failure);
  if (pending->message) co_return std::move(*pending->message);
  pending->deferred = true;
  if (can_be_edited(late.address)) co_return Deferred{};
  co_return plain("This is taking a while. Please check again in a minute.");
}

}  // namespace guildhall::chat
