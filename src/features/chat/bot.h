#pragma once

#include "api/rate_limiter.h"
#include "base/task.h"
#include "base/worker_pool.h"
#include "cache/cache.h"
#include "features/chat/answer.h"
#include "features/chat/chat_config.h"
#include "features/chat/custom_id.h"
#include "features/chat/interaction.h"
#include "features/chat_platform/chat_client.h"
#include "features/chat_platform/chat_platform_config.h"
#include "features/identity/identity_config.h"
#include "features/payments/payment_service.h"

// What the bot's commands work with, and what they share.
namespace guildhall::chat {

// One loop's.
struct Bot {
  Database& db;
  Cache& cache;
  WorkerPool& outbound;
  Background& background;
  const ChatConfig& config;
  const ChatPlatformConfig& platform;
  const IdentityConfig& identity;
  const InstallationConfig& installation;
  const Events& events;
  const PaymentService& payments;
  ChatClient& client;
  CustomIds ids;
  api::RateLimiter refusals;  // of requests that are not signed
};

// An interaction that has been let in: whose it is, and where.
struct CommandContext {
  Interaction interaction;
  TenantId tenant;
  std::string shop;  // its name
  UserId user;       // empty, as the customer, when the platform has not named a member
  CustomerId customer;
  Actor actor;
  Instant now;
  bool opened_shop = false;  // by this very interaction

  Addressee addressee() const { return {tenant, interaction.user_id}; }
};

// The custom id of a component that leads this member to a step.
std::string id_of(const Bot& bot, const CommandContext& context, const Step& step);

Message plain(std::string content);

// The answer to components that are no good (any more).
Message out_of_date();

// Where the interaction's reply can be edited later; empty members where the platform has not said.
InteractionAddress reply_address(const Bot& bot, const Interaction& interaction);
bool can_be_edited(const InteractionAddress& address);

// Queues an edit of the interaction's reply, not before `due`. Returns the message's id.
std::string queue_edit(Tx& tx, const TenantId& tenant, const InteractionAddress& address, const Message& message,
                       Instant due, Instant now);

// When a fallback is due: later than the process itself takes, unless the other server is very slow, and well within
// the life of the interaction's token.
constexpr std::chrono::seconds fallback_after{30};

// Does what may take longer than the platform waits: if it does, the member sees "thinking" meanwhile, and the answer
// is edited when it is there. The work must own what it uses: it may outlive the interaction.
// `fallback` is the outbox message that edits the reply if this process dies before; empty: there is none. It is
// withdrawn when the work is done.
Task<Answer> in_time(const Bot& bot, const CommandContext& context, std::function<Task<Message>()> work,
                     std::string fallback = "");

}  // namespace guildhall::chat
