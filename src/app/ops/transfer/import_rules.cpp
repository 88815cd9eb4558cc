#include "app/ops/transfer/import_rules.h"

namespace guildhall {

const ImportRule* import_rule(std::string_view table) {
  static const std::vector<ImportRule> rules = [] {
    std::vector<ImportRule> all;
    for (auto* part : {people_rules, shop_rules, money_rules, outgoing_rules}) {
      for (ImportRule& each : part()) all.push_back(std::move(each));
    }
    return all;
  }();
  const auto found = std::ranges::find(rules, table, &ImportRule::table);
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace guildhall
