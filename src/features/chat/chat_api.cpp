#include "api/failure_reply.h"
#include "base/encoding.h"
#include "base/field_types.h"
#include "base/log.h"
#include "base/text.h"
#include "features/chat/admission.h"
#include "features/chat/command_list.h"
#include "features/chat/routes.h"
#include "features/webhooks/webhook_checks.h"
#include "features/webhooks/webhook_event_store.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;
using chat::Admission, chat::Answer, chat::Bot, chat::Interaction, chat::CommandContext;

constexpr std::size_t body_bytes_max = 64 * 1024;
constexpr std::chrono::seconds lock_lives{60};
constexpr std::int64_t timestamp_off_seconds_max = 300;
constexpr std::int64_t refusals_per_minute = 30;
constexpr std::string_view endpoint = "chat_interactions";

bool is_signed(const Call& call, const std::string& public_key) {
  const std::string_view timestamp = call.request.header("x-signature-timestamp");
  const auto signature = from_hex(call.request.header("x-signature-ed25519"));
  std::uint32_t seconds = 0;
  const auto [end, error] = std::from_chars(timestamp.data(), timestamp.data() + timestamp.size(), seconds);
  if (!signature || error != std::errc() || end != timestamp.data() + timestamp.size()) return false;
  const std::int64_t off = call.now.ms / 1000 - seconds;
  if (off > timestamp_off_seconds_max || off < -timestamp_off_seconds_max) return false;
  return verify_ed25519(public_key, fmt::format("{}{}", timestamp, call.request.body), *signature);
}

bool is_ping(std::string_view body) {
  try {
    return chat::parse_interaction(body).type == Interaction::Type::ping;
  } catch (const Failure&) {
    return false;
  }
}

// Why the request is not believed; nothing if it is. Without a public key nothing can be verified: development believes
// everything, production only pings, unless the operator has decided otherwise.
std::optional<Failure> signature_failure(const Call& call, const Bot& bot) {
  const chat::ChatConfig& config = bot.config;
  if (!config.chat_public_key.empty()) {
    return is_signed(call, config.chat_public_key) ? std::nullopt : std::optional(bad_signature());
  }
  if (bot.installation.development || config.chat_interactions_unverified || is_ping(call.request.body))
    return std::nullopt;
  return Failure(Failure::Kind::unauthenticated, "SIGNATURE_REQUIRED",
                 "Interactions are not accepted: CHAT_INTERACTIONS_PUBLIC_KEY is not set, so none can be verified.");
}

// Rate-limits addresses that send requests which fail the signature. The platform's own are never counted.
Task<std::optional<Reply>> refuse_unsigned(const Call& call, const Bot& bot) {
  const auto failure = signature_failure(call, bot);
  if (!failure) co_return std::nullopt;
  const auto verdict = co_await bot.refusals.count({"chat_signature", refusals_per_minute}, call.address);
  if (verdict.exceeded) co_return api::too_many_requests_reply(api::RateLimiter::window.count());
  throw Failure(*failure);
}

chat::Message unknown_member() {
  return chat::plain("I cannot tell who you are: the chat platform has not named a member.");
}

Task<Answer> carry_out(const Bot& bot, const CommandContext& context) {
  const Interaction& interaction = context.interaction;
  const bool has_member = !interaction.user_id.empty();
  if (interaction.type == Interaction::Type::command) {
    for (const chat::Command& command : chat::commands()) {
      if (command.name != interaction.name) continue;
      if (!has_member && !command.for_anybody) co_return unknown_member();
      co_return co_await command.run(bot, context);
    }
    throw bad_request("UNKNOWN_COMMAND", fmt::format("There is no command '{}'.", interaction.name));
  }
  if (!has_member) co_return unknown_member();
  const auto step = bot.ids.verify(interaction.name, context.addressee(), context.now);
  const chat::RunStep run = step ? chat::run_of_step(step->name) : nullptr;
  if (run == nullptr) co_return chat::out_of_date();
  co_return co_await run(bot, context, *step);
}

// What a person can cause is told to the person; the rest is ours, or the platform's.
bool is_for_the_member(const Failure& failure) {
  using Kind = Failure::Kind;
  if (failure.code == "UNKNOWN_COMMAND") return false;
  return failure.kind == Kind::invalid || failure.kind == Kind::forbidden || failure.kind == Kind::not_found ||
         failure.kind == Kind::conflict;
}

Task<Answer> carry_out_for(const Bot& bot, const CommandContext& context) {
  try {
    co_return co_await carry_out(bot, context);
  } catch (const Failure& failure) {
    if (!is_for_the_member(failure)) throw;
    co_return failure.kind == Failure::Kind::not_found ? chat::out_of_date() : chat::plain(failure.sentence);
  }
}

// What the member is told does not depend on it.
Task<> note_outcome(const Bot& bot, const Admission& admission, const std::string& error) {
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
    log::warn("chat: what came of an interaction is not noted",
              {{"event", admission.event->text()}, {"error", failure.what()}});
  }
}

Task<Answer> answer(const Bot& bot, const Call& call, const Interaction& interaction) {
  const Actor actor{ActorKind::CHAT, interaction.user_id, call.request.request_id};
  const Admission admission = co_await bot.db.write(
      [&](Tx& tx) { return chat::admit(tx, bot, interaction, call.request.body, actor, call.now); });
  if (admission.kind != Admission::Kind::admitted) co_return chat::refusal(admission.kind);
  std::exception_ptr failure;
  std::string error;
  Answer made;
  try {
    made = co_await carry_out_for(bot, admission.context);
  } catch (const std::exception& thrown) {
    failure = std::current_exception();
    error = storable_text(thrown.what());
  }
  co_await note_outcome(bot, admission, error);
  if (failure) std::rethrow_exception(failure);
  co_return made;
}

// The lock spares a repetition that arrives meanwhile its work; that it is carried out once is for the database to say.
// Without a cache there is no lock, and all goes on.
Task<bool> lock(Cache& cache, const std::string& key, const std::string& owner) {
  try {
    co_return co_await cache.lock(key, owner, lock_lives);
  } catch (const Failure&) {
    co_return true;
  }
}

Task<> unlock(Cache& cache, const std::string& key, const std::string& owner) {
  try {
    co_await cache.unlock(key, owner);
  } catch (const Failure&) {  // it frees itself
  }
}

Task<Answer> answer_once(const Bot& bot, const Call& call, const Interaction& interaction) {
  if (interaction.id.empty()) co_return co_await answer(bot, call, interaction);
  const std::string key = "chat:" + interaction.id, owner = make_uuid(call.now);
  if (!co_await lock(bot.cache, key, owner)) co_return chat::plain("This is being processed already.");
  std::exception_ptr failure;
  Answer made;
  try {
    made = co_await answer(bot, call, interaction);
  } catch (...) {
    failure = std::current_exception();
  }
  co_await unlock(bot.cache, key, owner);
  if (failure) std::rethrow_exception(failure);
  co_return made;
}

// Whatever goes wrong from here on is a 400, as the contract has it.
Task<Answer> answer_or_400(const Bot& bot, const Call& call, const Interaction& interaction) {
  try {
    co_return co_await answer_once(bot, call, interaction);
  } catch (const Failure& failure) {
    if (failure.kind == Failure::Kind::invalid) throw;
    log::error("chat: an interaction failed", {{"request", call.request.request_id}, {"error", failure.what()}});
  } catch (const std::exception& error) {
    log::error("chat: an interaction failed", {{"request", call.request.request_id}, {"error", error.what()}});
  }
  throw bad_request("COMMAND_FAILED", "The command could not be carried out.");
}

Task<Reply> receive(Call& call, const Bot& bot) {
  if (auto refused = co_await refuse_unsigned(call, bot)) co_return std::move(*refused);
  const Interaction interaction = chat::parse_interaction(call.request.body);
  const Answer made = interaction.type == Interaction::Type::ping ? Answer(chat::Pong{})
                                                                  : co_await answer_or_400(bot, call, interaction);
  co_return Reply{.body = chat::answer_json(made)};
}

std::string sender(const http::Request& request) {
  return chat::sender_of(request.body);
}

}  // namespace

std::vector<api::Route> chat_routes(const chat::Bot& bot) {
  std::vector<api::Route> routes;
  for (const std::string_view path : {"/chat/interactions", "/api/chat/interactions"}) {
    routes.push_back(route(Method::post, path, Access::open, "What members do in the chat", receive, bot)
                         .takes_raw(body_bytes_max)
                         .limited({endpoint, bot.config.rate_limit_chat_per_min, sender})
                         .gives<RawJson>(200, "The answer: a message, a modal, or the pong to a ping."));
  }
  return routes;
}

}  // namespace guildhall
