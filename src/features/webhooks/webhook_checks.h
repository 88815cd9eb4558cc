#pragma once

#include <string>
#include <string_view>

#include "base/failure.h"

// Checks that the webhooks of the platform's providers (billing, shipping, chat) share. They run before anything is
// stored.
namespace guildhall {

// A 401.
Failure bad_signature();

// A 500: production accepts no webhook whose sender cannot be verified.
Failure no_webhook_secret(std::string_view variable);

// Throws MALFORMED_JSON for verified bytes that are not a JSON object.
void require_json_object(std::string_view body);

// The key that identifies an event: the provider's id, or a digest of the bytes if there is no id.
std::string event_key(const std::string& provider_id, std::string_view body);

}  // namespace guildhall
