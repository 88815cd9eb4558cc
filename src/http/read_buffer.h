#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace guildhall::http {

// The bytes that a connection has received and not used yet. The memory is never reallocated, because a request's views
// point into it. Layout: [used | unread | room]. Used bytes stay in place until rewind() or move_to_front().
class ReadBuffer {
 public:
  explicit ReadBuffer(std::size_t capacity)
      : data_(std::make_unique_for_overwrite<char[]>(capacity)), capacity_(capacity) {}

  std::string_view unread() const { return {data_.get() + begin_, end_ - begin_}; }
  std::span<char> room() { return {data_.get() + end_, capacity_ - end_}; }
  std::size_t used() const { return begin_; }
  void received(std::size_t n) { end_ += n; }
  void use(std::size_t n) { begin_ += n; }

  // Moves the unread bytes to the front, which frees as much room as possible. Views into the buffer become invalid.
  void move_to_front() {
    if (begin_ == 0) return;
    std::memmove(data_.get(), data_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }

  // Discards all but the first `kept` bytes, which count as used. Views into these bytes stay valid.
  void rewind(std::size_t kept) { begin_ = end_ = kept; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t capacity_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace guildhall::http
