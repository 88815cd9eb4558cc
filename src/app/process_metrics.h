#pragma once

#include "base/metrics.h"

namespace guildhall {

// Shows the process's memory, descriptors, threads and processor time, under the names that Prometheus clients use.
void show_process(Metrics& metrics);

// Shows the size and the free space of the disk that has the folder.
void show_disk(Metrics& metrics, const std::string& folder);

// Shows the version of the program and its engines, as labels of a metric that is always 1.
void show_build(Metrics& metrics, const std::string& database, const std::string& cache);

}  // namespace guildhall
