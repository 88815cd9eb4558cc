#include <libpq-fe.h>
#include <memory>
#include <stdexcept>

#include "storage/backup.h"

namespace guildhall {

std::map<std::string, std::string> postgres_environment(const std::string& url) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(PQconninfoParse(url.c_str(), nullptr),
                                                                             PQconninfoFree);
  if (!options) throw std::runtime_error("DATABASE_URL is not a URL that PostgreSQL understands.");
  std::map<std::string, std::string> variables;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->envvar != nullptr && option->val != nullptr) variables[option->envvar] = option->val;
  }
  return variables;
}

}  // namespace guildhall
