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

// Between the interaction, which waits for a while, and the work. Both are of one loop, so one is always first.
struct Meeting {
  Meeting(const Executor& executor, std::chrono::milliseconds time_left) : done(executor, time_left) {}
  Timer done;
  bool late = false;  // the interaction has been answered without it
  std::optional<Message> message;
  std::exception_ptr failure;
};

struct LateAnswer {
  TenantId tenant;
  InteractionAddress address;
  std::string fallback;  // may be empty
};

// Of the time that the platform gives us some has passed already.
std::chrono::milliseconds time_left(const CommandContext& context) {
  const std::chrono::milliseconds spent{now().ms - context.now.ms};
  return std::clamp(first_answer_within - spent, std::chrono::milliseconds(0), first_answer_within);
}

// Withdraws the fallback, and edits the reply if that is still to be done. If the fallback was quicker, it has queued
// the edit already.
Task<> finish(Database& db, const LateAnswer& late, const std::optional<Message>& edit) {
  co_await db.write([&](Tx& tx) {
    const bool ours = late.fallback.empty() || outbox::withdraw(tx, late.tenant, late.fallback);
    const Instant at = now();
    if (ours && edit) queue_edit(tx, late.tenant, late.address, *edit, at, at);
  });
}

Task<> work_on(Database& db, std::shared_ptr<Meeting> meeting, LateAnswer late, std::function<Task<Message>()> work) {
  std::optional<Message> message;
  try {
    message = co_await work();
  } catch (...) {
    meeting->failure = std::current_exception();
  }
  meeting->message = message;
  meeting->done.cancel();
  if (!meeting->late) {
    if (!late.fallback.empty()) co_await finish(db, late, std::nullopt);
    co_return;
  }
  const bool has_fallback = !late.fallback.empty();
  if (!message && !has_fallback) message = plain("Something went wrong on our side. Please try again in a moment.");
  if (message && can_be_edited(late.address)) co_await finish(db, late, message);
  if (meeting->failure) std::rethrow_exception(meeting->failure);
}

}  // namespace

std::string id_of(const Bot& bot, const CommandContext& context, const Step& step) {
  return bot.ids.sign(step, context.addressee(), context.now);
}

Message plain(std::string content) {
  return {.content = std::move(content)};
}

Message out_of_date() {
  return plain("This is out of date, or was meant for somebody else. Start again with `/shop`.");
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
  // A lane for each: a token that is over must not hold up other members' answers.
  return outbox::append(tx, {tenant, std::string(chat_edit_topic), to_json(edit), due, nonce_of(address.token)}, now);
}

Task<Answer> in_time(const Bot& bot, const CommandContext& context, std::function<Task<Message>()> work,
                     std::string fallback) {
  const LateAnswer late{context.tenant, reply_address(bot, context.interaction), std::move(fallback)};
  const auto meeting = std::make_shared<Meeting>(co_await boost::asio::this_coro::executor, time_left(context));
  bot.background.start(work_on(bot.db, meeting, late, std::move(work)));
  if (!meeting->message && !meeting->failure) {
    co_await meeting->done.async_wait(boost::asio::as_tuple_t<boost::asio::use_awaitable_t<Executor>>());
  }
  if (meeting->failure) std::rethrow_exception(meeting->failure);
  if (meeting->message) co_return std::move(*meeting->message);
  meeting->late = true;
  if (can_be_edited(late.address)) co_return Deferred{};
  co_return plain("This takes a while. Please look again in a minute.");
}

}  // namespace guildhall::chat
