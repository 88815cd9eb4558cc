#pragma once

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include "storage/storage.h"

namespace guildhall::test {

enum class Engine { sqlite, postgresql };

// Returns a name that no other test uses, in this process or another.
inline std::string fresh_name() {
  static std::atomic<int> count = 0;
  return "test_" + std::to_string(::getpid()) + "_" + std::to_string(++count);
}

// A folder that the destructor deletes.
class TemporaryFolder {
 public:
  TemporaryFolder() : path(std::filesystem::temp_directory_path() / ("guildhall_" + fresh_name())) {
    std::filesystem::create_directories(path);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  const std::filesystem::path path;
};

inline std::string postgres_url() {
  const char* url = std::getenv("TEST_POSTGRES_URL");
  if (url == nullptr) {
    throw std::runtime_error("TEST_POSTGRES_URL is not set: run the tests with script/with-services.");
  }
  return url;
}

// Runs statements on a new connection. Returns the first value of the last one, if any.
inline std::string execute_on(const std::string& url, const std::string& sql) {
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(url.c_str()), PQfinish);
  std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection.get(), sql.c_str()), PQclear);
  ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    throw std::runtime_error(sql + ": " + PQerrorMessage(connection.get()));
  }
  return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
}

// A schema of its own on the test's PostgreSQL server. The destructor drops it with all its tables.
class TemporarySchema {
 public:
  TemporarySchema() : name("guildhall_" + fresh_name()) { execute("CREATE SCHEMA " + name); }
  TemporarySchema(const TemporarySchema&) = delete;
  TemporarySchema& operator=(const TemporarySchema&) = delete;
  ~TemporarySchema() {
    try {
      execute("SET client_min_messages = warning; DROP SCHEMA " + name + " CASCADE");
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }

  // Connections with this URL use the schema and have its name, so that a test can find them.
  std::string url() const { return postgres_url() + "?options=-csearch_path%3D" + name + "&application_name=" + name; }

  // Runs statements on a new connection. Returns the first value of the first row, if any.
  static std::string execute(const std::string& sql) { return execute_on(postgres_url(), sql); }

  // Ends every connection with url(), as a restart of the server would. Returns their number.
  int terminate_connections() const {
    return std::stoi(
        execute("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                " WHERE application_name = '" +
                name + "'"));
  }

  const std::string name;
};

// An empty database of one of the engines: a file in its own folder, or a schema of its own.
class FreshDatabase {
 public:
  explicit FreshDatabase(Engine engine) {
    if (engine == Engine::postgresql) {
      schema_ = std::make_unique<TemporarySchema>();
      url = schema_->url();
    } else {
      folder_ = std::make_unique<TemporaryFolder>();
      url = "sqlite:" + (folder_->path / "test.db").string();
    }
  }

  std::string url;

 private:
  std::unique_ptr<TemporarySchema> schema_;
  std::unique_ptr<TemporaryFolder> folder_;
};

// Runs each of a suite's tests on both engines:
//   class Orders : public test::OnEachEngine {};
//   INSTANTIATE_TEST_SUITE_P(Engines, Orders, test::engines, test::engine_name);
//   TEST_P(Orders, are_found) { … storage … }
class OnEachEngine : public ::testing::TestWithParam<Engine> {
 public:
  // Closes the database and opens it again, with these options.
  void reopen(StorageOptions options = {}) {
    options.url = database_.url;
    storage.reset();
    storage = open_storage(options);
  }

 private:
  FreshDatabase database_{GetParam()};

 protected:
  std::unique_ptr<Storage> storage = open_storage({.url = database_.url});
};

inline const auto engines = ::testing::Values(Engine::sqlite, Engine::postgresql);

inline std::string engine_name(const ::testing::TestParamInfo<Engine>& info) {
  return info.param == Engine::sqlite ? "sqlite" : "postgresql";
}

}  // namespace guildhall::test
