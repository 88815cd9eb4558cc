#include "features/chat/formatting.h"

#include <fmt/format.h>

namespace guildhall::chat {

std::string date_text(Instant instant) {
  return fmt::format("<t:{}:f>", instant.ms / 1000);
}

}  // namespace guildhall::chat
