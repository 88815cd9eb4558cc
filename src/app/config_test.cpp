#include "app/config.h"

#include <gtest/gtest.h>

#include "base/misspelt_variables.h"

namespace guildhall {
namespace {

Environment environment(std::map<std::string, std::string> values) {
  return [values = std::move(values)](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(std::string(name));
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(Config, has_the_documented_defaults) {
  const Config config = read_config(environment({{"SESSION_SIGNING_SECRET", "sixteen letters!"}}));
  EXPECT_FALSE(config.development);
  EXPECT_EQ(config.listen.text(), "127.0.0.1:8080");
  EXPECT_EQ(config.public_base_url, "http://127.0.0.1:8080");
  EXPECT_EQ(config.database_url, "sqlite:data/guildhall.db");
  EXPECT_EQ(config.cache_url, "memory:");
  EXPECT_EQ(config.default_tenant.text(), "default");
  EXPECT_EQ(config.session_ttl_seconds, 8 * 60 * 60);
  EXPECT_EQ(config.rate_limit_tenant_per_min, 1000);
  EXPECT_FALSE(config.local_auth_enabled);
}

TEST(Config, reports_every_wrong_variable_at_once) {
  try {
    read_config(environment({{"SERVICE_ENV", "test"},
                             {"LISTEN_ADDR", "nowhere"},
                             {"DATABASE_URL", "mysql://x"},
                             {"DATABASE_READ_URL", "sqlite:x"},
                             {"RATE_LIMIT_TENANT_PER_MIN", "0"},
                             {"RATE_LIMIT_DISABLED", "yes"},
                             {"TRUSTED_PROXIES", "10.0.0.0/8, nonsense"}}));
    FAIL();
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    for (const char* name : {"SERVICE_ENV must", "LISTEN_ADDR must", "DATABASE_URL must", "DATABASE_READ_URL must",
                             "RATE_LIMIT_TENANT_PER_MIN must", "RATE_LIMIT_DISABLED must", "TRUSTED_PROXIES must",
                             "SESSION_SIGNING_SECRET is required"}) {
      EXPECT_NE(message.find(name), std::string::npos) << name << " in\n" << message;
    }
  }
}

TEST(Config, has_a_replica_only_of_postgresql) {
  const auto problems_with = [](const std::string& database) {
    return check_config(environment({{"SESSION_SIGNING_SECRET", "sixteen letters!"},
                                     {"DATABASE_URL", database},
                                     {"DATABASE_READ_URL", "postgresql://replica/guildhall"}}))
        .problems.size();
  };
  EXPECT_EQ(problems_with("postgresql://primary/guildhall"), 0u);
  EXPECT_EQ(problems_with("sqlite:guildhall.db"), 1u);
}

TEST(Config, shows_no_secret) {
  const auto shown = [](std::string_view name, std::string_view value) {
    for (const Variable& variable : config_variables()) {
      if (variable.name == name) return shown_value(variable, value);
    }
    return std::string("no such setting");
  };
  EXPECT_EQ(shown("LISTEN_ADDR", "1.2.3.4:5"), "1.2.3.4:5");
  EXPECT_EQ(shown("SESSION_SIGNING_SECRET", "abcdefghijkl"), "****ijkl");
  EXPECT_EQ(shown("SESSION_SIGNING_SECRET", "abcdefghijk"), "****");
  EXPECT_EQ(shown("LOCAL_ADMIN_PASSWORD", "a very long password indeed"), "****");
  EXPECT_EQ(shown("DATABASE_URL", "postgresql://user:p@ss:w@host/db"), "postgresql://user:****@host/db");
  EXPECT_EQ(shown("DATABASE_URL", "postgresql://host/db?user=u&password=secret&x=1"),
            "postgresql://host/db?user=u&password=****&x=1");
  EXPECT_EQ(shown("CACHE_URL", "redis://:secret@host:1"), "redis://:****@host:1");
  EXPECT_EQ(shown("DATABASE_URL", "sqlite:data/x.db"), "sqlite:data/x.db");
  EXPECT_EQ(shown("SESSION_SIGNING_SECRET", ""), "");
}

TEST(Config, hides_every_password_in_an_address) {
  const auto shown = [](std::string_view name, std::string_view value) {
    for (const Variable& variable : config_variables()) {
      if (variable.name == name) return shown_value(variable, value);
    }
    return std::string("no such setting");
  };
  EXPECT_EQ(shown("DATABASE_URL", "postgresql://h/db?sslpassword=one&password=two"),
            "postgresql://h/db?sslpassword=****&password=****");
  EXPECT_EQ(shown("BILLING_BASE_URL", "https://user:secret@host:8443/v1"), "https://user:****@host:8443/v1");
  EXPECT_EQ(shown("CHAT_OAUTH_USER_URL", "https://host:8443/users/@me"), "https://host:8443/users/@me");
}

TEST(Config, masks_each_secret_of_a_list_by_itself) {
  for (const Variable& variable : config_variables()) {
    if (variable.name != "SHIPPING_WEBHOOK_SECRET") continue;
    EXPECT_EQ(shown_value(variable, "a secret that is long,short"), "****long,****");
  }
}

TEST(Config, refuses_short_secrets_in_production) {
  const auto problems = [](std::map<std::string, std::string> values) {
    values.emplace("SESSION_SIGNING_SECRET", "sixteen letters!");
    try {
      read_config(environment(std::move(values)));
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problems({}), "");
  EXPECT_NE(problems({{"SESSION_SIGNING_SECRET", "fifteen letters"}}).find("SESSION_SIGNING_SECRET must have"),
            std::string::npos);
  EXPECT_NE(problems({{"INVOICE_LINK_SIGNING_SECRET", "old:sixteen letters!,new:short"}}).find("INVOICE_LINK_SIGNING"),
            std::string::npos);
  EXPECT_EQ(problems({{"INVOICE_LINK_SIGNING_SECRET", "old:sixteen letters!,sixteen letters?"}}), "");
  EXPECT_NE(problems({{"LOCAL_ADMIN_PASSWORD", "seven77"}}).find("LOCAL_ADMIN_PASSWORD must have"), std::string::npos);
  EXPECT_EQ(problems({{"SERVICE_ENV", "development"}, {"LOCAL_ADMIN_PASSWORD", "short"}}), "");
}

TEST(Config, takes_several_keys) {
  const std::string first(32, 'a'), second(32, 'b');
  const auto read = [](const std::string& keys) {
    return read_config(environment({{"SESSION_SIGNING_SECRET", keys}, {"SERVICE_MASTER_KEY", keys}}));
  };
  const Config config = read(first + ", " + second);
  EXPECT_EQ(config.service_master_keys, (std::vector{first, second}));
  EXPECT_EQ(config.session_signing_secrets, (std::vector{first, second}));
  EXPECT_EQ(read(first + "%2C" + second).service_master_keys, std::vector{first + "," + second});
  EXPECT_THROW(read(first + ",short"), std::runtime_error);
  EXPECT_THROW(read(first +
                    ","
                    "," +
                    second),
               std::runtime_error);
}

TEST(Config, names_each_wrong_variable_by_itself) {
  const CheckedConfig checked =
      check_config(environment({{"SERVICE_ENV", "development"}, {"LOOPS", "x"}, {"LOG_LEVEL", "loud"}}));
  ASSERT_EQ(checked.problems.size(), 2u);
  EXPECT_EQ(checked.problems[0].variable, "LOOPS");
  EXPECT_EQ(checked.problems[1].variable, "LOG_LEVEL");
  EXPECT_EQ(checked.problems[1].message, "must be debug, info, warn or error");
}

TEST(Config, finds_variables_that_look_like_ours) {
  const auto found =
      misspelt_variables(config_variables(), {"PATH", "HOME", "LANG", "SERVICE_ENV", "DATABSE_URL", "LOCAL_AUTH_ENABLE",
                                              "RATE_LIMIT_EVERYTHING", "SSH_AUTH_SOCK", "LS_COLORS"});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "DATABSE_URL");
  EXPECT_EQ(found[0].meant, "DATABASE_URL");
  EXPECT_EQ(found[1].meant, "LOCAL_AUTH_ENABLED");
  EXPECT_EQ(found[2].name, "RATE_LIMIT_EVERYTHING");
  EXPECT_EQ(found[2].meant, "");
}

}  // namespace
}  // namespace guildhall
