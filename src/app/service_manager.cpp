#include "app/service_manager.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace guildhall {
namespace {

constexpr int first_passed_descriptor = 3;

std::optional<std::int64_t> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const char* end = text + std::strlen(text);
  const auto [parsed, error] = std::from_chars(text, end, number);
  return error == std::errc() && parsed == end ? std::optional(number) : std::nullopt;
}

}  // namespace

void notify_service_manager(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (path == nullptr || *path == '\0' || std::strlen(path) >= sizeof(address.sun_path)) return;
  address.sun_family = AF_UNIX;
  const std::size_t length = std::strlen(path);
  std::memcpy(address.sun_path, path, length);
  if (*path == '@') address.sun_path[0] = '\0';  // a socket without a file
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return;
  ::sendto(socket, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length));
  ::close(socket);
}

std::optional<std::chrono::microseconds> watchdog_pause() {
  const auto time = number_in("WATCHDOG_USEC");
  if (!time || *time <= 0 || number_in("WATCHDOG_PID").value_or(::getpid()) != ::getpid()) return std::nullopt;
  return std::chrono::microseconds(*time / 3);
}

std::optional<int> inherited_socket() {
  const bool ours = number_in("LISTEN_PID") == ::getpid();
  const std::int64_t count = number_in("LISTEN_FDS").value_or(0);
  for (const char* variable : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(variable);
  if (!ours || count == 0) return std::nullopt;
  if (count != 1) throw std::runtime_error("The service manager has passed several sockets: pass one.");
  ::fcntl(first_passed_descriptor, F_SETFD, FD_CLOEXEC);
  return first_passed_descriptor;
}

}  // namespace guildhall
