#pragma once

#include <string>
#include <string_view>

#include "base/failure.h"

// What the platform's own webhooks (billing, shipping) check alike, before anything is stored.
namespace guildhall {

// 401.
Failure bad_signature();

// 500: in production a webhook whose sender cannot be told is not taken.
Failure no_webhook_secret(std::string_view variable);

// Throws MALFORMED_JSON for verified bytes that are not a JSON object.
void require_json_object(std::string_view body);

// The key under which an event is known: the provider's id, or for an event without one a digest of its bytes.
std::string event_key(const std::string& provider_id, std::string_view body);

}  // namespace guildhall
