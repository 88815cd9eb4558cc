#pragma once

#include "api/rate_limiter.h"
#include "base/secret_box.h"
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
#include "features/identity/sessions.h"
#include "features/payments/payment_service.h"

// The dependencies of the bot's commands, and the functions that they share.
namespace guildhall::chat {

// One for each loop.
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
  const std::optional<SecretBox>& secrets;
  ChatClient& client;
  Sessions& sessions;
  CustomIds ids;
  api::RateLimiter limiter;
};

// An admitted interaction, with its shop and its member.
struct CommandContext {
  Interaction interaction;
  TenantId tenant;
  std::string shop;  // the tenant's name
  UserId user;       // empty, as the customer is, if the platform has not named a member
  CustomerId customer;
  Actor actor;
  Instant now;
  bool opened_shop = false;       // this interaction has created the tenant
  bool connected_server = false;  // this interaction has connected the chat server to the tenant

  Addressee addressee() const { return {tenant, interaction.user_id}; }
  ActionContext action(Tx& tx, const Bot& bot) const { return {tx, bot.events, tenant, actor, now}; }
};

// The signed custom id of a component that leads this member to a step.
std::string custom_id(const Bot& bot, const CommandContext& context, std::string_view step, std::string argument = "");

// A message that consists of text only.
Message plain(std::string content);

// The answer to a component that has expired or belongs to another member.
Message out_of_date();

// The address for edits of the interaction's reply. Members are empty if the platform has not sent them.
InteractionAddress reply_address(const Bot& bot, const Interaction& interaction);
bool can_be_edited(const InteractionAddress& address);

// Queues an edit of the interaction's reply, which is sent at `due` or later. Returns the outbox message's id.
std::string queue_edit(Tx& tx, const TenantId& tenant, const InteractionAddress& address, const Message& message,
                       Instant due, Instant now);

// The time after which a fallback is due. It is longer than the work usually takes, so that the process itself is
// first, and much shorter than the lifetime of the interaction's token.
constexpr std::chrono::seconds fallback_after{30};

// Runs work that may take longer than the platform waits for a reply. If it does, the member sees "thinking" until the
// work has ended, and then the reply is edited. The work must own what it uses: it may outlive the interaction.
// `fallback` is the id of the outbox message that edits the reply if this process dies before; it is withdrawn when the
// work has ended. Empty: there is none.
Task<Answer> answer_or_defer(const Bot& bot, const CommandContext& context, std::function<Task<Message>()> work,
                             std::string fallback = "");

}  // namespace guildhall::chat
