#include "app/app.h"

#include <signal.h>

#include "app/business_metrics.h"
#include "app/clock_watch.h"
#include "app/descriptors.h"
#include "app/exit_watchdog.h"
#include "app/key_check.h"
#include "app/list_fill.h"
#include "app/loop.h"
#include "app/maintenance.h"
#include "app/node_announcer.h"
#include "app/ops/backup/backup.h"
#include "app/ops/backup/requested_backups.h"
#include "app/ops/backup/scheduled_backups.h"
#include "app/ops/doctor/doctor.h"
#include "app/periodic.h"
#include "app/process_metrics.h"
#include "app/running_server.h"
#include "app/secret_file.h"
#include "app/service_manager.h"
#include "app/slices.h"
#include "audit/audit_chain.h"
#include "base/log.h"
#include "base/misspelt_variables.h"
#include "base/process_state.h"
#include "base/worker_pools.h"
#include "cache/memory/memory_store.h"
#include "features/changes/change_feed.h"
#include "features/chat_platform/chat_client.h"
#include "features/identity/user_store.h"
#include "features/media/media.h"
#include "features/messages/alerts/push_store.h"
#include "features/messages/messages.h"
#include "features/operations/routes.h"
#include "features/payments/payment_service.h"
#include "features/tenancy/tenant.h"
#include "features/webhooks/webhook_intake.h"
#include "outbound/http_client.h"
#include "outbound/trace_exporter.h"
#include "pdf/font.h"
#include "storage/migrations.h"
#include "storage/slow_statements.h"

namespace guildhall {
namespace {

constexpr int hashing_threads = 2;  // each Argon2 hash takes a core and 64 MiB
constexpr std::size_t hashing_queued_max = 64;

// Threads that wait for other servers. The pools are separate so that slow servers do not delay sign-ins, and slow
// certificate servers, which a forged webhook can name, do not delay payments.
constexpr int outbound_threads = 8;
constexpr std::size_t outbound_queued_max = 64;
constexpr int payment_threads = 16;
constexpr std::size_t payments_queued_max = 256;
constexpr int certificate_threads = 2;
constexpr std::size_t certificates_queued_max = 32;

constexpr std::size_t local_windows_bytes_max = 8 << 20;
constexpr std::chrono::seconds stop_max{15};  // when stopping takes longer, the process exits
constexpr std::chrono::seconds filling_pause{1};
constexpr std::chrono::minutes maintenance_pause{10};
constexpr std::chrono::seconds statistics_pause{3};
constexpr std::chrono::seconds sealing_pause{2};  // a change of an entry that is not sealed yet is not detected

// Generates the secrets that development needs, and resolves the number of loops.
Config completed(Config config) {
  if (config.session_signing_secrets.empty()) {
    config.session_signing_secrets = {generated_secret(config.data_dir + "/session-secret")};
  }
  if (config.service_master_keys.empty() && config.development) {
    config.service_master_keys = {generated_secret(config.data_dir + "/master-key")};
  }
  if (config.loops == 0) config.loops = std::max(1u, std::thread::hardware_concurrency());
  return config;
}

// One client address gets at most an eighth of the connections.
http::Capacity capacity_for(const Config& config) {
  const std::size_t connections = connections_for(raise_descriptor_limit(), config);
  return {.connections{connections, std::max<std::size_t>(1, connections / 8)},
          .trusted_proxies = config.trusted_proxies};
}

// Live changes leave half of the connections to requests.
std::size_t change_streams_max(const Config& config) {
  return std::min(static_cast<std::size_t>(config.change_streams_max),
                  connections_for(raise_descriptor_limit(), config) / 2);
}

// A tenant's pages may have 128 KiB for each request that it may make: 2 MiB a second by default, after 16 MiB at once.
constexpr std::int64_t page_bytes_per_request = 128 * 1024;
constexpr std::int64_t reply_burst_bytes = 16 * 1024 * 1024;

std::int64_t reply_bytes_per_second(const Config& config) {
  return config.rate_limit_disabled ? 0 : config.rate_limit_tenant_per_min * page_bytes_per_request / 60;
}

std::unique_ptr<Storage> opened_storage(const Config& config, Metrics& metrics) {
  log_slow_statements(std::chrono::milliseconds(config.slow_statement_ms));
  StorageOptions options{.url = config.database_url,
                         .read_url = config.database_read_url,
                         .writer_connections_max = static_cast<int>(config.database_connections),
                         .gathered_log = config.sqlite_gathered_log,
                         .metrics = &metrics};
  options.silence_max = std::min(options.silence_max, std::chrono::milliseconds(config.request_timeout_ms));
  auto storage = open_storage(options);
  const int applied = migrate(*storage);
  if (applied > 0) log::info("database migrated", {{"steps", applied}});
  fill_username_keys(*storage);
  storage->write_now([&](Tx& tx) { ensure_default_tenant(tx, config.default_tenant, now()); });
  return storage;
}

std::vector<std::string> present_warnings(const ClockWatch& clock, const ListFill& list_fill) {
  std::vector<std::string> warnings = list_fill.warnings();
  if (const auto warning = clock.warning()) warnings.push_back(*warning);
  return warnings;
}

// A module asks for its own part of the configuration.
template <class... Parts>
void add_parts(Services& services, const JoinedConfig<Parts...>& config) {
  services.add(static_cast<const Parts&>(config)...);
}

outbox::DispatcherOptions dispatcher_options(const outbox::OutboxConfig& config) {
  return {.threads = static_cast<int>(config.outbox_threads),
          .lease = std::chrono::seconds(config.outbox_lease_seconds)};
}

std::unique_ptr<CacheEngine> opened_cache(const Config& config, Metrics& metrics) {
  return open_cache({.url = config.cache_url,
                     .keep_file = config.data_dir + "/sessions.kept",
                     .reply_within = std::chrono::milliseconds(config.cache_timeout_ms),
                     .metrics = &metrics});
}

// Waits for one of the signals. Until then it tells the service manager that the process is alive, as long as all loops
// are.
int wait_for_signal(const sigset_t& signals, const std::vector<std::unique_ptr<Loop>>& loops) {
  using std::chrono::nanoseconds, std::chrono::seconds;
  const auto watchdog = watchdog_pause();
  const nanoseconds pause = watchdog.value_or(std::chrono::hours(1));
  const seconds whole = std::chrono::floor<seconds>(pause);
  const timespec time{.tv_sec = whole.count(), .tv_nsec = (pause - whole).count()};
  while (true) {
    const int received = sigtimedwait(&signals, nullptr, &time);
    if (received > 0) return received;
    const bool alive = std::all_of(loops.begin(), loops.end(), [](const auto& loop) { return loop->is_alive(); });
    if (watchdog && alive) notify_service_manager("WATCHDOG=1");
  }
}

}  // namespace

// Members are destroyed from the last to the first: the users of an engine before the engine, and the worker pools
// before the loops whose coroutines wait for them.
struct App::Impl {
  Impl(Config given, std::optional<int> inherited_socket, const Slices* added)
      : config(completed(std::move(given))),
        slices(slices_with(added)),
        storage(opened_storage(config, metrics)),
        cache(opened_cache(config, metrics)) {
    if (!config.otlp_endpoint.empty()) traces.emplace(config, metrics);
    if (!config.service_master_keys.empty()) secrets.emplace(config.service_master_keys);
    if (secrets) ensure_key_check(*storage, *secrets);
    if (secrets) messages.push.key = ensure_vapid_key(*storage, *secrets);
    messages.push.targets = config.webhook_private_targets ? TargetRule::any : TargetRule::public_https;
    outbound::allow_private_targets(config.webhook_private_targets);
    payments.emplace(config, config, secrets ? &*secrets : nullptr, events, payment_calls, certificate_fetches);
    services.add(std::as_const(config), metrics, *storage, *cache, local_windows, hashing, outbound,
                 std::as_const(secrets), std::as_const(intake), std::as_const(events), std::as_const(*payments),
                 std::as_const(messages), std::as_const(media), fonts, chat, std::as_const(process), capacity,
                 reply_rate, lines, changes, std::as_const(platform), published, slices);
    add_parts(services, config);
    subscribe(slices, events, services);
    count_business_events(events, metrics);
    handle_webhooks(slices, intake, services);
    show_process(metrics);
    show_disk(metrics, config.data_dir);
    show_build(metrics, storage->name(), cache->name());
    show_capacity();
    std::uint16_t port = config.listen.port;
    for (int i = 0; i < config.loops; ++i) {
      loops.push_back(std::make_unique<Loop>(services, port, inherited_socket));
      port = loops.front()->port();
    }
    if (inherited_socket && port != config.listen.port) {
      log::warn("LISTEN_ADDR is not used: the service manager has passed a socket with another port",
                {{"configured", config.listen.text()}, {"port", port}});
    }
    config.listen.port = port;
    platform.node = make_node(config.listen.text(), now());
    metrics.gauge("clock_ahead_seconds", "How far this machine's clock is ahead of the database's.",
                  [this] { return std::chrono::duration<double>(clock.difference()).count(); });
    listen_for_metrics();
    handle_topics(slices, dispatcher, services);
  }

  void start_jobs() {
    const auto repeat = [this](std::string_view job, std::chrono::milliseconds pause, Periodic::Work work) {
      jobs.push_back(std::make_unique<Periodic>(metrics, job, pause, std::move(work)));
    };
    repeat("maintenance", maintenance_pause,
           [this](const JobFailures& failures) { maintain(*storage, config, now(), failures); });
    repeat("audit_sealing", sealing_pause,
           [this](const JobFailures& failures) { seal_audit_trail(*storage, failures); });
    if (storage->name() == "postgresql") {
      repeat("table_statistics", statistics_pause,
             [this](const JobFailures&) { collect_missing_statistics(*storage); });
    }
    repeat("search_texts", filling_pause,
           [this](const JobFailures& failures) { list_fill.run(*storage, stopping, failures); });
    for (const Slice& slice : slices) {
      for (const Slice::Job& job : slice.jobs()) {
        repeat(job.name, job.pause, [this, &job](const JobFailures& failures) { job.run(services, failures); });
      }
    }
  }

  // The checks of `guildhall doctor`, made by the server itself.
  DoctorReport examine_installation(bool online) {
    const std::unique_lock lock(examination, std::try_to_lock);
    if (!lock) throw unavailable("Another examination is running. Try again in a moment.");
    const Examined examined{.config = config,
                            .variable_names = process_variable_names(),
                            .read_database =
                                [this](FunctionRef<void(Tx&, const std::string&)> body) {
                                  storage->read_now([&](Tx& tx) { body(tx, storage->name()); });
                                },
                            .check_cache =
                                [this] {
                                  cache->check();
                                  return cache->name();
                                },
                            .by_server = true};
    return examine(examined, online).report();
  }

  void show_capacity() {
    metrics.gauge("http_connections", "Open client connections.",
                  [this] { return static_cast<double>(capacity.connections.held()); });
    metrics.gauge("http_unsent_bytes", "Bytes of replies that wait for slow readers.",
                  [this] { return static_cast<double>(capacity.reply_bytes.held()); });
  }

  // A default address that is in use does not stop the start; an address that the operator has configured does.
  void listen_for_metrics() {
    if (!config.metrics) return;
    try {
      loops.front()->listen_for_metrics(*config.metrics);
    } catch (const std::runtime_error& error) {
      if (config.metrics_required) throw;
      log::warn("metrics are not served: set METRICS_ADDR to a free address", {{"error", error.what()}});
    }
  }

  Config config;
  const Slices slices;
  http::Capacity capacity = capacity_for(config);
  api::ReplyRate reply_rate{reply_bytes_per_second(config), reply_burst_bytes};
  log::LineWriter lines;
  Metrics metrics;
  ListFill list_fill{metrics};
  std::optional<SecretBox> secrets;
  std::optional<outbound::TraceExporter> traces;
  std::unique_ptr<Storage> storage;
  ClockWatch clock{*storage, metrics};
  ProcessState process{.started = now(), .variables = config_variables(), .present_warnings = [this] {
                         return present_warnings(clock, list_fill);
                       }};
  std::unique_ptr<CacheEngine> cache;
  MemoryStore local_windows{local_windows_bytes_max};
  ChatClient chat{config.chat_api_base_url, config.chat_bot_token,
                  storage->name() == "postgresql" ? storage.get() : nullptr};
  Events events;
  Messages messages{config, {config, config}, {config.session_signing_secrets, config}};
  WebhookIntake intake{events};
  std::optional<PaymentService> payments;
  ChangeFeed changes{*storage, metrics, change_streams_max(config),
                     static_cast<std::size_t>(config.change_streams_per_tenant)};
  RequestedBackups requested_backups{config, *cache};
  std::mutex examination;  // one at a time
  PlatformTools platform{.node = {},
                         .examine = [this](bool online) { return examine_installation(online); },
                         .list_backups = [this] { return requested_backups.list(); },
                         .start_backup = [this] { requested_backups.start(); }};
  const std::vector<std::string_view> event_names = published_event_names_of(slices);
  const PublishedEvents published{event_names};
  Services services;  // all of these
  std::vector<std::unique_ptr<Loop>> loops;
  Media media{config};  // with a worker pool
  const pdf::Fonts fonts{config.pdf_fonts};
  HashingWorkers hashing{hashing_threads, hashing_queued_max};
  OutboundWorkers outbound{outbound_threads, outbound_queued_max};
  WorkerPool payment_calls{payment_threads, payments_queued_max};
  WorkerPool certificate_fetches{certificate_threads, certificates_queued_max};
  outbox::Dispatcher dispatcher{*storage, metrics, dispatcher_options(config)};
  std::vector<std::unique_ptr<Periodic>> jobs;  // empty before the start and after the stop
  std::atomic<bool> stopping = false;
  std::unique_ptr<ScheduledBackups> backups;
  std::unique_ptr<NodeAnnouncer> announcer;
  std::unique_ptr<RunningServer> running;
};

App::App(Config config, std::optional<int> inherited_socket, const std::vector<Slice>* added)
    : impl_(std::make_unique<Impl>(std::move(config), inherited_socket, added)) {}

App::~App() {
  stop();
}

void App::start() {
  impl_->start_jobs();
  impl_->changes.start();
  impl_->backups = std::make_unique<ScheduledBackups>(impl_->config, *impl_->cache, impl_->metrics);
  impl_->announcer = std::make_unique<NodeAnnouncer>(*impl_->storage, impl_->metrics, impl_->platform.node);
  impl_->running = std::make_unique<RunningServer>(impl_->config.data_dir, impl_->platform.node.node_id);
  for (auto& loop : impl_->loops) loop->start();
  impl_->dispatcher.start();
  for (const std::string& warning : warnings_of(impl_->config)) log::warn(warning);
  log::info("serving", {{"address", impl_->config.listen.text()},
                        {"database", impl_->storage->name()},
                        {"cache", impl_->cache->name()},
                        {"loops", impl_->loops.size()},
                        {"version", GUILDHALL_VERSION}});
}

void App::drain() {
  impl_->process.draining = true;
  for (auto& loop : impl_->loops) loop->begin_drain();
}

void App::stop() {
  if (!impl_ || impl_->jobs.empty()) return;
  impl_->stopping = true;
  impl_->storage->begin_stop();
  impl_->jobs.clear();
  impl_->changes.stop();
  impl_->running.reset();
  impl_->announcer.reset();
  for (auto& loop : impl_->loops) loop->begin_stop();
  impl_->dispatcher.stop();
  for (auto& loop : impl_->loops) loop->join();
  impl_->backups.reset();  // after the loops, because /metrics reads from it
  log::info("stopped");
}

void App::run() {
  start();
  notify_service_manager("READY=1");
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  const int received = wait_for_signal(signals, impl_->loops);
  log::info("draining", {{"signal", received}, {"seconds", impl_->config.drain_seconds}});
  notify_service_manager("STOPPING=1");
  drain();
  const timespec time{.tv_sec = impl_->config.drain_seconds, .tv_nsec = 0};
  if (time.tv_sec > 0) sigtimedwait(&signals, nullptr, &time);  // a second signal ends the drain early
  const ExitWatchdog watchdog(stop_max);
  log::info("stopping");
  stop();
  impl_.reset();
}

std::uint16_t App::port() const {
  return impl_->config.listen.port;
}

std::uint16_t App::metrics_port() const {
  return impl_->loops.front()->metrics_port();
}

const std::vector<api::Route>& App::routes() const {
  return impl_->loops.front()->routes();
}

Storage& App::storage() {
  return *impl_->storage;
}

const Events& App::events() const {
  return impl_->events;
}

}  // namespace guildhall
