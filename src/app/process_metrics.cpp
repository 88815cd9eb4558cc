#include "app/process_metrics.h"

#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace guildhall {
namespace {

// The sizes of /proc/self/statm, in pages: all, resident.
double memory_bytes(int field) {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  for (int i = 0; i <= field; ++i) file >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double entries(const char* folder) {
  std::error_code error;
  double count = 0;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    ++count;
  }
  return count;
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double descriptors_max() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<double>(limit.rlim_cur);
}

}  // namespace

void show_process(Metrics& metrics) {
  metrics.read_counter("process_cpu_seconds_total", "Processor time, user and system.", cpu_seconds);
  metrics.gauge("process_virtual_memory_bytes", "Virtual memory.", [] { return memory_bytes(0); });
  metrics.gauge("process_resident_memory_bytes", "Resident memory.", [] { return memory_bytes(1); });
  metrics.gauge("process_open_fds", "Open descriptors.", [] { return entries("/proc/self/fd"); });
  metrics.gauge("process_max_fds", "The limit of open descriptors.", descriptors_max);
  metrics.gauge("process_threads", "Threads.", [] { return entries("/proc/self/task"); });
  const auto started = std::chrono::system_clock::now().time_since_epoch();
  metrics.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.",
                [started] { return std::chrono::duration<double>(started).count(); });
}

void show_disk(Metrics& metrics, const std::string& folder) {
  const auto space = [folder] {
    std::error_code error;
    const auto found = std::filesystem::space(folder, error);
    return error ? std::filesystem::space_info{} : found;
  };
  metrics.gauge("data_disk_free_bytes", "Free space on the disk of the data folder.",
                [space] { return static_cast<double>(space().available); });
  metrics.gauge("data_disk_size_bytes", "Size of the disk of the data folder.",
                [space] { return static_cast<double>(space().capacity); });
}

void show_build(Metrics& metrics, const std::string& database, const std::string& cache) {
  metrics.gauge("guildhall_build_info", "The version of the program and its engines.", [] { return 1; },
                {{"version", GUILDHALL_VERSION}, {"database", database}, {"cache", cache}});
}

}  // namespace guildhall
