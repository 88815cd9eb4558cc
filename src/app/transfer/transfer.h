#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "base/ids.h"

// Moving data between installations: the command line's export, import and copy. All throw std::runtime_error with a
// sentence for the operator.
namespace guildhall {

enum class ExportFormat { ndjson, csv };

// Writes a file for each table that has rows of tenants, and manifest.json, into a new or empty folder; all of them
// readable by their owner alone. Reads one snapshot, with or without a running server, in bounded memory. Work
// in progress (outbox, idempotency records) is not exported. A failed export leaves nothing. Pictures in `media_dir`
// (MEDIA_DIR) are exported as if they were stored in the database, where import then stores them.
void export_tenant(const std::string& database_url, const TenantId& tenant, ExportFormat format,
                   const std::filesystem::path& folder, std::ostream& report, const std::string& media_dir = "");

// Imports an NDJSON export into a database in which the tenant has no records yet, in one transaction, and verifies it
// against the manifest. Refuses grants of PlatformAdmin, chat servers that are bound here already, and users, pictures,
// orders, payments and refunds whose ids other tenants have: an export must not gain anything that is theirs.
void import_tenant(const std::string& database_url, const std::filesystem::path& folder, std::ostream& report);

// Copies every row of one snapshot into an empty database of either engine, grants of PlatformAdmin included, in
// bounded memory, and verifies rows and sums by reading the target again. The source is only read. Changes that
// a server makes there meanwhile are not copied, nor are files in MEDIA_DIR.
void copy_installation(const std::string& from_url, const std::string& to_url, std::ostream& report);

}  // namespace guildhall
