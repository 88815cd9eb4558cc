#include "base/log_lines.h"

#include <cerrno>
#include <chrono>
#include <unistd.h>
#include <utility>

#include "base/log.h"

namespace guildhall::log {
namespace {

constexpr std::chrono::milliseconds pause{200};
constexpr std::size_t wake_bytes = LineWriter::buffer_bytes_max / 2;

void write_fully(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // a log that cannot be written is no reason to stop
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void LineWriter::Buffer::append(std::string_view lines) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    if (text_.size() + lines.size() > buffer_bytes_max) {
      ++dropped_;
      return;
    }
    wake = text_.size() < wake_bytes && text_.size() + lines.size() >= wake_bytes;
    text_ += lines;
  }
  if (!wake) return;
  const std::lock_guard lock(writer_.mutex_);
  writer_.full_ = true;
  writer_.wake_.notify_one();
}

LineWriter::LineWriter() : thread_([this] { run(); }) {}

LineWriter::~LineWriter() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_one();
  }
  thread_.join();
  write_all();
  report_repeats(true);
}

LineWriter::Buffer& LineWriter::new_buffer() {
  const std::lock_guard lock(mutex_);
  buffers_.push_back(std::unique_ptr<Buffer>(new Buffer(*this)));
  return *buffers_.back();
}

void LineWriter::run() {
  std::unique_lock lock(mutex_);
  for (int turn = 0; !stopping_; ++turn) {
    wake_.wait_for(lock, pause, [this] { return stopping_ || full_; });
    full_ = false;
    lock.unlock();
    write_all();
    if (turn % 5 == 0) report_repeats();
    lock.lock();
  }
}

// Called by the thread alone, or after its end.
void LineWriter::write_all() {
  std::vector<Buffer*> buffers;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& buffer : buffers_) buffers.push_back(buffer.get());
  }
  static thread_local std::string text;
  for (Buffer* buffer : buffers) {
    std::uint64_t dropped = 0;
    {
      const std::lock_guard lock(buffer->mutex_);
      text.clear();
      text.swap(buffer->text_);
      dropped = std::exchange(buffer->dropped_, 0);
    }
    write_fully(text);
    if (dropped > 0) warn("log lines were dropped: standard error is not read fast enough", {{"lines", dropped}});
  }
}

}  // namespace guildhall::log
