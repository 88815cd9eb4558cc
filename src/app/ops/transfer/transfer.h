#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

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

struct ImportOptions {
  std::vector<std::string> chat_servers{};  // that the operator wants to be bound to the tenant
  bool development = false;                 // endpoints may have any address
  bool dry_run = false;                     // everything is checked, and nothing is written
};

// Imports an NDJSON export into a database in which the tenant has no records yet, in one transaction, and verifies it
// against the manifest. An export may come from anybody: each row must be readable as the record of its table and
// within the limits of the API (import_rules.h), and nothing is imported that only the installation may decide: grants
// of PlatformAdmin, identities of the configuration, chat servers that the operator has not named, ids that other
// tenants have. The error names all rows that are refused. Also a dry run migrates the database.
void import_tenant(const std::string& database_url, const std::filesystem::path& folder, std::ostream& report,
                   const ImportOptions& options = {});

// Copies every row of one snapshot into an empty database of either engine, grants of PlatformAdmin included, in
// bounded memory, and verifies rows and sums by reading the target again. The source is only read. Changes that
// a server makes there meanwhile are not copied, nor are files in MEDIA_DIR.
void copy_installation(const std::string& from_url, const std::string& to_url, std::ostream& report);

}  // namespace guildhall
