#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "base/config.h"

// Moving data between installations: the command line's export, import and copy. All throw std::runtime_error with a
// sentence for the operator.
namespace guildhall {

enum class ExportFormat { ndjson, csv };

// Writes a file for each table that has rows of the tenant, and manifest.json, into a folder that it makes. Streams:
// memory does not grow with the data. Work in flight (outbox, idempotency records) stays behind.
void export_tenant(const std::string& database_url, const TenantId& tenant, ExportFormat format,
                   const std::filesystem::path& folder, std::ostream& report);

// Reads what export_tenant has written as NDJSON into a database where the tenant has nothing yet, all or nothing,
// verified against the manifest. Refuses users whose ids other tenants know, and grants of PlatformAdmin: a file must
// not give its users what others hold here.
void import_tenant(const std::string& database_url, const std::filesystem::path& folder, std::ostream& report);

// Copies every table into an empty database of either engine, and verifies rows and sums by reading both again. The
// server must not run meanwhile.
void copy_installation(const std::string& from_url, const std::string& to_url, std::ostream& report);

}  // namespace guildhall
