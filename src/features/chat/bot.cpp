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

  bool can_be_told() const { return !address.application_id.empty() && !address.token.empty(); }
};

// Of the time that the platform gives us some has passed already.
std::chrono::milliseconds time_left(const Visit& visit) {
  const std::chrono::milliseconds spent{now().ms - visit.now.ms};
  return std::clamp(first_answer_within - spent, std::chrono::milliseconds(0), first_answer_within);
}

Task<> edit_later(Database& db, const LateAnswer& late, const Message& message) {
  const ChatEdit edit{late.address.application_id, late.address.token, {message_json(message)}};
  co_await db.write([&](Tx& tx) {
    const Instant at = now();
    // A lane for each: a token that is over must not hold up other members' answers.
    outbox::append(tx, {late.tenant, std::string(chat_edit_topic), to_json(edit), at, nonce_of(late.address.token)},
                   at);
  });
}

Task<> work_on(Database& db, std::shared_ptr<Meeting> meeting, LateAnswer late, std::function<Task<Message>()> work) {
  try {
    meeting->message = co_await work();
  } catch (...) {
    meeting->failure = std::current_exception();
  }
  meeting->done.cancel();
  if (!meeting->late) co_return;
  if (!meeting->message) {
    meeting->message = plain("Something went wrong on our side. Please try again in a moment.");
  }
  if (late.can_be_told()) co_await edit_later(db, late, *meeting->message);
  if (meeting->failure) std::rethrow_exception(meeting->failure);
}

}  // namespace

std::string id_of(const Bot& bot, const Visit& visit, const Step& step) {
  return bot.ids.sign(step, visit.addressee(), visit.now);
}

Message plain(std::string content) {
  return {.content = std::move(content)};
}

Message out_of_date() {
  return plain("This is out of date, or was meant for somebody else. Start again with `/shop`.");
}

Task<Answer> in_time(const Bot& bot, const Visit& visit, std::function<Task<Message>()> work) {
  const Interaction& interaction = visit.interaction;
  const std::string& application =
      interaction.application_id.empty() ? bot.config.chat_application_id : interaction.application_id;
  const LateAnswer late{visit.tenant, {application, interaction.token}};
  const auto meeting = std::make_shared<Meeting>(co_await boost::asio::this_coro::executor, time_left(visit));
  bot.background.start(work_on(bot.db, meeting, late, std::move(work)));
  if (!meeting->message && !meeting->failure) {
    co_await meeting->done.async_wait(boost::asio::as_tuple_t<boost::asio::use_awaitable_t<Executor>>());
  }
  if (meeting->failure) std::rethrow_exception(meeting->failure);
  if (meeting->message) co_return std::move(*meeting->message);
  meeting->late = true;
  if (late.can_be_told()) co_return Deferred{};
  co_return plain("This takes a while. Please look again in a minute.");
}

}  // namespace guildhall::chat
