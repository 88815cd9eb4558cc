#include "features/chat/interaction_handler.h"

#include "base/log.h"
#include "base/text.h"
#include "features/chat/admission.h"
#include "features/chat/command_list.h"
#include "features/webhooks/webhook_event_store.h"

namespace guildhall::chat {
namespace {

constexpr std::chrono::seconds lock_time_max{60};

// Only avoids duplicate work while a repeated interaction is still being carried out; the unique event row guarantees
// that it is carried out once. Without the cache, and for an interaction without an id, nothing is locked.
class InteractionLock {
 public:
  InteractionLock(Cache& cache, const std::string& interaction_id, Instant now)
      : cache_(cache), key_(interaction_id.empty() ? "" : "chat:" + interaction_id), owner_(make_uuid(now)) {}

  // False if another request holds the lock.
  Task<bool> acquire() {
    if (key_.empty()) co_return true;
    try {
      co_return co_await cache_.lock(key_, owner_, lock_time_max);
    } catch (const Failure&) {
      co_return true;
    }
  }

  Task<> release() {
    if (key_.empty()) co_return;
    try {
      co_await cache_.unlock(key_, owner_);
    } catch (const Failure&) {  // the lock expires
    }
  }

 private:
  Cache& cache_;
  const std::string key_;
  const std::string owner_;
};

struct Outcome {
  Answer answer{};
  std::optional<Failure> failure{};  // the reply to the platform; nothing: it receives the answer
  std::string error{};               // recorded with the event; empty if the interaction was carried out
};

// Failures that a member can cause are shown to the member.
bool is_for_the_member(const Failure& failure) {
  using Kind = Failure::Kind;
  if (failure.code == "UNKNOWN_COMMAND") return false;
  return failure.kind == Kind::invalid || failure.kind == Kind::forbidden || failure.kind == Kind::not_found ||
         failure.kind == Kind::conflict;
}

// The contract requires a 400 for every failure, also for one of ours.
Outcome command_failed(const std::exception& error, const std::string& request_id) {
  log::error("chat: an interaction failed", {{"request", request_id}, {"error", error.what()}});
  return {.failure = bad_request("COMMAND_FAILED", "The command could not be carried out."),
          .error = storable_text(error.what())};
}

Outcome outcome_of(const Failure& failure, bool admitted, const std::string& request_id) {
  if (admitted && is_for_the_member(failure)) {
    return {.answer = failure.kind == Failure::Kind::not_found ? out_of_date() : plain(failure.sentence)};
  }
  if (failure.kind != Failure::Kind::invalid) return command_failed(failure, request_id);
  return {.failure = failure, .error = storable_text(failure.what())};
}

// Runs the command or the step that the interaction names.
Task<Answer> run(const Bot& bot, const CommandContext& context) {
  const Interaction& interaction = context.interaction;
  const bool is_command = interaction.type == Interaction::Type::command;
  const Command* command = is_command ? find_command(interaction.name) : nullptr;
  if (is_command && command == nullptr) {
    throw bad_request("UNKNOWN_COMMAND", fmt::format("There is no command '{}'.", interaction.name));
  }
  if (interaction.user_id.empty() && !(command != nullptr && command->for_anybody)) {
    co_return plain("I cannot tell who you are: the chat platform did not say which member sent this.");
  }
  if (command != nullptr) co_return co_await command->run(bot, context);
  const auto step = bot.ids.verify(interaction.name, context.addressee(), context.now);
  const RunStep run_step = step ? find_step(step->name) : nullptr;
  if (run_step == nullptr) co_return out_of_date();
  co_return co_await run_step(bot, context, *step);
}

// A failure to record the outcome does not change the answer.
Task<> record_outcome(const Bot& bot, const Admission& admission, const std::string& error) {
  if (!admission.event) co_return;
  const TenantId& tenant = admission.context.tenant;
  try {
    co_await bot.db.write([&](Tx& tx) {
      if (error.empty()) {
        finish_webhook_event(tx, tenant, *admission.event, WebhookStatus::PROCESSED, now());
      } else {
        fail_webhook_event(tx, tenant, *admission.event, error, now());
      }
    });
  } catch (const std::exception& failure) {
    log::warn("chat: the outcome of an interaction was not recorded",
              {{"event", admission.event->text()}, {"error", failure.what()}});
  }
}

}  // namespace

Task<Answer> handle_interaction(const Bot& bot, const api::Call& call, const Interaction& interaction) {
  const std::string request_id(call.request.request_id);
  const Actor actor = interaction.simulated_in ? call.actor() : Actor{ActorKind::CHAT, interaction.user_id, request_id};
  InteractionLock lock(bot.cache, interaction.id, call.now);
  if (!co_await lock.acquire()) co_return plain("This is already being processed.");
  std::optional<Admission> admission;
  Outcome outcome;
  try {
    admission =
        co_await bot.db.write([&](Tx& tx) { return admit(tx, bot, interaction, call.request.body, actor, call.now); });
    if (admission->kind == Admission::Kind::admitted) {
      outcome.answer = co_await run(bot, admission->context);
    } else {
      outcome.answer = admission->message ? *admission->message : refusal(admission->kind);
    }
  } catch (const Failure& failure) {
    outcome = outcome_of(failure, admission.has_value(), request_id);
  } catch (const std::exception& error) {
    outcome = command_failed(error, request_id);
  }
  if (admission) co_await record_outcome(bot, *admission, outcome.error);
  co_await lock.release();
  if (outcome.failure) throw Failure(*outcome.failure);
  co_return std::move(outcome.answer);
}

}  // namespace guildhall::chat
