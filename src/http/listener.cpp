#include "http/listener.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fcntl.h>
#include <mutex>
#include <netinet/in.h>
#include <set>
#include <sys/socket.h>

#include "base/ids.h"
#include "base/log.h"
#include "http/connection.h"

namespace guildhall::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;
using Executor = asio::io_context::executor_type;
using Acceptor = asio::basic_socket_acceptor<tcp, Executor>;
using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;
using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

constexpr auto sweep_ms = 250ms;
constexpr auto accept_pause_ms = 100ms;  // after accept() failed, mostly for lack of descriptors

// The addresses that this process listens on. SO_REUSEPORT lets the loops share a port, but it would also let a second
// server of the same user start on the same port unnoticed and receive half of the connections.
class ListenAddresses {
 public:
  // Listens on the address. If no other listener of this process uses it, a bind without SO_REUSEPORT comes first,
  // which fails if another process uses it. Two servers that start within the same few microseconds can still both
  // succeed.
  void open(Acceptor& acceptor, const tcp::endpoint& endpoint) {
    const std::lock_guard lock(mutex_);
    if (endpoint.port() != 0 && !in_use_.contains(endpoint)) {
      Acceptor probe(acceptor.get_executor());
      bind(probe, endpoint);
    }
    acceptor.open(endpoint.protocol());
    acceptor.set_option(ReusePort(true));
    bind(acceptor, endpoint);
    acceptor.listen(Acceptor::max_listen_connections);
    in_use_.insert(acceptor.local_endpoint());
  }

  void close(Acceptor& acceptor) {
    const std::lock_guard lock(mutex_);
    if (!acceptor.is_open()) return;
    in_use_.extract(acceptor.local_endpoint());
    acceptor.close();
  }

 private:
  static void bind(Acceptor& acceptor, const tcp::endpoint& endpoint) {
    if (!acceptor.is_open()) acceptor.open(endpoint.protocol());
    acceptor.set_option(Acceptor::reuse_address(true));
    if (endpoint.protocol() == tcp::v6()) acceptor.set_option(asio::ip::v6_only(false));
    acceptor.bind(endpoint);
  }

  std::mutex mutex_;
  std::multiset<tcp::endpoint> in_use_;
};

ListenAddresses& listen_addresses() {
  static ListenAddresses of_this_process;
  return of_this_process;
}

std::string peer_text(const asio::ip::address& address) {
  // An IPv6 socket reports an IPv4 client as ::ffff:192.0.2.1; rate limits and logs need one form for each address.
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
  }
  return address.to_string();
}

tcp::endpoint parse_endpoint(const std::string& host, std::uint16_t port) {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(host, error);
  if (error) throw std::runtime_error(fmt::format("Cannot listen on \"{}\": it is not an IP address.", host));
  return {address, port};
}

}  // namespace

struct Listener::Impl : std::enable_shared_from_this<Impl> {
  Impl(asio::io_context& io, Service& service, const Limits& limits, Capacity& capacity)
      : loop(io), acceptor(io), sweep_timer(io), state{service, limits, capacity, date_line(std::time(nullptr))} {}

  void listen(const std::string& host, std::uint16_t wanted_port);
  void listen(int socket);
  void begin();
  bool close_idle(std::string_view source);
  void reject(Socket socket);
  void stop();
  void abort();

  // The coroutines share ownership of Impl, because they may end after the Listener has been destroyed.
  static Task<void> accept(std::shared_ptr<Impl> self);
  static Task<void> start_connection(std::shared_ptr<Impl> self, Socket socket, tcp::endpoint peer);
  static Task<Quota::Hold> take_hold(std::shared_ptr<Impl> self, const std::string& peer);
  static Task<bool> close_idle_of_all(std::shared_ptr<Impl> self, std::string source);
  static Task<bool> close_idle_of(std::shared_ptr<Impl> other, std::string source);
  static Task<void> sweep(std::shared_ptr<Impl> self);
  struct ConnectionSlot;
  static Task<void> host(ConnectionSlot slot, Socket socket);

  asio::io_context& loop;
  Acceptor acceptor;
  Timer sweep_timer;
  ListenerState state;
  boost::intrusive::list<Connection, boost::intrusive::constant_time_size<false>> open;
  std::size_t open_count = 0;
  std::uint16_t port = 0;
};

// The open listeners of this process, on all loops.
class Listener::OpenListeners {
 public:
  void add(const std::shared_ptr<Impl>& listener) {
    const std::lock_guard lock(mutex_);
    open_.push_back(listener);
  }

  void remove(const Impl* listener) {
    const std::lock_guard lock(mutex_);
    std::erase_if(open_, [&](const auto& each) { return each.get() == listener; });
  }

  std::vector<std::shared_ptr<Impl>> sharing(const Capacity& capacity) {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Impl>> found;
    std::copy_if(open_.begin(), open_.end(), std::back_inserter(found),
                 [&](const auto& each) { return &each->state.capacity == &capacity; });
    return found;
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<Impl>> open_;
};

Listener::OpenListeners& Listener::open_listeners() {
  static OpenListeners of_this_process;
  return of_this_process;
}

// Counts a connection from its acceptance to its end.
struct Listener::Impl::ConnectionSlot {
  ConnectionSlot(std::shared_ptr<Impl> impl, std::string address, Quota::Hold counted)
      : listener(std::move(impl)), peer(std::move(address)), hold(std::move(counted)) {
    ++listener->open_count;
  }
  ConnectionSlot(ConnectionSlot&&) = default;
  ~ConnectionSlot() {
    if (listener) --listener->open_count;
  }

  std::shared_ptr<Impl> listener;
  std::string peer;
  Quota::Hold hold;
};

void Listener::Impl::listen(const std::string& host, std::uint16_t wanted_port) {
  const tcp::endpoint endpoint = parse_endpoint(host, wanted_port);
  try {
    listen_addresses().open(acceptor, endpoint);
  } catch (const boost::system::system_error& error) {
    const bool taken = error.code() == asio::error::address_in_use;
    throw std::runtime_error(fmt::format("Cannot listen on {} port {}: {}.", host, wanted_port,
                                         taken ? "another program already does" : error.code().message()));
  }
  begin();
}

void Listener::Impl::listen(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  int listening = 0;
  socklen_t flag_size = sizeof(listening);
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      (address.ss_family != AF_INET && address.ss_family != AF_INET6) ||
      ::getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listening, &flag_size) != 0 || listening == 0) {
    throw std::runtime_error("The descriptor that was passed is not a listening TCP socket.");
  }
  acceptor.assign(address.ss_family == AF_INET ? tcp::v4() : tcp::v6(), ::fcntl(socket, F_DUPFD_CLOEXEC, 0));
  begin();
}

void Listener::Impl::begin() {
  port = acceptor.local_endpoint().port();
  open_listeners().add(shared_from_this());
  asio::co_spawn(loop, accept(shared_from_this()), asio::detached);
  asio::co_spawn(loop, sweep(shared_from_this()), asio::detached);
}

Task<void> Listener::Impl::accept(std::shared_ptr<Impl> self) {
  bool warned = false;
  while (true) {
    tcp::endpoint peer;
    auto [error, socket] = co_await self->acceptor.async_accept(peer, outcome);
    if (!error && !self->state.stopping) {
      warned = false;
      co_await start_connection(self, std::move(socket), peer);
    }
    if (!self->acceptor.is_open()) co_return;
    if (!error) continue;
    // The process is probably out of descriptors, so an idle connection is closed. The pending client keeps the
    // acceptor ready, so accepting again at once would be a busy loop.
    co_await close_idle_of_all(self, {});
    if (!warned) log::warn("Cannot accept connections.", {{"error", error.message()}});
    warned = true;
    Timer pause(self->loop, accept_pause_ms);
    co_await pause.async_wait(outcome);
    if (!self->acceptor.is_open()) co_return;
  }
}

// Starts the connection of a new client. Errors are logged and not thrown, so that the next client can be accepted.
Task<void> Listener::Impl::start_connection(std::shared_ptr<Impl> self, Socket socket, tcp::endpoint peer) {
  try {
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    socket.non_blocking(true, ignored);
    std::string address = peer_text(peer.address());
    Quota::Hold hold = co_await take_hold(self, address);
    if (!hold) co_return self->reject(std::move(socket));
    ConnectionSlot slot(self, std::move(address), std::move(hold));
    asio::co_spawn(self->loop, host(std::move(slot), std::move(socket)), [](const std::exception_ptr& failure) {
      if (failure) log::error("A connection ended by an exception that nobody caught.");
    });
  } catch (const std::exception& error) {
    log::error("A connection could not be taken up.", {{"error", error.what()}});
  }
}

Task<Quota::Hold> Listener::Impl::take_hold(std::shared_ptr<Impl> self, const std::string& peer) {
  Quota& connections = self->state.capacity.connections;
  const std::string key = self->state.capacity.key_of(peer);
  Quota::Hold hold = connections.take(key, 1);
  if (!hold && co_await close_idle_of_all(self, connections.key_is_full(key, 1) ? key : "")) {
    hold = connections.take_beyond(key, 1);
  }
  co_return hold;
}

// Closes an idle connection of this listener or, if it has none, of another one with the same capacity: the kernel
// distributes connections at random, so one listener may have all of the idle ones.
Task<bool> Listener::Impl::close_idle_of_all(std::shared_ptr<Impl> self, std::string source) {
  if (self->close_idle(source)) co_return true;
  for (const std::shared_ptr<Impl>& other : open_listeners().sharing(self->state.capacity)) {
    if (other == self) continue;
    if (co_await asio::co_spawn(other->loop, close_idle_of(other, source), asio::use_awaitable_t<Executor>()))
      co_return true;
  }
  co_return false;
}

Task<bool> Listener::Impl::close_idle_of(std::shared_ptr<Impl> other, std::string source) {
  co_return other->close_idle(source);
}

// Closes the connection of that counted address (empty: of any address) that has been idle for longest. Returns false
// if none is idle.
bool Listener::Impl::close_idle(std::string_view source) {
  Connection* longest = nullptr;
  for (Connection& connection : open) {
    const auto deadline = connection.idle_deadline();
    if (!deadline || (!source.empty() && connection.source() != source)) continue;
    if (longest == nullptr || *deadline < *longest->idle_deadline()) longest = &connection;
  }
  if (longest != nullptr) longest->stop();
  return longest != nullptr;
}

// Replies 503 to a connection beyond the limit, without waiting.
void Listener::Impl::reject(Socket socket) {
  const Reply reply = state.service.malformed(503, "The server has too many connections.");
  std::string output;
  append_reply(output, reply, {.request_id = make_uuid(now()), .date_line = state.date, .close = true});
  error_code ignored;
  socket.write_some(asio::buffer(output), ignored);
  socket.shutdown(Socket::shutdown_send, ignored);
  // Reads the bytes that have arrived: otherwise closing would reset the connection, and the client might not see the
  // reply.
  std::array<char, 4096> unread;
  socket.read_some(asio::buffer(unread), ignored);
}

Task<void> Listener::Impl::host(ConnectionSlot slot, Socket socket) {
  Connection connection(slot.listener->state, std::move(socket), slot.peer);
  slot.listener->open.push_back(connection);
  co_await connection.serve();
}

Task<void> Listener::Impl::sweep(std::shared_ptr<Impl> self) {
  while (!self->state.stopping || self->open_count > 0) {
    self->state.date = date_line(std::time(nullptr));
    const std::chrono::milliseconds time = coarse_now();
    for (Connection& connection : self->open) connection.expire_if_due(time);
    self->sweep_timer.expires_after(sweep_ms);
    co_await self->sweep_timer.async_wait(outcome);
  }
}

void Listener::Impl::stop() {
  state.stopping = true;
  open_listeners().remove(this);
  listen_addresses().close(acceptor);
  for (Connection& connection : open) connection.stop();
}

void Listener::Impl::abort() {
  stop();
  for (Connection& connection : open) connection.abort();
  sweep_timer.cancel();
}

Listener::Listener(asio::io_context& loop, const std::string& host, std::uint16_t port, Service& service,
                   const Limits& limits, Capacity& capacity)
    : impl_(std::make_shared<Impl>(loop, service, limits, capacity)) {
  impl_->listen(host, port);
}

Listener::Listener(asio::io_context& loop, int socket, Service& service, const Limits& limits, Capacity& capacity)
    : impl_(std::make_shared<Impl>(loop, service, limits, capacity)) {
  impl_->listen(socket);
}

Listener::~Listener() {
  impl_->abort();
}

std::uint16_t Listener::port() const {
  return impl_->port;
}

void Listener::drain() {
  impl_->state.draining = true;
  for (const Connection& connection : impl_->open) connection.end_live_reply();
}

void Listener::stop_accepting() {
  listen_addresses().close(impl_->acceptor);
  drain();
}

void Listener::stop() {
  impl_->stop();
}

std::size_t Listener::connections() const {
  return impl_->open_count;
}

void Listener::abort() {
  impl_->abort();
}

}  // namespace guildhall::http
