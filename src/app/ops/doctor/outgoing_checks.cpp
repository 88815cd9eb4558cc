// The checks of calls to other servers: their certificates, and whether they answer.
#include <future>

#include "app/ops/backup/backup.h"
#include "app/ops/backup/s3.h"
#include "app/ops/doctor/doctor.h"
#include "base/clock.h"
#include "features/payments/processors/processor_list.h"
#include "outbound/server_check.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds answer_max{5};
constexpr std::chrono::days certificate_rest_min{14};

struct OtherServer {
  std::string name;
  std::string url;
  std::string advice;                     // if it does not answer
  std::function<void()> probe = nullptr;  // a call with the credentials; throws
};

// Says when a certificate ends, unless that is far away. Returns whether it did.
bool report_expiry(const std::string& check, const std::string& owner, Instant expires, const std::string& advice,
                   Findings& findings) {
  if (expires > local_now() + certificate_rest_min) return false;
  const bool expired = expires <= local_now();
  const auto state =
      fmt::format("the certificate of {} {} {}", owner, expired ? "has expired at" : "expires at", to_string(expires));
  expired ? findings.problem(check, state, advice) : findings.warning(check, state, advice);
  return true;
}

Findings findings_of(const OtherServer& server, const std::string& authorities_file) {
  Findings findings;
  const outbound::ServerCheck result = outbound::check_server(server.url, answer_max, authorities_file);
  if (!result.error.empty()) {
    findings.problem(server.name, fmt::format("it cannot be used: {}", result.error), server.advice);
    return findings;
  }
  if (result.certificate_expires_at &&
      report_expiry(server.name, "the server", *result.certificate_expires_at,
                    "Its operator has to renew it; calls fail when it has expired.", findings)) {
    return findings;
  }
  try {
    if (server.probe) server.probe();
    findings.ok(server.name, server.probe ? "it answers and accepts the credentials" : "it answers");
  } catch (const std::exception& error) {
    findings.problem(server.name, error.what(), server.advice);
  }
  return findings;
}

void require_recent_backup(const Config& config) {
  const auto newest = newest_backup_in_target(config);
  if (!newest) throw std::runtime_error(fmt::format("there is no backup in {}", config.backup_target));
  if (*newest + backup_age_max < local_now()) {
    throw std::runtime_error(fmt::format("the newest in {} is of {}", config.backup_target, to_string(*newest)));
  }
}

void add_processors(const Config& config, const Processors& processors, std::vector<OtherServer>& servers) {
  const PaymentAccounts accounts(config, nullptr);
  for (const ProcessorDescriptor* each : processor_list) {
    const Account account = accounts.account(config.default_tenant, each->method, nullptr);
    if (!account.configured()) continue;
    const Processor& processor = processors.of(each->provider);
    servers.push_back(
        {.name = fmt::format("processor {}", name_of(each->method)),
         .url = account.base_url,
         .advice = fmt::format("Check {}, the credentials, and the way out of this network.", each->address.variable),
         .probe = [account, &processor] { processor.probe(account); }});
  }
}

std::vector<OtherServer> servers_of(const Config& config, const Processors& processors) {
  std::vector<OtherServer> servers;
  const auto add = [&](bool used, const char* name, const std::string& url, const char* variable) {
    if (!used || url.empty()) return;
    servers.push_back(
        {.name = name, .url = url, .advice = fmt::format("Check {}, and the way out of this network.", variable)});
  };
  add(true, "mail server", config.smtp_url, "SMTP_URL");
  add(!config.chat_bot_token.empty(), "chat platform", config.chat_api_base_url, "CHAT_API_BASE_URL");
  add(!config.chat_oauth.client_id.empty(), "chat sign-in", config.chat_oauth.token_url, "CHAT_OAUTH_TOKEN_URL");
  add(!config.billing_api_key.empty(), "billing provider", config.billing_base_url, "BILLING_BASE_URL");
  if (is_s3_url(config.backup_target)) {
    servers.push_back({.name = "backup storage",
                       .url = config.backup_s3_endpoint,
                       .advice = "Check BACKUP_S3_ENDPOINT and its credentials, and that backups are made every day.",
                       .probe = [&config] { require_recent_backup(config); }});
  }
  add_processors(config, processors, servers);
  return servers;
}

}  // namespace

void check_certificates(const Examined& examined, Findings& findings) {
  const std::string authorities = outbound::trusted_authorities_file();
  if (authorities.empty()) {
    findings.warning("certificates", "this machine has no file of certificate authorities, so calls over https fail",
                     "Install the package ca-certificates.");
  } else {
    findings.ok("certificates", fmt::format("outgoing calls trust the authorities in {}", authorities));
  }
  const std::string& wallet = examined.config.wallet_cert_ca_file;
  if (wallet.empty()) return;
  const std::string advice = "Replace the file that WALLET_CERT_CA_FILE names: without it wallet webhooks are refused.";
  try {
    const auto expires = outbound::certificate_expiry(wallet);
    if (!expires) {
      findings.problem("certificates", fmt::format("{} has no certificate", wallet), advice);
    } else if (!report_expiry("certificates", wallet, *expires, advice, findings)) {
      findings.ok("certificates", fmt::format("that of {} is valid until {}", wallet, to_string(*expires)));
    }
  } catch (const std::runtime_error& error) {
    findings.problem("certificates", error.what(), advice);
  }
}

void check_other_servers(const Examined& examined, Findings& findings) {
  WorkerPool certificate_fetches(1, 1);  // not used by probes
  const Processors processors(examined.config, certificate_fetches);
  // At the same time, since each may wait until its time is over.
  std::vector<std::future<Findings>> running;
  for (const OtherServer& server : servers_of(examined.config, processors)) {
    running.push_back(
        std::async(std::launch::async, [&examined, server] { return findings_of(server, examined.authorities_file); }));
  }
  if (running.empty()) findings.ok("other servers", "the configuration names none");
  for (auto& each : running) findings.append(each.get());
}

}  // namespace guildhall
