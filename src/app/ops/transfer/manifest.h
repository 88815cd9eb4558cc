#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "app/ops/transfer/row_text.h"

namespace guildhall {

// The list of an export's tables with their checksums, which export writes last.
struct Manifest {
  TenantId tenant;
  std::map<std::string, RowSum> tables;

  std::int64_t rows() const;
};

// Throws std::runtime_error with a sentence for the operator.
Manifest read_manifest(const std::filesystem::path& folder);

}  // namespace guildhall
