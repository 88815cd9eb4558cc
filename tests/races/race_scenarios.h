#pragma once

#include <string>

#include "support/test_server.h"

// Races over HTTP. Each returns a description of the errors that it found, which is empty if the guards work. The same
// scenarios also run in a build without the guards, where they must find errors.
namespace guildhall::test {

struct Race {
  TestServer& server;
  CheckedClient& shop;  // signed in as an admin
  int round;            // makes the names unique
};

// Places more orders at the same time than a discount has uses.
std::string race_for_uses(const Race& race);

// Places more orders at the same time than there is stock.
std::string race_for_stock(const Race& race);

// Pays orders at the same time that have reserved all keys of a pool: every buyer must get a key of their own.
std::string race_for_keys(const Race& race);

// Places several orders with the same number at the same time.
std::string race_for_number(const Race& race);

// Sends the same request many times, with one Idempotency-Key or, as the control, without a key.
std::string race_for_effect(const Race& race, bool with_key);

// Several clients read a number and write it back plus one, with If-Match.
std::string race_to_update(const Race& race);

// One client pays an order while another one cancels it.
std::string race_to_settle(const Race& race);

// Pays 50 periods of one membership at the same time, the first of them included.
std::string race_to_renew(const Race& race);

// Uses one code of a second factor many times at the same time.
std::string race_for_code(const Race& race);

}  // namespace guildhall::test
