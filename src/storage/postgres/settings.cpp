#include "storage/postgres/settings.h"

#include <array>

#include "base/log.h"

namespace guildhall {
namespace {

// The keywords before `dbname` are defaults that the URL may override; those after it override the URL. The kernel
// detects a dead peer: within 15 s when data was sent and not acknowledged, otherwise within 25 s.
constexpr std::array<const char*, 9> keywords{"application_name",
                                              "connect_timeout",
                                              "keepalives_idle",
                                              "keepalives_interval",
                                              "keepalives_count",
                                              "tcp_user_timeout",
                                              "dbname",
                                              "client_encoding",
                                              nullptr};

std::array<const char*, 9> values(const std::string& url) {
  static const std::string connect_timeout = std::to_string(connect_seconds_max);
  return {"guildhall", connect_timeout.c_str(), "10", "5", "3", "15000", url.c_str(), "UTF8", nullptr};
}

void log_notice(void* /*unused*/, const char* message) {
  log::debug("PostgreSQL", {{"notice", message}});
}

}  // namespace

PgHandle connect_and_wait(const std::string& url) {
  PgHandle connection(PQconnectdbParams(keywords.data(), values(url).data(), 1));
  PQsetNoticeProcessor(connection.get(), log_notice, nullptr);
  return connection;
}

PgHandle start_connecting(const std::string& url) {
  PgHandle connection(PQconnectStartParams(keywords.data(), values(url).data(), 1));
  PQsetNoticeProcessor(connection.get(), log_notice, nullptr);
  return connection;
}

std::string error_message(PGconn* connection) {
  std::string message = PQerrorMessage(connection);
  while (message.ends_with('\n')) message.pop_back();
  return message;
}

namespace {

constexpr std::string_view common_settings =
    "set_config('statement_timeout', '10s', false), set_config('lock_timeout', '5s', false),"
    " set_config('TimeZone', 'UTC', false), set_config('plan_cache_mode', 'force_generic_plan', false),"
    " set_config('enable_memoize', 'off', false)";

}  // namespace

const Sql session_settings(
    fmt::format("SELECT {}, set_config('synchronous_commit', 'on', false),"
                " set_config('idle_in_transaction_session_timeout', '30s', false)",
                common_settings));

const std::string reading_session_settings =
    fmt::format("SELECT {}, set_config('default_transaction_read_only', 'on', false)", common_settings);

}  // namespace guildhall
