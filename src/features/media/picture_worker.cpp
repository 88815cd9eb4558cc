#include "features/media/picture_worker.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <new>
#include <seccomp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "features/media/picture.h"
#include "features/media/picture_codec.h"

namespace guildhall {
namespace {

constexpr int input = STDIN_FILENO, output = STDOUT_FILENO;
constexpr int not_confined = 1;
constexpr int lower_priority = 10;  // than the server's, so that requests come first

bool limit(int resource, std::int64_t amount) {
  const rlimit both{static_cast<rlim_t>(amount), static_cast<rlim_t>(amount)};
  return ::setrlimit(static_cast<__rlimit_resource>(resource), &both) == 0;
}

// The sanitizers reserve terabytes of address space and make system calls of their own.
#ifdef GUILDHALL_SANITIZED
constexpr bool confinable = false;
#else
constexpr bool confinable = true;
#endif

// qsort() asks for the size of the memory (sysinfo). No file can be opened, and any other system call that is not
// listed ends the process. The descriptors that are left are standard input and output (one socket) and standard error
// (nothing).
bool allow_few_system_calls() {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
  if (filter == nullptr) return false;
  bool good = true;
  for (const int call : {SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap),
                         SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(getrandom), SCMP_SYS(sysinfo),
                         SCMP_SYS(rt_sigreturn), SCMP_SYS(exit), SCMP_SYS(exit_group)}) {
    good = good && seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0;
  }
  // libjpeg-turbo asks for the kind of processor on some machines. It does without the answer.
  good = good && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(openat), 0) == 0;
  good = good && seccomp_load(filter) == 0;
  seccomp_release(filter);
  return good;
}

bool confine(const PictureWorkerLimits& limits) {
  [[maybe_unused]] const int priority = ::nice(lower_priority);
  const bool cut_off = ::close_range(STDERR_FILENO + 1, ~0U, 0) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                       ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
  const bool limited = limit(RLIMIT_CPU, limits.cpu_seconds_max) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_CORE, 0) &&
                       limit(RLIMIT_NOFILE, STDERR_FILENO + 1) &&
                       (!confinable || limit(RLIMIT_AS, limits.memory_bytes_max));
  return cut_off && limited && (!confinable || allow_few_system_calls());
}

std::string read_input() {
  std::string bytes(picture_bytes_max + 1, '\0');
  std::size_t used = 0;
  while (used < bytes.size()) {
    const ssize_t received = ::read(input, bytes.data() + used, bytes.size() - used);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) break;
    used += static_cast<std::size_t>(received);
  }
  bytes.resize(used);
  return bytes;
}

bool write_output(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(output, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

int convert() {
  try {
    const ConvertedPicture picture = convert_picture(read_input());
    const std::string head =
        fmt::format("{} {} {} {}\n", picture.width, picture.height, picture.large.size(), picture.thumbnail.size());
    return write_output(head + picture.large + picture.thumbnail) ? 0 : not_confined;
  } catch (const PictureRefusal refusal) {
    return static_cast<int>(refusal);
  } catch (const std::exception&) {  // out of memory
    return static_cast<int>(PictureRefusal::unreadable);
  }
}

}  // namespace

int run_picture_worker(int argc, char** argv) {
  if (argc != 4) return not_confined;
  const PictureWorkerLimits limits{.memory_bytes_max = std::atoll(argv[2]), .cpu_seconds_max = std::atoll(argv[3])};
  if (!confine(limits)) ::_exit(not_confined);
  ::_exit(convert());  // without destructors of static objects, which might make other system calls
}

}  // namespace guildhall
