#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <ranges>

#include "base/log.h"
#include "storage/postgres/reader.h"

// Making and losing the connection of a PgReader.
namespace guildhall {

namespace asio = boost::asio;

void PgReader::connect() {
  state_ = State::connecting;
  ++epoch_;
  connection_ = start_connecting(url_);
  if (PQstatus(connection_.get()) == CONNECTION_BAD) return connect_failed(error_message(connection_.get()));
  connect_timer_.expires_after(std::chrono::seconds(connect_seconds_max));
  connect_timer_.async_wait([self = shared_from_this(), epoch = epoch_](boost::system::error_code error) {
    if (error || epoch != self->epoch_ || self->state_ != State::connecting) return;
    self->connect_failed("no answer");
    self->deliver();
  });
  socket_.assign(PQsocket(connection_.get()));
  wait(asio::posix::descriptor_base::wait_write, &PgReader::poll_connect);
}

void PgReader::poll_connect() {
  PostgresPollingStatusType status = PQconnectPoll(connection_.get());
  // libpq may have continued with another address and another socket, which may have the same descriptor.
  socket_.release();
  if (status == PGRES_POLLING_FAILED) {
    connect_failed(error_message(connection_.get()));
    return deliver();
  }
  socket_.assign(PQsocket(connection_.get()));
  if (status == PGRES_POLLING_READING) {
    wait(asio::posix::descriptor_base::wait_read, &PgReader::poll_connect);
  } else if (status == PGRES_POLLING_WRITING) {
    wait(asio::posix::descriptor_base::wait_write, &PgReader::poll_connect);
  } else {
    connected();
    deliver();
  }
}

void PgReader::connected() {
  connect_timer_.cancel();
  back_off_.succeeded();
  state_ = State::ready;
  sent_.push_back({Expected::settings});
  bool ready = PQsetnonblocking(connection_.get(), 1) == 0 && PQenterPipelineMode(connection_.get()) == 1 &&
               PQsendQueryParams(connection_.get(), reading_session_settings.c_str(), 0, nullptr, nullptr, nullptr,
                                 nullptr, 0) == 1 &&
               send_sync();
  if (!ready) return lose();
  send_waiting();
}

void PgReader::connect_failed(std::string_view reason) {
  log::error("No connection to PostgreSQL", {{"error", reason}});
  disconnect();
  back_off_.failed();
  for (Read* read : std::exchange(waiting_, {})) {
    read->unsent = true;
    finish(*read);
  }
}

void PgReader::disconnect() {
  state_ = State::down;
  ++epoch_;
  connect_timer_.cancel();
  silence_timer_.cancel();
  watching_ = false;
  if (socket_.is_open()) socket_.release();
  connection_.reset();
  statements_ = {};
  awaiting_input_ = false;
  awaiting_output_ = false;
}

void PgReader::lose() {
  log::warn("The connection to PostgreSQL broke", {{"reads_under_way", sent_.size()}});
  disconnect();
  std::deque<Sent> sent = std::exchange(sent_, {});
  for (auto each = sent.rbegin(); each != sent.rend(); ++each) {
    if (each->expected != Expected::statement) continue;
    for (Read* read : each->reads | std::views::reverse) {
      if (read->answered || read->error) {
        finish(*read);
      } else if (read->resent) {
        fail(*read, "The connection to the database broke.");
      } else {
        read->resent = true;
        waiting_.push_front(read);
      }
    }
  }
  if (!waiting_.empty()) schedule_turn();
}

void PgReader::watch_for_silence() {
  if (watching_ || sent_.empty()) return;
  watching_ = true;
  silent_since_ = std::chrono::steady_clock::now();
  check_silence();
}

// A frozen server keeps its connections open, so it is detected by its silence.
void PgReader::check_silence() {
  if (sent_.empty()) {
    watching_ = false;
    return;
  }
  if (std::chrono::steady_clock::now() - silent_since_ >= silence_.get()) {
    log::error("PostgreSQL does not answer: the connection is given up", {{"reads_under_way", sent_.size()}});
    std::deque<Sent> sent = std::exchange(sent_, {});
    disconnect();
    silence_.exceeded();
    back_off_.failed();
    for (const Sent& each : sent) {
      if (each.expected == Expected::statement) fail_all(each, "The database does not answer.");
    }
    for (Read* read : std::exchange(waiting_, {})) fail(*read, "The database does not answer.");
    return deliver();
  }
  silence_timer_.expires_after(SilenceLimit::check_interval);
  silence_timer_.async_wait([self = shared_from_this(), epoch = epoch_](boost::system::error_code error) {
    if (!error && epoch == self->epoch_) self->check_silence();
  });
}

void PgReader::close() {
  std::deque<Sent> sent = std::exchange(sent_, {});
  disconnect();
  state_ = State::closed;
  for (const Sent& each : sent) {
    if (each.expected == Expected::statement) fail_all(each, "The service is shutting down.");
  }
  for (Read* read : std::exchange(waiting_, {})) fail(*read, "The service is shutting down.");
  // The coroutines are not resumed here, because the caller is not on their stack and the loop may have stopped.
  if (!done_.empty()) asio::post(loop_, Delivery(std::exchange(done_, {})));
}

void PgReader::wait(asio::posix::descriptor_base::wait_type what, Step next) {
  socket_.async_wait(what, [self = shared_from_this(), epoch = epoch_, next](boost::system::error_code error) {
    // libpq detects and reports any other error.
    if (error != asio::error::operation_aborted && epoch == self->epoch_) (self.get()->*next)();
  });
}

}  // namespace guildhall
