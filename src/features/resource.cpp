#include "features/resource.h"

#include <mutex>
#include <set>

namespace guildhall {
namespace {

// Routes refer to their texts for as long as the process runs.
std::string_view lasting(std::string text) {
  static std::mutex mutex;
  static std::set<std::string> texts;
  const std::lock_guard lock(mutex);
  return *texts.insert(std::move(text)).first;
}

}  // namespace

ResourceTexts completed(ResourceTexts texts, std::string_view noun) {
  const std::string one = fmt::format("{} {}", std::string_view("aeiou").find(noun.front()) < 5 ? "an" : "a", noun);
  const auto complete = [](std::string_view& text, std::string usual) {
    if (text.empty()) text = lasting(std::move(usual));
  };
  complete(texts.create, "Create " + one);
  complete(texts.created, fmt::format("The new {}.", noun));
  complete(texts.list, fmt::format("A page of {}s, newest first", noun));
  complete(texts.page, "The page.");
  complete(texts.find, fmt::format("One {}", noun));
  complete(texts.found, fmt::format("The {}.", noun));
  complete(texts.change, "Change " + one);
  complete(texts.changed, fmt::format("The changed {}.", noun));
  complete(texts.erase, "Delete " + one);
  complete(texts.erased, "It is gone.");
  return texts;
}

}  // namespace guildhall
