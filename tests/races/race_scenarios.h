#pragma once

#include <string>

#include "support/test_server.h"

// Races over HTTP, each told as what went wrong: nothing, when the guards hold. The same scenarios run once more in a
// build without the guards, where they must find something.
namespace guildhall::test {

struct Race {
  TestServer& server;
  CheckedClient& shop;  // signed in as an admin
  int round;            // makes names unique
};

// More orders than a discount has uses.
std::string race_for_uses(const Race& race);

// More orders than there is stock.
std::string race_for_stock(const Race& race);

// Orders with the same number.
std::string race_for_number(const Race& race);

// The same request many times, with one Idempotency-Key or, as the control, without any.
std::string race_for_effect(const Race& race, bool with_key);

// Readers that write back what they read plus one, with If-Match.
std::string race_to_update(const Race& race);

// Somebody cancels what somebody else pays.
std::string race_to_settle(const Race& race);

}  // namespace guildhall::test
