#pragma once

#include <deque>

#include "sandbox/party.h"

namespace guildhall::sandbox {

struct Subscription {
  std::string id;
  std::string customer;
  std::string tenant;
  std::string plan;  // the id of its price
  std::string key;   // the caller's idempotency key
  std::string status = "active";
  Instant period_end{};
  Instant created_at = now();
  std::string item{};  // the id of its only item
};

// The billing provider: Stripe's API.
class Billing final : public Party {
 public:
  static constexpr std::size_t records_max = 1000;  // customers, and as many subscriptions

  explicit Billing(World& world) : Party(world, "billing", "Billing provider") {}

  http::Reply answer(const PartyRequest& request) override;
  Headers signature(const std::string& url, const std::string& body) const override;

  // The actions of a person: renew, fail, cancel. `act` throws Failure.
  std::vector<std::string_view> actions(const Subscription& subscription) const;
  std::vector<Webhook> act(Subscription& subscription, std::string_view action);

  Subscription* find(std::string_view id);
  const std::deque<Subscription>& subscriptions() const { return subscriptions_; }

 private:
  struct Customer {
    std::string id, name, tenant, key;
  };
  http::Reply create_customer(const PartyRequest& request);
  http::Reply create_subscription(const PartyRequest& request);

  std::deque<Customer> customers_;
  std::deque<Subscription> subscriptions_;
};

// The id of the price that the server is configured with.
inline constexpr std::string_view billing_price = "price_sandbox";

}  // namespace guildhall::sandbox
