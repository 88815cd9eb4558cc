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
// readable by their owner alone. Reads one snapshot, beside a running server or not, in bounded memory. Work in
// progress (outbox, idempotency records) stays behind. A failed export leaves nothing.
void export_tenant(const std::string& database_url, const TenantId& tenant, ExportFormat format,
                   const std::filesystem::path& folder, std::ostream& report);

// Reads what export_tenant has written as NDJSON into a database where the tenant has nothing yet, all or nothing,
// verified against the manifest. Refuses users whose ids other tenants know, and grants of PlatformAdmin: a file must
// not give its users what others hold here.
void import_tenant(const std::string& database_url, const std::filesystem::path& folder, std::ostream& report);

// Copies every row of one snapshot into an empty database of either engine, grants of PlatformAdmin included, in
// bounded memory, and verifies rows and sums by reading the target again. The source is only read. What a server
// changes there meanwhile is not copied.
void copy_installation(const std::string& from_url, const std::string& to_url, std::ostream& report);

}  // namespace guildhall
