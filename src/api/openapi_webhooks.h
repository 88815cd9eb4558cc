#pragma once

#include <span>

#include "api/described_schemas.h"
#include "api/openapi.h"
#include "base/json_writer.h"

namespace guildhall::api {

// Adds the section `webhooks`: the requests that the server sends to webhook endpoints, one for each event. `schema`
// has the types of all payloads already.
void add_webhooks(json::ObjectWriter& document, std::span<const OutgoingEvent> events, const DescribedSchemas& schemas,
                  Schema& schema, const Reference& reference);

}  // namespace guildhall::api
