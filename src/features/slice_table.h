#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace guildhall {

// A table with what its text columns hold: lists of their names, separated by spaces. Every text column but `tenant_id`
// and `id` is in one of them; a test compares them with the database.
struct SliceTable {
  std::string_view name;
  std::string_view other{};     // nothing about a person, but for ids
  std::string_view personal{};  // about a customer: erased with the customer
  std::string_view account{};   // about a user of the console: they go with the account
  std::string_view sealed{};    // with the master key, for `guildhall rekey`
  // The context of a sealed value is `<sealed_for>/<primary key>`, the columns of the key separated by slashes.
  std::string_view sealed_for{};
  // How `guildhall erase` changes a row that names the customer: "DELETE", or the assignments of an UPDATE.
  std::string_view erased{};
  // Columns that do not decide whom a row is about: what an order has given to somebody else is that person's.
  std::array<std::string_view, 2> not_about{};
  bool identifies = false;  // the ids of its rows tell which rows of other tables are the person's
  // It keeps what a shop has ever done, so that it grows without end: `guildhall migrate --partitions` divides it.
  // Other tables are small, or retention deletes their rows; and jobs search some of these over all tenants, which
  // takes longer with many parts.
  bool grows = false;
  std::string_view metadata{};  // the condition of rows that lists find by their metadata; empty: there are none
};

// Erased by code of its own, in erase_customer.cpp.
constexpr std::string_view erased_by_code = "-";

inline std::vector<std::string_view> words_of(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    if (end != 0) words.push_back(list.substr(0, end));
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return words;
}

}  // namespace guildhall
