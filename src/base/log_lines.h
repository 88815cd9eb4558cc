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
// standard error, at most a fifth of a second later. A producer never waits for standard error: when it is not read
// fast enough, lines are dropped and counted.
class LineWriter {
 public:
  static constexpr std::size_t buffer_bytes_max = 1024 * 1024;  // of one producer

  class Buffer {
   public:
    // Adds complete lines, each with its line end.
    void append(std::string_view lines);

   private:
    friend class LineWriter;
    explicit Buffer(LineWriter& writer) : writer_(writer) {}

    LineWriter& writer_;
    std::mutex mutex_;  // the writer holds it only to swap the texts, so there is hardly any waiting
    std::string text_;
    std::uint64_t dropped_ = 0;
  };

  LineWriter();
  ~LineWriter();  // writes the remaining lines
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
  bool full_ = false;  // a buffer is half full, so the thread writes without waiting for the next turn
  std::thread thread_;
};

}  // namespace guildhall::log
