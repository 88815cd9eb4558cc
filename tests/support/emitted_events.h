#pragma once

#include <string>
#include <vector>

#include "support/test_server.h"

namespace guildhall::test {

// Adds a webhook endpoint that subscribes to every event and whose deliveries never succeed.
void listen_to_events(TestServer& server, const std::string& tenant = "default");

// The names of the events in the outbox for that endpoint, oldest first.
std::vector<std::string> emitted_events(TestServer& server);

// The bodies of these events, as endpoints receive them.
std::vector<std::string> emitted_bodies(TestServer& server);

}  // namespace guildhall::test
