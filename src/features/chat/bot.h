#pragma once

#include "base/background.h"
#include "base/worker_pool.h"
#include "cache/cache.h"
#include "features/chat/answer.h"
#include "features/chat/custom_id.h"
#include "features/chat/interaction.h"
#include "features/chat_platform/chat_client.h"
#include "features/payments/payment_desk.h"
#include "http/rate_limiter.h"

// What the bot's commands work with, and what they share.
namespace guildhall::chat {

// One loop's.
struct Bot {
  Database& db;
  Cache& cache;
  WorkerPool& outbound;
  Background& background;
  const Config& config;
  const Events& events;
  const PaymentDesk& payments;
  ChatClient& client;
  CustomIds ids;
  http::RateLimiter refusals;  // of requests that are not signed
};

// An interaction that has been let in: whose it is, and where.
struct Visit {
  Interaction interaction;
  TenantId tenant;
  std::string shop;  // its name
  UserId user;
  CustomerId customer;
  Actor actor;
  Instant now;
  bool opened_shop = false;  // by this very interaction

  Addressee addressee() const { return {tenant, interaction.user_id}; }
};

// The custom id of a component that leads this member to a step.
std::string id_of(const Bot& bot, const Visit& visit, const Step& step);

Message plain(std::string content);

// The answer to components that are no good (any more).
Message out_of_date();

// Does what may take longer than the platform waits: if it does, the member sees "thinking" meanwhile, and the answer
// is edited when it is there. The work must own what it uses: it may outlive the interaction.
Task<Answer> in_time(const Bot& bot, const Visit& visit, std::function<Task<Message>()> work);

}  // namespace guildhall::chat
