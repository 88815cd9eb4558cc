#include "cache/redis/asio_adapter.h"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <hiredis/async.h>

namespace guildhall {
namespace {

namespace asio = boost::asio;

// hiredis requests reads and writes through hooks that receive a plain pointer. The object keeps itself alive until
// hiredis calls the clean-up hook, and longer while a handler on the loop still refers to it.
class LoopEvents : public std::enable_shared_from_this<LoopEvents> {
 public:
  LoopEvents(redisAsyncContext* context, asio::io_context& loop, std::function<void(std::string_view)> gone)
      : context_(context), socket_(loop, context->c.fd), gone_(std::move(gone)) {}

  void attach() {
    self_ = shared_from_this();
    context_->ev.data = this;
    context_->ev.addRead = [](void* data) { static_cast<LoopEvents*>(data)->read_soon(); };
    context_->ev.addWrite = [](void* data) { static_cast<LoopEvents*>(data)->write_soon(); };
    context_->ev.cleanup = [](void* data) { static_cast<LoopEvents*>(data)->let_go(); };
    write_soon();  // the socket becomes writable when the connection is established
  }

 private:
  using Descriptor = asio::posix::basic_stream_descriptor<asio::io_context::executor_type>;

  void read_soon() {
    if (reading_) return;
    reading_ = true;
    socket_.async_wait(Descriptor::wait_read, [self = shared_from_this()](boost::system::error_code) {
      self->reading_ = false;
      if (self->context_) redisAsyncHandleRead(self->context_);
    });
  }

  void write_soon() {
    if (writing_) return;
    writing_ = true;
    const bool connected = (context_->c.flags & REDIS_CONNECTED) != 0;
    if (connected && !flushing_) {
      // A socket is nearly always writable. Writing in the next turn of the loop, without waiting for it, sends the
      // commands of many requests in one call.
      asio::post(socket_.get_executor(), [self = shared_from_this()] { self->flush(); });
    } else {
      socket_.async_wait(Descriptor::wait_write,
                         [self = shared_from_this()](boost::system::error_code) { self->flush(); });
    }
  }

  void flush() {
    writing_ = false;
    if (!context_) return;
    flushing_ = true;
    redisAsyncHandleWrite(context_);
    flushing_ = false;
  }

  // hiredis closes the socket after this, so the loop has to release it first.
  void let_go() {
    const std::string reason = context_->err != 0 ? context_->errstr : "";
    context_ = nullptr;
    socket_.release();
    const auto keep = std::move(self_);
    gone_(reason);
  }

  redisAsyncContext* context_;  // null once hiredis has freed it
  Descriptor socket_;
  std::function<void(std::string_view)> gone_;
  std::shared_ptr<LoopEvents> self_;
  bool reading_ = false;
  bool writing_ = false;
  bool flushing_ = false;
};

}  // namespace

void attach_to_loop(redisAsyncContext* context, asio::io_context& loop, std::function<void(std::string_view)> gone) {
  std::make_shared<LoopEvents>(context, loop, std::move(gone))->attach();
}

}  // namespace guildhall
