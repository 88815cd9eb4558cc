#pragma once

#include <string>

namespace guildhall {

// Throws std::runtime_error with a sentence for the operator if a pooler such as PgBouncer gives each transaction
// another session of the server. Settings and prepared statements belong to a session, so Guildhall needs one for each
// connection: session pooling, or no pooler. Throws DatabaseUnreachable if the server cannot be reached.
void refuse_transaction_pooling(const std::string& url, std::string_view variable);

}  // namespace guildhall
