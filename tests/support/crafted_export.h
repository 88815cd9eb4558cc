#pragma once

#include <filesystem>
#include <string>

#include "storage/tables.h"

namespace guildhall::test {

std::string file_text(const std::filesystem::path& path);

// The sentence for the operator, or nothing if there was no error.
std::string refusal_of(FunctionRef<void()> action);

// The files of an export, changed as an attacker could: the manifest fits the changed rows.
class CraftedExport {
 public:
  // `tables` are those of any database with the present schema.
  CraftedExport(std::filesystem::path folder, const Tables& tables) : folder_(std::move(folder)), tables_(tables) {}

  std::string rows_of(const std::string& table) const;
  void set_rows(const std::string& table, const std::string& rows);

  // Replaces the text wherever it is in the rows of the table. Throws std::runtime_error if it is nowhere.
  void replace(const std::string& table, const std::string& old_text, const std::string& new_text);

  // Sets the table's entry in the manifest.
  void set_manifest(const std::string& table, const std::string& entry);

 private:
  const std::filesystem::path folder_;
  const Tables& tables_;
};

}  // namespace guildhall::test
