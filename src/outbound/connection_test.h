#pragma once

#include <string>

#include "base/declared.h"

namespace guildhall::outbound {

// The result of trying out a connection to another server, for an admin. The message names no secret and no address of
// the operator's network.
struct ConnectionTest {
  bool ok = false;
  std::string message;
};
BOOST_DESCRIBE_STRUCT(ConnectionTest, (), (ok, message))

// How often one address may try out connections, in a minute.
constexpr std::int64_t connection_tests_per_minute = 20;

}  // namespace guildhall::outbound
