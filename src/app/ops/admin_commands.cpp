#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <istream>
#include <ostream>

#include "app/ops/commands.h"
#include "app/ops/installation.h"
#include "audit/audit.h"
#include "base/encoding.h"
#include "base/password.h"
#include "base/text.h"
#include "features/identity/grants.h"
#include "features/identity/local_sign_in.h"
#include "features/identity/password_reset.h"
#include "features/identity/permissions.h"
#include "features/identity/second_factor.h"
#include "features/identity/user_actions.h"

namespace guildhall {
namespace {

constexpr std::size_t password_characters_min = 8, password_characters_max = 256;
constexpr std::size_t generated_password_bytes = 15;  // 20 characters

void require_not_default_admin(const Config& config, const AdminAccount& account) {
  if (folded(account.username) != folded(config.local_admin_username)) return;
  throw std::runtime_error(
      fmt::format("--username: {} is the default admin, whose password is LOCAL_ADMIN_PASSWORD. Change that variable "
                  "and start the server again.",
                  account.username));
}

struct Password {
  std::string text;
  bool generated;
};

Password password_of(const AdminAccount& account, std::istream& in) {
  if (!account.password_from_input) return {base64url(random_bytes(generated_password_bytes)), true};
  std::string text;
  std::getline(in, text);
  if (!text.empty() && text.back() == '\r') text.pop_back();
  if (text.size() < password_characters_min || text.size() > password_characters_max) {
    throw std::runtime_error(fmt::format("--password-stdin: a password has {} to {} characters.",
                                         password_characters_min, password_characters_max));
  }
  return {text, false};
}

// Opens the installation to change it. The schema is checked first, so that nothing is migrated by accident.
std::unique_ptr<Storage> open_to_change(const Config& config, const TenantId& tenant) {
  open_installation(config.database_url)->read([&](Tx& tx) { require_tenant(tx, tenant); });
  return open_storage({.url = config.database_url, .writer_connections_max = 1});
}

User require_account(Tx& tx, const TenantId& tenant, const AdminAccount& account) {
  auto user = tx.one(user_by_username(tenant, account.username));
  if (user) return std::move(*user);
  throw std::runtime_error(fmt::format("--username: tenant {} has no user {}.", tenant.text(), account.username));
}

void add_admin_grant(const ActionContext& context, const UserId& user, std::string_view key) {
  if (!add_grant(context.tx, context.tenant, user, key, context.now)) return;
  context.audit({"grants", user.text()}, "updated",
                json::object({{"keys", json::object({{"before", nullptr}, {"after", json::array({key})}})}}).text);
}

void report_password(const Password& password, std::ostream& out) {
  if (password.generated) out << "The password is " << password.text << "\n";
}

void warn_without_local_sign_in(const Config& config, std::ostream& out) {
  if (!config.local_auth_enabled) out << "LOCAL_AUTH_ENABLED is false: nobody can sign in with a password.\n";
}

// The lock after wrong passwords is in the cache. A memory cache is stored in a file while no server runs.
void unlock_pair(const Config& config, const Lockout::Guess& guess) {
  boost::asio::io_context loop(1);
  const auto engine = open_cache({.url = config.cache_url,
                                  .keep_file = config.data_dir + "/sessions.kept",
                                  .reply_within = std::chrono::seconds(5)});
  const auto cache = engine->open(loop);
  std::exception_ptr failure;
  bool done = false;
  boost::asio::co_spawn(
      loop, [&]() -> Task<> { co_await Lockout(*cache).unlock(guess); },
      [&](std::exception_ptr error) {
        failure = error;
        done = true;
      });
  while (!done) loop.run_one();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

void create_admin(const Config& config, const AdminAccount& account, std::istream& in, std::ostream& out) {
  require_not_default_admin(config, account);
  const TenantId& tenant = account.tenant.value_or(config.default_tenant);
  const Password password = password_of(account, in);
  const std::string hash = hash_password(password.text);
  const auto storage = open_to_change(config, tenant);
  const Events events;
  storage->write_now([&](Tx& tx) {
    const ActionContext context{tx, events, tenant, command_line_actor, now()};
    NewUser input;
    input.username.value = input.display_name.value = account.username;
    User user = create_user(context, input, config.local_admin_username);
    user.password_hash.value = hash;
    user.password_set_by.value = user.id.text();
    update_user(tx, user);
    add_admin_grant(context, user.id, tenant_admin);
    if (account.platform) add_admin_grant(context.in_tenant(config.default_tenant), user.id, platform_admin);
  });
  out << fmt::format("{} is an admin of {}{}.\n", account.username, tenant.text(),
                     account.platform ? " and of the platform" : "");
  report_password(password, out);
  warn_without_local_sign_in(config, out);
}

void set_admin_password(const Config& config, const AdminAccount& account, std::istream& in, std::ostream& out) {
  require_not_default_admin(config, account);
  const TenantId& tenant = account.tenant.value_or(config.default_tenant);
  const Password password = password_of(account, in);
  const std::string hash = hash_password(password.text);
  const auto storage = open_to_change(config, tenant);
  storage->write_now([&](Tx& tx) {
    User user = require_account(tx, tenant, account);
    user.password_hash.value = hash;
    user.password_set_by.value = user.id.text();
    ++user.session_epoch.value;
    user.updated_at = now();
    update_user(tx, user);
    delete_password_reset(tx, tenant, user.id);
    audit(tx, tenant, command_line_actor, {"user", user.id.text()}, "password_changed", "{}", now());
  });
  out << fmt::format("{} of {} has a new password; all sessions end within a minute.\n", account.username,
                     tenant.text());
  report_password(password, out);
  warn_without_local_sign_in(config, out);
}

void unlock_admin(const Config& config, const AdminAccount& account, std::ostream& out) {
  const TenantId& tenant = account.tenant.value_or(config.default_tenant);
  const auto storage = open_to_change(config, tenant);
  storage->write_now([&](Tx& tx) {
    const User user = require_account(tx, tenant, account);
    reset_second_factor_failures(tx, tenant, user.id);
    if (account.remove_second_factor && delete_second_factor(tx, tenant, user.id)) {
      audit(tx, tenant, command_line_actor, {"user", user.id.text()}, "second_factor_removed", "{}", now());
    }
  });
  out << (account.remove_second_factor ? "The second factor is removed.\n"
                                       : "Wrong codes of the second factor are forgotten.\n");
  if (account.address.empty()) {
    out << "A lock after wrong passwords ends by itself after 15 minutes; with --address of the client it ends now.\n";
    return;
  }
  unlock_pair(config, guess_of(tenant, account.username, account.address, config.local_admin_username));
  out << fmt::format("Wrong passwords from {} are forgotten.\n", account.address);
}

}  // namespace guildhall
