#pragma once

#include "api/api_config.h"
#include "app/ops/backup/backup_config.h"
#include "app/process_config.h"
#include "cache/cache_config.h"
#include "features/billing/billing_config.h"
#include "features/changes/changes_config.h"
#include "features/chat/chat_config.h"
#include "features/chat_platform/chat_platform_config.h"
#include "features/email/email_config.h"
#include "features/entitlements/entitlement_config.h"
#include "features/fulfilment/shipping_config.h"
#include "features/identity/identity_config.h"
#include "features/media/media_config.h"
#include "features/operations/operations_config.h"
#include "features/orders/order_config.h"
#include "features/payments/payment_config.h"
#include "features/tenancy/installation_config.h"
#include "features/webhooks/webhook_config.h"
#include "http/http_config.h"
#include "outbound/tracing_config.h"
#include "outbox/outbox_config.h"
#include "pdf/pdf_config.h"
#include "storage/storage_config.h"

namespace guildhall {

// The configuration of the whole server. It converts to the struct of each module, which is all that a module sees.
// docs/configuration.md, `guildhall config` and /info list the variables in this order.
struct Config
    : JoinedConfig<InstallationConfig, http::HttpConfig, ProcessConfig, api::ApiConfig, outbound::TracingConfig,
                   StorageConfig, CacheConfig, outbox::OutboxConfig, IdentityConfig, WebhookConfig, EmailConfig,
                   ChatPlatformConfig, MediaConfig, PdfConfig, OrderConfig, EntitlementConfig, ShippingConfig,
                   PaymentConfig, BillingConfig, chat::ChatConfig, ChangesConfig, OperationsConfig, BackupConfig> {};

// All variables there are. They live as long as the process.
std::span<const Variable> config_variables();

struct CheckedConfig {
  Config config;  // only to be used when there is no problem
  std::vector<ConfigProblem> problems;
};

// Reads the environment and returns every problem.
CheckedConfig check_config(const Environment& environment);

// Reads the environment. Throws std::runtime_error that lists every problem, one per line.
Config read_config(const Environment& environment);

// A warning about a valid configuration that should be changed.
struct ConfigWarning {
  std::string_view message;
  std::string_view advice;  // how to change it
};

std::vector<ConfigWarning> config_warnings(const Config& config);

}  // namespace guildhall
