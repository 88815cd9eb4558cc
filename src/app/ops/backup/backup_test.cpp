#include "app/ops/backup/backup.h"

#include <fstream>
#include <sstream>
#include <sys/stat.h>

#include "app/ops/backup/backup_file.h"
#include "app/ops/commands.h"
#include "audit/audit_chain.h"
#include "base/crypto.h"
#include "storage/migrations.h"
#include "storage/tables.h"
#include "support/eventually.h"
#include "support/s3_stand_in.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

class BackupFile : public ::testing::Test {
 protected:
  void write(const std::string& data, const std::string& public_key) {
    fs::remove(path);
    BackupWriter writer(path, {.engine = "sqlite", .version = "1", .schema = "", .created_at = now()}, public_key);
    for (std::size_t at = 0; at < data.size(); at += 100'000) writer.write(std::string_view(data).substr(at, 100'000));
    writer.finish();
  }

  std::string read(const std::string& secret_key = "") const {
    BackupReader reader(path, secret_key);
    std::string data;
    for (std::string_view part = reader.read(); !part.empty(); part = reader.read()) data += part;
    return data;
  }

  test::TemporaryFolder folder;
  const fs::path path = folder.path / "a.backup";
};

TEST_F(BackupFile, gives_back_what_was_written) {
  const BackupKeys keys = make_backup_keys();
  std::string noise = random_bytes(1'000'000);
  for (const std::string& data : {std::string(), std::string("x"), std::string(3'000'000, 'x'), noise}) {
    write(data, "");
    EXPECT_EQ(read() == data, true) << data.size();
    write(data, keys.public_key);
    EXPECT_EQ(read(keys.secret_key) == data, true) << data.size();
    EXPECT_THROW(read(), std::runtime_error) << "the key is needed";
    EXPECT_THROW(read(make_backup_keys().secret_key), std::runtime_error) << "the right one";
  }
  struct stat found {};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(BackupFile, detects_every_change_and_every_cut) {
  const BackupKeys keys = make_backup_keys();
  for (const bool encrypted : {false, true}) {
    write("some data that is worth a backup", encrypted ? keys.public_key : "");
    std::stringstream whole;
    whole << std::ifstream(path, std::ios::binary).rdbuf();
    const std::string original = whole.str();
    for (std::size_t i = 0; i < original.size(); ++i) {
      std::string changed = original;
      changed[i] = static_cast<char>(changed[i] ^ 1);
      std::ofstream(path, std::ios::binary) << changed;
      EXPECT_ANY_THROW(read(encrypted ? keys.secret_key : "")) << i;
      std::ofstream(path, std::ios::binary) << original.substr(0, i);
      EXPECT_ANY_THROW(read(encrypted ? keys.secret_key : "")) << i;
    }
  }
}

// A database of its own on the test's PostgreSQL server, since a dump is restored into the schema of the same name.
class OwnDatabase {
 public:
  explicit OwnDatabase(test::Engine engine) : engine_(engine) {
    if (engine == test::Engine::sqlite) {
      url = "sqlite:" + (folder_.path / "guildhall.db").string();
      return;
    }
    create();
    url = test::postgres_url();
    const std::size_t query = std::min(url.find('?'), url.size());
    const std::size_t slash = url.rfind('/', query);
    url.replace(slash + 1, query - slash - 1, name_);
  }
  ~OwnDatabase() {
    if (engine_ == test::Engine::postgresql) drop();
  }

  // Leaves nothing of it, as after the loss of the disk: an empty folder, or a new PostgreSQL database.
  void destroy() {
    if (engine_ == test::Engine::postgresql) {
      drop();
      create();
    } else {
      for (const auto& entry : fs::directory_iterator(folder_.path)) fs::remove_all(entry);
    }
  }

  std::string url;

 private:
  void create() { test::execute_on(test::postgres_url(), "CREATE DATABASE " + name_); }
  void drop() { test::execute_on(test::postgres_url(), "DROP DATABASE " + name_ + " WITH (FORCE)"); }

  test::Engine engine_;
  test::TemporaryFolder folder_;
  std::string name_ = test::fresh_name();
};

class Backups : public ::testing::TestWithParam<test::Engine> {
 protected:
  Config config_for(const OwnDatabase& database) const {
    Config config = server.config;
    config.database_url = database.url;
    return config;
  }

  OwnDatabase source{GetParam()}, target{GetParam()};
  test::TemporaryFolder folder;
  test::TestServer server{GetParam(), {{"DATABASE_URL", source.url}}};
};
INSTANTIATE_TEST_SUITE_P(Pairs, Backups, test::engines, test::engine_name);

// The rows of every table, as `guildhall copy` compares them.
std::map<std::string, std::int64_t> rows_of(const std::string& url) {
  Tables tables;
  std::map<std::string, std::int64_t> rows;
  const auto database = open_read_only(url);
  database->read([&](Tx& tx) {
    tables = read_tables(tx, database->name());
    for (const auto& table : tables) rows[table->name] = table->count(tx, nullptr);
  });
  return rows;
}

// The drill: back up under load, destroy, restore, verify.
TEST_P(Backups, are_made_beside_a_busy_server_and_restore_everything_that_was_committed) {
  test::CheckedClient admin = server.admin();
  for (int i = 0; i < 20; ++i)
    test::created(admin, "order", test::order_of(test::fresh_name(), test::item("p", 1, 100)));
  std::atomic<bool> done = false;
  std::thread load([&] {
    test::CheckedClient client = server.admin();
    while (!done) test::created(client, "order", test::order_of(test::fresh_name(), test::item("p", 1, 100)));
  });
  const BackupKeys keys = make_backup_keys();
  Config config = config_for(source);
  config.backup_public_key = keys.public_key;
  std::ostringstream out;
  const std::string file = back_up(config, folder.path / "backups").file;
  done = true;
  load.join();
  const auto before = rows_of(source.url);
  server.stop();
  source.destroy();

  EXPECT_TRUE(restore_backup(config, file, {keys.secret_key}, out)) << out.str();
  const auto after = rows_of(source.url);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_GE(after.at("orders"), 20);
  EXPECT_LE(after.at("orders"), before.at("orders"));
  EXPECT_EQ(after.at("users"), before.at("users"));
  server.restart();
  EXPECT_EQ(server.admin().get("/api/data/order?limit=1").status, 200);
  server.stop();
  EXPECT_THROW(restore_backup(config, file, {keys.secret_key}, out), std::runtime_error) << "not over a database";
  EXPECT_EQ(rows_of(source.url).at("orders"), after.at("orders"));

  const Sql change("UPDATE audit_entries SET action = 'other' WHERE sequence = 1");
  {
    const auto storage = open_storage({.url = source.url});
    seal_audit_trail(*storage);
    storage->write_now([&](Tx& tx) { EXPECT_EQ(tx.run({&change, {}}), 1); });
  }
  const std::string changed = back_up(config, folder.path / "changed").file;
  EXPECT_FALSE(restore_backup(config_for(target), changed, {keys.secret_key}, out)) << "the audit trail does not hold";
}

TEST_P(Backups, go_to_a_bucket_and_are_restored_from_there) {
  test::S3StandIn storage;
  for (const char* day : {"01", "02", "03"}) {
    storage.put(fmt::format("shop/guildhall-202001{}T000000Z.backup", day), "older");
  }
  storage.put("shop/guildhall-notes", "not ours");
  Config config = config_for(source);
  config.data_dir = (folder.path / "data").string();
  config.backup_keep = 2;
  config.backup_target = "s3://backups/shop";
  config.backup_s3_endpoint = storage.url();
  config.backup_s3_region = test::S3StandIn::region;
  config.backup_s3_access_key = test::S3StandIn::access_key;
  config.backup_s3_secret_key = test::S3StandIn::secret_key;
  test::CheckedClient admin = server.admin();
  test::created(admin, "order", test::order_of(test::fresh_name(), test::item("p", 1, 100)));
  const Instant before = now();
  const Backup backup = back_up(config, config.backup_target);
  EXPECT_EQ(backup.deleted.size(), 2u);
  const auto objects = storage.objects();
  EXPECT_EQ(objects.size(), 3u) << "the new one, the newest of the others, and the one that is no backup";
  EXPECT_TRUE(objects.contains("shop/guildhall-notes"));
  EXPECT_TRUE(objects.contains("shop/guildhall-20200103T000000Z.backup"));
  EXPECT_TRUE(objects.contains(backup.file.substr(std::string("s3://backups/").size())));
  EXPECT_GE(newest_backup_in_target(config).value() + std::chrono::seconds(1), before);
  EXPECT_TRUE(fs::is_empty(folder.path / "data/backup-transfer"));

  Config restored = config;
  restored.database_url = target.url;
  std::ostringstream out;
  EXPECT_TRUE(restore_backup(restored, "s3://backups/shop", {}, out)) << out.str();
  EXPECT_EQ(rows_of(target.url).at("orders"), 1);
  EXPECT_TRUE(fs::is_empty(folder.path / "data/backup-transfer"));
  config.backup_s3_secret_key = "another key";
  EXPECT_THROW(back_up(config, config.backup_target), std::runtime_error);
  EXPECT_TRUE(fs::is_empty(folder.path / "data/backup-transfer"));
}

TEST_P(Backups, of_another_database_than_the_running_servers_are_refused) {
  migrate(*open_storage({.url = target.url}));
  try {
    back_up(config_for(target), folder.path / "backups");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string_view(error.what()).find("DATABASE_URL"), std::string_view::npos) << error.what();
  }
  EXPECT_FALSE(fs::exists(folder.path / "backups"));
  EXPECT_TRUE(fs::exists(back_up(config_for(source), folder.path / "backups").file));
  server.stop();
  EXPECT_TRUE(fs::exists(back_up(config_for(target), folder.path / "others").file)) << "no server runs";
}

TEST_P(Backups, keep_only_the_newest) {
  fs::create_directories(folder.path);
  for (const char* day : {"01", "02", "03"}) {
    std::ofstream(folder.path / fmt::format("guildhall-202001{}T000000Z.backup", day)) << "older";
  }
  std::ofstream(folder.path / "something-else.backup") << "not ours";
  Config config = config_for(source);
  config.backup_keep = 2;
  const fs::path newest = back_up(config, folder.path).file;
  EXPECT_TRUE(fs::exists(newest));
  EXPECT_TRUE(fs::exists(folder.path / "guildhall-20200103T000000Z.backup"));
  EXPECT_FALSE(fs::exists(folder.path / "guildhall-20200102T000000Z.backup"));
  EXPECT_TRUE(fs::exists(folder.path / "something-else.backup"));
  EXPECT_TRUE(newest_backup(folder.path));
}

TEST_P(Backups, that_are_not_encrypted_are_restored_only_if_the_operator_says_so) {
  const std::string file = back_up(config_for(source), folder.path / "backups").file;
  const BackupKeys keys = make_backup_keys();
  Config config = config_for(target);
  std::ostringstream out;
  EXPECT_THROW(restore_backup(config, file, {keys.secret_key}, out), std::runtime_error) << "a key was given";
  config.backup_public_key = keys.public_key;
  EXPECT_THROW(restore_backup(config, file, {}, out), std::runtime_error) << "this installation encrypts its backups";
  EXPECT_TRUE(restore_backup(config, file, {.unencrypted = true}, out)) << out.str();
}

TEST_P(Backups, are_made_in_the_background_when_an_operator_requests_one) {
  test::CheckedClient admin = server.admin();
  const std::string path = "/api/admin/platform/backups";
  EXPECT_TRUE(admin.get(path).is_null("/requested"));
  EXPECT_EQ(server.member("default", "TenantAdmin").post(path, "").status, 403) << "an owner of a shop";
  const test::HttpHeaders key{{"Idempotency-Key", test::fresh_name()}};
  EXPECT_EQ(admin.post(path, "", key).status, 202);
  test::HttpReply listed;
  ASSERT_TRUE(test::eventually([&] {
    listed = admin.get(path);
    return listed.text("/requested/status") != "RUNNING";
  }));
  EXPECT_EQ(listed.text("/requested/status"), "DONE") << listed.body;
  ASSERT_EQ(listed.size("/items"), 1u);
  EXPECT_TRUE(listed.boolean("/items/0/verified"));
  EXPECT_EQ(listed.integer("/requested/bytes"), listed.integer("/items/0/bytes"));
  EXPECT_EQ(fs::path(listed.text("/requested/file")).filename(), listed.text("/items/0/name"));
  EXPECT_EQ(admin.post(path, "", key).header("idempotent-replayed"), "true");
  EXPECT_EQ(admin.get(path).text("/requested/startedAt"), listed.text("/requested/startedAt")) << "no second backup";
  EXPECT_EQ(admin.get("/api/admin/audit?subject=backup").text("/items/0/action"), "requested");

  const fs::path folder_of_backups = listed.text("/folder");
  fs::remove_all(folder_of_backups);
  std::ofstream(folder_of_backups) << "a file where the folder should be";
  EXPECT_EQ(admin.post(path, "").status, 202);
  ASSERT_TRUE(test::eventually([&] {
    listed = admin.get(path);
    return listed.text("/requested/status") == "FAILED";
  }));
  EXPECT_FALSE(listed.text("/requested/error").empty());
}

TEST_P(Backups, leave_nothing_after_a_failure) {
  std::ostringstream out;
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_THROW(back_up(config_for(source), folder.path / "stopped", stopped.get_token()), std::runtime_error);
  EXPECT_TRUE(fs::is_empty(folder.path / "stopped"));
  EXPECT_ANY_THROW(back_up(config_for(target), folder.path / "backups")) << "there is no database yet";
  EXPECT_FALSE(fs::exists(folder.path / "backups"));
  const fs::path file = back_up(config_for(source), folder.path / "backups").file;
  fs::resize_file(file, fs::file_size(file) - 10);
  EXPECT_ANY_THROW(restore_backup(config_for(target), file, {}, out));
  if (GetParam() == test::Engine::sqlite) {
    EXPECT_FALSE(fs::exists(target.url.substr(7)));
    EXPECT_FALSE(fs::exists(target.url.substr(7) + ".restoring"));
  } else {
    EXPECT_EQ(rows_of(target.url).size(), 0u);
  }
}

}  // namespace
}  // namespace guildhall
