#include "features/media/picture_converter.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "features/media/picture.h"

namespace guildhall {
namespace {

constexpr std::size_t head_bytes_max = 64;
constexpr std::size_t output_bytes_max = head_bytes_max + 2 * stored_picture_bytes_max;

Failure not_started(std::string_view step) {
  log::error("The worker process for pictures cannot be used.", {{"step", step}, {"error", std::strerror(errno)}});
  return unavailable("Pictures cannot be converted at the moment.");
}

// The attributes of the new process: only the socket as its standard descriptors, no blocked or ignored signals.
struct SpawnOptions {
  SpawnOptions(int socket, int parents_socket) {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addclose(&files, parents_socket);
    posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, socket, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;
  ~SpawnOptions() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
};

bool is_webp(std::string_view bytes) {
  return picture_type(bytes) == PictureType::webp;
}

// The worker has read a hostile picture, so its output is checked.
ConvertedPicture parsed(std::string_view output) {
  const std::string head(output.substr(0, std::min(output.find('\n'), head_bytes_max)));
  ConvertedPicture picture;
  std::size_t large = 0, thumbnail = 0;
  if (std::sscanf(head.c_str(), "%ld %ld %zu %zu", &picture.width, &picture.height, &large, &thumbnail) != 4) {
    throw picture_unreadable();
  }
  output.remove_prefix(std::min(output.size(), head.size() + 1));
  const auto is_side = [](std::int64_t side) { return side >= 1 && side <= large_side_max; };
  if (!is_side(picture.width) || !is_side(picture.height) || large > stored_picture_bytes_max ||
      thumbnail > stored_picture_bytes_max || output.size() != large + thumbnail) {
    throw picture_unreadable();
  }
  picture.large = output.substr(0, large);
  picture.thumbnail = output.substr(large);
  if (!is_webp(picture.large) || !is_webp(picture.thumbnail)) throw picture_unreadable();
  return picture;
}

}  // namespace

PictureProcess::PictureProcess(const PictureWorkerLimits& limits)
    : limits_(limits), deadline_(std::chrono::steady_clock::now() + limits.time_max) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw not_started("socket");
  socket_ = ends[0];
  const SpawnOptions options(ends[1], ends[0]);
  std::string command(picture_worker_command), memory = std::to_string(limits.memory_bytes_max),
                                               seconds = std::to_string(limits.cpu_seconds_max);
  char* const arguments[] = {command.data(), command.data(), memory.data(), seconds.data(), nullptr};
  char* const environment[] = {nullptr};
  errno =
      ::posix_spawn(&id_, picture_worker_program.c_str(), &options.files, &options.attributes, arguments, environment);
  const bool started = errno == 0;
  ::close(ends[1]);
  if (started) return;
  id_ = -1;
  ::close(socket_);
  throw not_started("spawn");
}

PictureProcess::~PictureProcess() {
  end();
  ::close(socket_);
}

// Kills the process if it has not ended, and returns its status; -1 if it was taken before.
int PictureProcess::end() {
  if (id_ < 0) return -1;
  int status = 0;
  ::kill(id_, SIGKILL);
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
  return status;
}

bool PictureProcess::wait_until_ready(short events) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd waited{.fd = socket_, .events = events, .revents = 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(left.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool PictureProcess::send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!wait_until_ready(POLLOUT)) return false;
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return ::shutdown(socket_, SHUT_WR) == 0;
}

// Everything that the process sends until it ends, or until the limit of bytes or time.
std::string PictureProcess::receive() {
  std::string output(output_bytes_max + 1, '\0');
  std::size_t used = 0;
  while (used < output.size() && wait_until_ready(POLLIN)) {
    const ssize_t received = ::recv(socket_, output.data() + used, output.size() - used, MSG_DONTWAIT);
    if (received < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (received <= 0) break;
    used += static_cast<std::size_t>(received);
  }
  output.resize(used);
  return output;
}

ConvertedPicture PictureProcess::convert(std::string_view bytes) {
  std::string output;
  if (send(bytes)) output = receive();
  if (!output.empty()) return parsed(output);
  // Without output the process has ended by itself, unless its time is over. Its exit code says why.
  int status = 0;
  const bool ended = ::waitpid(id_, &status, std::chrono::steady_clock::now() < deadline_ ? 0 : WNOHANG) == id_;
  if (ended) id_ = -1;
  if (!ended || !WIFEXITED(status)) throw picture_unreadable();
  switch (WEXITSTATUS(status)) {
    case static_cast<int>(PictureRefusal::too_large):
      throw picture_too_large();
    case static_cast<int>(PictureRefusal::animated):
      throw picture_animated();
    case static_cast<int>(PictureRefusal::unreadable):
      throw picture_unreadable();
    default:
      errno = 0;
      throw not_started("confinement");
  }
}

ConvertedPicture convert_in_worker(std::string_view bytes, const PictureWorkerLimits& limits) {
  if (!picture_type(bytes)) throw not_a_picture();
  return PictureProcess(limits).convert(bytes);
}

}  // namespace guildhall
