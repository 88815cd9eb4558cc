// A library that is preloaded into a server process and shifts its wall clock by CLOCK_SHIFT_SECONDS.
#include <cstdlib>
#include <dlfcn.h>
#include <time.h>

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using Function = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "clock_gettime"));
  static const char* const shift = std::getenv("CLOCK_SHIFT_SECONDS");
  const int result = real(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME && shift != nullptr) time->tv_sec += std::atol(shift);
  return result;
}
