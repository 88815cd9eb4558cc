#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

// The process that converts one picture. It runs the server's own binary with a hidden command and talks through a
// socket, which is both its standard input and its standard output. Before it reads the picture it gives up everything
// that a hostile picture could use: it has no environment, no other descriptor, little memory and time, and may make
// only the few system calls that decoding needs.
namespace guildhall {

// The first argument of the process. The others are the limits: memory in bytes, processor time in seconds.
constexpr std::string_view picture_worker_command = "convert-picture";

struct PictureWorkerLimits {
  std::int64_t memory_bytes_max = 384 << 20;  // address space; a progressive JPEG of 25 megapixels needs about 200 MiB
  std::int64_t cpu_seconds_max = 10;
  std::chrono::milliseconds time_max{20'000};  // enforced by the server
};

// Returns the exit code: 0, a PictureRefusal, or 1 if the process could not be confined. Only for main().
int run_picture_worker(int argc, char** argv);

}  // namespace guildhall
