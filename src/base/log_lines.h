#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace guildhall::log {

// Writes many lines with few system calls: each producer fills a buffer of its own, and one thread writes them all to
// standard error, a fifth of a second later at most. A producer never waits for standard error: when it is not read
// fast enough, lines are dropped and counted.
class LineWriter {
 public:
  static constexpr std::size_t buffer_bytes_max = 1024 * 1024;  // of one producer

  class Buffer {
   public:
    // Complete lines, each with its line end.
    void append(std::string_view lines);

   private:
    friend class LineWriter;
    explicit Buffer(LineWriter& writer) : writer_(writer) {}

    LineWriter& writer_;
    std::mutex mutex_;  // held by the writer only to swap, so hardly ever waited for
    std::string text_;
    std::uint64_t dropped_ = 0;
  };

  LineWriter();
  ~LineWriter();  // writes what is left
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  // Before the producers start. Lives as long as the writer.
  Buffer& new_buffer();

 private:
  void run();
  void write_all();

  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  bool full_ = false;  // a buffer is half full: do not wait for the next turn
  std::thread thread_;
};

}  // namespace guildhall::log
