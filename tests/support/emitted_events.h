#pragma once

#include <string>
#include <vector>

#include "support/test_server.h"

namespace guildhall::test {

// Puts an endpoint into the shop that wants every event, and whose deliveries never succeed.
void listen_to_events(TestServer& server, const std::string& tenant = "default");

// The names of the events that were put into the outbox for it, oldest first.
std::vector<std::string> emitted_events(TestServer& server);

// The bodies of these events, as endpoints get them.
std::vector<std::string> emitted_bodies(TestServer& server);

}  // namespace guildhall::test
