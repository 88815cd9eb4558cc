// Runs the commands other than `serve`, as an operator does.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "storage/migrations.h"
#include "support/server_process.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;
using test::ServerProcess;

// Returns all files below the folder, with sizes and times.
std::set<std::string> contents_of(const fs::path& folder) {
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const bool file = entry.is_regular_file();
    found.insert(fmt::format("{} {} {}", entry.path().string(), file ? fs::file_size(entry) : 0,
                             file ? fs::last_write_time(entry).time_since_epoch().count() : 0));
  }
  return found;
}

struct Outcome {
  int code;
  std::string output;
  bool says(std::string_view text) const { return output.find(text) != std::string::npos; }
};

Outcome run(const ServerProcess::Variables& variables, std::vector<std::string> arguments) {
  ServerProcess process(variables, std::move(arguments));
  const int code = process.wait_for_exit();
  return {code, process.output()};
}

class Commands : public ::testing::TestWithParam<test::Engine> {
 protected:
  ServerProcess::Variables variables() {
    auto found = test::server_variables(GetParam(), database.url, (folder.path / "data").string());
    found["SERVICE_MASTER_KEY"] = "a master key that is long enough to be one";
    return found;
  }

  test::FreshDatabase database{GetParam()};
  test::TemporaryFolder folder;
};
INSTANTIATE_TEST_SUITE_P(Pairs, Commands, test::engines, test::engine_name);

TEST_P(Commands, doctor_creates_nothing) {
  const auto before = contents_of(folder.path);
  const Outcome fresh = run(variables(), {"doctor"});
  EXPECT_EQ(fresh.code, 0) << fresh.output;
  EXPECT_TRUE(fresh.says("warning  database: ")) << fresh.output;
  EXPECT_EQ(contents_of(folder.path), before);
  if (GetParam() == test::Engine::sqlite) {
    EXPECT_FALSE(fs::exists(database.url.substr(7)));
  } else {
    EXPECT_TRUE(run(variables(), {"doctor"}).says("is empty")) << "the second run still finds no table";
  }
}

TEST_P(Commands, doctor_finds_a_running_server_healthy_and_leaves_it_alone) {
  ServerProcess server(variables());
  server.wait_until_ready();
  const Outcome well = run(variables(), {"doctor"});
  EXPECT_EQ(well.code, 0) << well.output;
  EXPECT_TRUE(well.says("answers, its schema is up to date")) << well.output;
  EXPECT_TRUE(well.says("ok       master key: it opens the secrets in this database")) << well.output;
  EXPECT_FALSE(well.says("PROBLEM")) << well.output;
  server.signal(SIGTERM);
  ASSERT_EQ(server.wait_for_exit(), 0);
  EXPECT_EQ(run(variables(), {"doctor"}).code, 0) << "after the server was stopped, too";
}

TEST_P(Commands, doctor_detects_the_wrong_master_key) {
  {
    ServerProcess server(variables());
    server.wait_until_ready();
  }
  auto other = variables();
  other["SERVICE_MASTER_KEY"] = "another master key that is long enough";
  const Outcome wrong = run(other, {"doctor"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_TRUE(wrong.says("PROBLEM  master key: SERVICE_MASTER_KEY is not the key")) << wrong.output;
  other.erase("SERVICE_MASTER_KEY");
  const Outcome none = run(other, {"doctor"});
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(none.says("PROBLEM  master key: SERVICE_MASTER_KEY is not set")) << none.output;
  EXPECT_EQ(run(variables(), {"doctor"}).code, 0);

  other["SERVICE_MASTER_KEY"] = "another master key that is long enough";
  ServerProcess server(other);
  server.wait_until_ready();
  EXPECT_NE(server.output().find("is not the key that the secrets"), std::string::npos) << server.output();
}

TEST_P(Commands, doctor_tells_pending_migrations_from_unknown_ones) {
  const auto change = [&](const char* text) {
    const Sql sql(text);
    open_storage({.url = database.url})->write_now([&](Tx& tx) { tx.run({&sql, {}}); });
  };
  migrate(*open_storage({.url = database.url}));
  change("DELETE FROM schema_migrations WHERE number = 10");
  const Outcome pending = run(variables(), {"doctor"});
  EXPECT_EQ(pending.code, 0) << pending.output;
  EXPECT_TRUE(pending.says("warning  database: pending migrations: 0010_")) << pending.output;
  change("INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES (9999, '9999_future', '', 1)");
  const Outcome plan = run(variables(), {"migrate", "--plan"});
  EXPECT_EQ(plan.code, 0) << plan.output;
  EXPECT_TRUE(plan.says("9999_future was applied by a newer program, beside which this one can run")) << plan.output;
  EXPECT_TRUE(plan.says("0010_chat  servers of the previous version can go on\n    CREATE TABLE")) << plan.output;
  EXPECT_TRUE(plan.says("1 of ")) << plan.output;
  const Outcome json = run(variables(), {"migrate", "--plan", "--json"});
  EXPECT_EQ(json.output.find(R"({"possible":true,"emptyDatabase":false,"pending":[{"name":"0010_chat",)"), 0U)
      << json.output;
  EXPECT_TRUE(json.says(R"("unknown":["9999_future"]})")) << json.output;
  change("INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES (10, '0010_chat', '', 1)");
  const Outcome changed = run(variables(), {"migrate", "--plan"});
  EXPECT_TRUE(changed.says("0010_chat was applied with another text")) << changed.output;
  change("UPDATE schema_migrations SET name = '9999_contract_future' WHERE number = 9999");
  const Outcome unknown = run(variables(), {"doctor"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(unknown.says("a newer program has removed what this one needs: 9999_contract_future")) << unknown.output;
  const Outcome refused = run(variables(), {"serve"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(refused.says("9999_contract_future, which programs from before it cannot work with")) << refused.output;
}

TEST_P(Commands, doctor_compares_the_clock_with_the_databases) {
  migrate(*open_storage({.url = database.url}));
  EXPECT_FALSE(run(variables(), {"doctor"}).says("warning  clock"));
  if (GetParam() == test::Engine::postgresql) return;  // its clock cannot be set by a test
  const Sql later("UPDATE schema_migrations SET applied_at = applied_at + 3600000 WHERE number = 1");
  open_storage({.url = database.url})->write_now([&](Tx& tx) { tx.run({&later, {}}); });
  const Outcome behind = run(variables(), {"doctor"});
  EXPECT_TRUE(behind.says("s behind the database's")) << behind.output;
}

TEST_P(Commands, erase_leaves_no_empty_certificate_after_a_failure) {
  migrate(*open_storage({.url = database.url}));
  const std::string file = (folder.path / "certificate.json").string();
  const Outcome failed = run(variables(), {"erase", "--tenant", "nobody", "--confirm", "nobody", "--out", file});
  EXPECT_EQ(failed.code, 1);
  EXPECT_TRUE(failed.says("There is no tenant nobody")) << failed.output;
  EXPECT_FALSE(fs::exists(file)) << "running it again needs the name";
}

TEST_P(Commands, export_works_beside_a_running_server) {
  ServerProcess server(variables());
  server.wait_until_ready();
  const std::string out = (folder.path / "export").string();
  const Outcome done = run(variables(), {"export", "--tenant", "default", "--out", out});
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_TRUE(fs::exists(out + "/manifest.json"));
  const Outcome again = run(variables(), {"export", "--tenant", "default", "--out", out});
  EXPECT_EQ(again.code, 1);
  EXPECT_TRUE(again.says("is not empty")) << again.output;
}

TEST(CommandLine, doctor_says_what_is_wrong_and_what_to_do) {
  test::TemporaryFolder folder;
  auto variables =
      test::server_variables(test::Engine::sqlite, "sqlite:" + (folder.path / "a.db").string(), folder.path.string());
  variables["CACHE_URL"] = fmt::format("redis://127.0.0.1:{}", test::free_port());
  variables["RATE_LIMT_DISABLED"] = "true";
  const Outcome text = run(variables, {"doctor"});
  EXPECT_EQ(text.code, 1);
  EXPECT_TRUE(text.says("PROBLEM  cache: ")) << text.output;
  EXPECT_TRUE(text.says("Check CACHE_URL")) << text.output;
  EXPECT_TRUE(text.says("did you mean RATE_LIMIT_DISABLED?")) << text.output;
  const Outcome json = run(variables, {"doctor", "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_TRUE(json.output.starts_with(R"({"ok":false,"findings":[{"level":")")) << json.output;
  EXPECT_TRUE(json.says(R"({"level":"problem","check":"cache","message":")")) << json.output;
  std::ofstream(folder.path / "a.db") << "this is no database, however much it looks like a file";
  const Outcome broken = run(variables, {"doctor"});
  EXPECT_TRUE(broken.says("PROBLEM  database: ")) << broken.output;
}

TEST(CommandLine, doctor_warns_of_what_works_but_should_not_stay) {
  test::TemporaryFolder folder;
  auto variables =
      test::server_variables(test::Engine::sqlite, "sqlite:" + (folder.path / "a.db").string(), folder.path.string());
  variables["SESSION_SIGNING_SECRET"] = "only sixteen chars";
  variables["CHAT_INTERACTIONS_UNVERIFIED"] = "true";
  const Outcome warned = run(variables, {"doctor"});
  EXPECT_EQ(warned.code, 0) << "warnings are not problems: " << warned.output;
  EXPECT_TRUE(warned.says("SESSION_SIGNING_SECRET is shorter than 32")) << warned.output;
  EXPECT_TRUE(warned.says("CHAT_INTERACTIONS")) << warned.output;
  variables["SESSION_SIGNING_SECRET"] = "too short";
  const Outcome refused = run(variables, {"doctor"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(refused.says("PROBLEM  configuration: SESSION_SIGNING_SECRET must have at least")) << refused.output;
}

TEST(CommandLine, config_shows_no_secret) {
  const Outcome config =
      run({{"SESSION_SIGNING_SECRET", "abcdefghijklmnop"}, {"LOCAL_ADMIN_PASSWORD", "hunter2hunter2"}}, {"config"});
  EXPECT_EQ(config.code, 0);
  EXPECT_TRUE(config.says("SESSION_SIGNING_SECRET=****mnop")) << config.output;
  EXPECT_FALSE(config.says("hunter2"));
}

TEST(CommandLine, config_names_every_wrong_value_and_fails) {
  const ServerProcess::Variables variables{
      {"SERVICE_ENV", "development"}, {"LOOPS", "many"}, {"LOG_LEVEL", "loud"}, {"DATABSE_URL", "sqlite:x"}};
  const Outcome text = run(variables, {"config"});
  EXPECT_EQ(text.code, 1);
  EXPECT_TRUE(text.says("PROBLEM  LOOPS must be an integer")) << text.output;
  EXPECT_TRUE(text.says("PROBLEM  LOG_LEVEL must be")) << text.output;
  EXPECT_TRUE(text.says("warning  DATABSE_URL is not a variable of Guildhall: did you mean DATABASE_URL?"));
  const Outcome json = run(variables, {"config", "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_TRUE(json.output.starts_with(R"({"valid":false,"variables":[{"name":"SERVICE_ENV")")) << json.output;
  EXPECT_TRUE(json.says(R"("problems":[{"variable":"LOOPS","message":"must be)")) << json.output;
  EXPECT_EQ(run(variables, {"config", "--markdown"}).code, 0) << "the page has nothing to do with values";
}

TEST(CommandLine, copy_from_a_misspelt_file_fails_and_creates_nothing) {
  test::TemporaryFolder folder;
  const std::string typo = (folder.path / "typo.db").string(), target = (folder.path / "target.db").string();
  const Outcome copy = run({}, {"copy", "--from", "sqlite:" + typo, "--to", "sqlite:" + target});
  EXPECT_EQ(copy.code, 1);
  EXPECT_TRUE(copy.says("--from: there is no database file " + typo)) << copy.output;
  EXPECT_TRUE(contents_of(folder.path).empty());
}

TEST(CommandLine, wrong_arguments_are_named_with_the_nearest_right_one) {
  const auto refused = [](std::vector<std::string> arguments) {
    const Outcome outcome = run({}, std::move(arguments));
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    return outcome.output.substr(0, outcome.output.find('\n'));
  };
  EXPECT_EQ(refused({"sevre"}), "guildhall: there is no command sevre; did you mean serve?");
  EXPECT_EQ(refused({"xyzzy"}), "guildhall: there is no command xyzzy");
  EXPECT_EQ(refused({"audit", "verfy"}), "guildhall: there is no command verfy; did you mean verify?");
  EXPECT_EQ(refused({"doctor", "--jsn"}), "guildhall: there is no option --jsn; did you mean --json?");
  EXPECT_EQ(refused({"export", "--tenant", "a", "--fromat", "csv"}),
            "guildhall: there is no option --fromat; did you mean --format?");
  EXPECT_EQ(refused({"backup", "--keep=3", "--jsn"}), "guildhall: there is no option --jsn; did you mean --json?");
  EXPECT_NE(refused({"backup", "--keep", "0"}).find("--keep"), std::string::npos);
  EXPECT_EQ(refused({"backup", "--to", "s3://"}),
            "guildhall: --to: it must be s3://bucket/prefix with letters, digits and -._/");
  EXPECT_EQ(refused({"doctor", "-j"}), "guildhall: there is no option -j");
  EXPECT_EQ(refused({"audit"}), "guildhall: name a command of audit: verify");
  EXPECT_EQ(refused({}).find("guildhall: name a command: serve, migrate, "), 0U);
  EXPECT_EQ(refused({"copy", "--from", "sqlite:/", "--to", "mysql://host/db"}),
            "guildhall: --to: it must be sqlite:<path> or postgresql://…");
  EXPECT_EQ(refused({"import", "--from", "/nowhere"}), "guildhall: --from: there is no manifest.json in /nowhere");
  EXPECT_EQ(refused({"restore", "--from", "/nowhere"}), "guildhall: --from: there is no file /nowhere");
  EXPECT_NE(refused({"export", "--out", "x"}).find("--tenant"), std::string::npos);
  EXPECT_NE(refused({"export", "--tenant", "a", "--out", "x", "--format", "xml"}).find("--format"), std::string::npos);
  EXPECT_NE(refused({"serve", "extra"}).find("extra"), std::string::npos);
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(CommandLine, the_sandbox_is_a_program_of_its_own) {
  const Outcome events = run({}, {"trigger", "--list"});
  EXPECT_EQ(events.code, 0) << events.output;
  EXPECT_TRUE(events.output.starts_with("gateway.pay ")) << events.output;
  EXPECT_EQ(run({}, {"trigger"}).output, "guildhall: Name an event: see `guildhall trigger --list`.\n");

  test::TemporaryFolder folder;
  const std::string alone = folder.path / "guildhall";
  fs::copy_file(ServerProcess::guildhall_binary(), alone);
  EXPECT_EQ(text_of(alone).find("The crypto gateway receives half of the amount."), std::string::npos)
      << "the server has a part of the sandbox";
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"demo"}, {"chat", "simulate"}, {"sandbox"}, {"trigger", "--list"}, {"listen"}}) {
    ServerProcess process({}, command, alone);
    EXPECT_EQ(process.wait_for_exit(), 1);
    EXPECT_NE(process.output().find("Install the package guildhall-sandbox, or build it"), std::string::npos)
        << process.output();
  }
}

TEST(CommandLine, docs_have_the_table_of_all_commands) {
  const Outcome table = run({}, {"manual", "--markdown"});
  EXPECT_EQ(table.code, 0);
  EXPECT_NE(text_of(fs::path(SOURCE_DIR) / "docs/commands.md").find(table.output), std::string::npos)
      << "replace the table in docs/commands.md with the output of `guildhall manual --markdown`";
}

TEST(CommandLine, the_manual_describes_every_command_and_variable) {
  const Outcome manual = run({}, {"manual"});
  EXPECT_EQ(manual.code, 0);
  EXPECT_TRUE(manual.output.starts_with(".TH GUILDHALL 1 ")) << manual.output.substr(0, 100);
  EXPECT_TRUE(manual.says(".SS \"guildhall fund verify [\\-\\-tenant ID] [\\-\\-json]\"\n")) << manual.output;
  EXPECT_TRUE(manual.says(".B SERVICE_MASTER_KEY\n"));
  EXPECT_TRUE(manual.says(".B BACKUP_KEEP (default 7)\n"));
}

TEST(CommandLine, bash_completes_commands_and_options) {
  const auto completed = [](const std::string& words, int count) {
    const std::string script = fmt::format(
        "source <({} completion) && COMP_WORDS=(guildhall {}) COMP_CWORD={} && _guildhall && echo "
        "\"${{COMPREPLY[*]}}\"",
        ServerProcess::guildhall_binary(), words, count);
    ServerProcess bash({}, {"-c", script}, "/bin/bash");
    bash.wait_for_exit();
    return bash.output();
  };
  EXPECT_EQ(completed("re", 1), "rekey reports restore\n");
  EXPECT_EQ(completed("audit ''", 2), "verify --help\n");
  EXPECT_EQ(completed("export --t", 2), "--tenant\n");
  EXPECT_EQ(completed("admin create --username x --pl", 5), "--platform\n");
}

TEST_P(Commands, backup_and_restore_run_beside_each_other_and_a_server) {
  ServerProcess server(variables());
  server.wait_until_ready();
  if (GetParam() == test::Engine::postgresql) return;  // see backup_test, where it has a database of its own
  const std::string out = (folder.path / "backups").string();
  const Outcome done = run(variables(), {"backup", "--to", out, "--json"});
  EXPECT_EQ(done.code, 0) << done.output;
  const std::string begin = R"({"file":")";
  ASSERT_TRUE(done.output.starts_with(begin)) << done.output;
  const std::string file = done.output.substr(begin.size(), done.output.find("\",\"bytes\":") - begin.size());
  auto backed_up = variables();
  backed_up["BACKUP_DIR"] = out;
  EXPECT_TRUE(run(backed_up, {"doctor"}).says("ok       backup: the newest in " + out));
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(72));
  EXPECT_TRUE(run(backed_up, {"doctor"}).says("warning  backup: the newest in " + out));
  const Outcome onto = run(variables(), {"restore", "--from", file});
  EXPECT_EQ(onto.code, 1);
  EXPECT_TRUE(onto.says("exists: a backup is restored only where there is no database")) << onto.output;
  auto elsewhere = variables();
  elsewhere["DATABASE_URL"] = "sqlite:" + (folder.path / "restored.db").string();
  const Outcome restored = run(elsewhere, {"restore", "--from", file});
  EXPECT_EQ(restored.code, 0) << restored.output;
  EXPECT_EQ(run(elsewhere, {"audit", "verify"}).code, 0);
}

TEST(CommandLine, a_backup_with_a_pg_dump_that_is_older_than_the_server_is_refused) {
  const test::FreshDatabase database{test::Engine::postgresql};
  const test::TemporaryFolder folder;
  std::ofstream(folder.path / "pg_dump") << "#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n";
  fs::permissions(folder.path / "pg_dump", fs::perms::owner_all);
  auto variables = test::server_variables(test::Engine::postgresql, database.url, (folder.path / "data").string());
  migrate(*open_storage({.url = database.url}));
  variables["PATH"] = folder.path.string() + ":/usr/bin:/bin";
  const Outcome refused = run(variables, {"backup"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(refused.says("pg_dump has version 9, but the server has ")) << refused.output;
}

// Reads /info from a process whose environment also has variables that are not ours.
TEST(Info, shows_only_our_variables_and_nothing_of_a_secret) {
  test::TemporaryFolder folder;
  auto variables =
      test::server_variables(test::Engine::sqlite, "sqlite:" + (folder.path / "a.db").string(), folder.path.string());
  variables["HOME_SECRET_OF_ANOTHER_PROGRAM"] = "not-for-anybody";
  variables["LOCAL_ADMIN_PASSWORD"] = "a-password-never-shown";
  variables["SESSION_SIGNING_SECRET"] = "sessions-are-signed-with-this-WXYZ";
  variables["SHIPPING_WEBHOOK_SECRET"] = "the-older-secret-ABCD,tiny-secret";
  variables["BILLING_API_KEY"] = "short-key11";
  variables["SMTP_URL"] = "smtps://mailer:mail-password@127.0.0.1";
  variables["BILLING_BASE_URL"] = "https://user:base-password@127.0.0.1:1/v1";
  ServerProcess server(variables);
  server.wait_until_ready();
  const test::HttpReply info = test::HttpClient(server.port()).get("/info");
  EXPECT_EQ(info.text("/env/LOCAL_ADMIN_PASSWORD"), "****");
  EXPECT_EQ(info.text("/env/SESSION_SIGNING_SECRET"), "****WXYZ");
  EXPECT_EQ(info.text("/env/SHIPPING_WEBHOOK_SECRET"), "****ABCD,****");
  EXPECT_EQ(info.text("/env/BILLING_API_KEY"), "****");
  EXPECT_EQ(info.text("/env/SMTP_URL"), "smtps://mailer:****@127.0.0.1");
  EXPECT_EQ(info.text("/env/BILLING_BASE_URL"), "https://user:****@127.0.0.1:1/v1");
  EXPECT_FALSE(info.has("/env/PATH"));
  EXPECT_FALSE(info.has("/env/HOME_SECRET_OF_ANOTHER_PROGRAM"));
  for (const char* secret : {"not-for-anybody", "never-shown", "signed-with", "older-secret", "tiny-secret", "key11",
                             "mail-password", "base-password"}) {
    EXPECT_EQ(info.body.find(secret), std::string::npos) << secret;
  }
}

}  // namespace
}  // namespace guildhall
