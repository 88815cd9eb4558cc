#pragma once

#include "base/task.h"
#include "http/reply.h"
#include "sandbox/party.h"

namespace guildhall::sandbox {

// Answers a request of the sandbox's page, below /sandbox. Throws Failure.
Task<http::Reply> answer_control(World& world, const PartyRequest& request);

// The page on which a person pays, which a processor's checkout address leads to.
http::Reply checkout_page(World& world, const std::string& payment_id);

// Pays, or cancels, as the person has decided there, and leads back to the shop.
Task<http::Reply> check_out(World& world, const std::string& payment_id, std::string_view form);

}  // namespace guildhall::sandbox
