#include "features/operations/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct Health {
  std::string status = "ok";
};
BOOST_DESCRIBE_STRUCT(Health, (), (status))

struct Readiness {
  std::string status;
  std::string database;
  std::string cache;
  std::vector<std::string> warnings;
};
BOOST_DESCRIBE_STRUCT(Readiness, (), (status, database, cache, warnings))

struct Build {
  std::string package_version;
  std::int64_t start_time;  // milliseconds since 1970
};
BOOST_DESCRIBE_STRUCT(Build, (), (package_version, start_time))

struct Deployment {
  std::string platform;
  std::string service;
  std::string branch;
  std::string commit;
};
BOOST_DESCRIBE_STRUCT(Deployment, (), (platform, service, branch, commit))

using TextMap = std::map<std::string, std::string>;

}  // namespace

template <>
struct Codec<TextMap> : PlainCodec {
  static void decode(JsonValue, TextMap&, Decoder&) {}  // only ever written
  static void encode(std::string& out, const TextMap& map) {
    json::ObjectWriter object(out);
    for (const auto& [key, value] : map) object.add(key, value);
  }
  static void schema(Schema& schema) { schema.raw(R"({"type":"object","additionalProperties":{"type":"string"}})"); }
};

namespace {

struct Info {
  Build build;
  Deployment deployment;
  TextMap env;
};
BOOST_DESCRIBE_STRUCT(Info, (), (build, deployment, env))

Reply health(Call&, Operations&) {
  return api::json_reply(200, Health{});
}

struct CacheReport {
  std::string state;
  std::string warning;
};

CacheReport report_on(CacheState state) {
  switch (state) {
    case CacheState::ok:
      return {"ok", ""};
    case CacheState::read_only:
      return {"read-only", "The cache takes no writes, as one that is full does: nobody can sign in."};
    case CacheState::down:
      return {"down", "The cache does not answer: nobody can sign in."};
  }
  return {};
}

// A node without its cache stays ready, since it still serves webhooks and invoice pages, which need no session.
// Anybody may read the reply, so it has no warnings about the configuration: those are in the start-up log and in
// doctor.
Task<Reply> readiness(Call&, Operations& operations) {
  const CacheReport cache = report_on(co_await probe(operations.cache));
  Readiness state{.status = "", .database = "", .cache = cache.state, .warnings = {}};
  if (!cache.warning.empty()) state.warnings.push_back(cache.warning);
  if (operations.process.present_warnings) {
    for (std::string& warning : operations.process.present_warnings()) state.warnings.push_back(std::move(warning));
  }
  DatabaseProbe::State database = co_await operations.database.state();
  for (std::string& warning : database.warnings) state.warnings.push_back(std::move(warning));
  const bool draining = operations.process.draining.load(std::memory_order_relaxed);
  const bool ready = database.writable && !draining;
  state.database = database.writable ? "ok" : "down";
  state.status = draining ? "draining" : ready ? "ready" : "not ready";
  co_return api::json_reply(ready ? 200 : 503, state);
}

Reply info(Call&, Operations& operations) {
  const OperationsConfig& config = operations.config;
  Info info{.build = {GUILDHALL_VERSION, operations.process.started.ms},
            .deployment = {config.deploy_platform, config.deploy_service, config.deploy_branch, config.deploy_commit},
            .env = {}};
  const Environment environment = process_environment();
  for (const Variable& variable : operations.process.variables) {
    info.env.emplace(variable.name, shown_value(variable, value_of(variable, environment)));
  }
  return api::json_reply(200, info);
}

Reply metrics_text(Call&, Metrics& metrics) {
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = metrics.text()};
}

}  // namespace

std::vector<api::Route> operations_routes(Operations& operations) {
  constexpr api::AddressLimit info_limit{.endpoint = "info", .per_minute = 300};
  return {
      route(Method::get, "/healthz", Access::open, "Is the process up", health, operations)
          .unlimited("It reads nothing.")
          .gives<Health>(200, "It is."),
      route(Method::get, "/readyz", Access::open, "Can it do useful work", readiness, operations)
          .limited({.endpoint = "readiness", .per_minute = 6000})  // a balancer asks many nodes, which count together
          .gives<Readiness>(200, "It can.")
          .gives<Readiness>(503, "It cannot, and why."),
      route(Method::get, "/info", Access::open, "Build, deployment and configuration", info, operations)
          .limited(info_limit)
          .gives<Info>(200, "Sensitive values are masked."),
      route(Method::get, "/api/info", Access::open, "The same as /info", info, operations)
          .limited(info_limit)
          .gives<Info>(200, "Sensitive values are masked."),
  };
}

std::vector<api::Route> metrics_routes(Metrics& metrics) {
  return {route(Method::get, "/metrics", Access::open, "Prometheus text", metrics_text, metrics)
              .gives(200, "The metrics.")};
}

}  // namespace guildhall
