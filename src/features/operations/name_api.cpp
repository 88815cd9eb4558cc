#include "api/guards.h"
#include "api/list_params.h"
#include "api/resource.h"
#include "features/operations/routes.h"

// The names of records by their ids, for pages that list records which refer to others.
namespace guildhall {

// The records that have names. A member is a customer by the id on the chat platform.
enum class NamedKind { order, customer, member, product, user, token };
BOOST_DESCRIBE_ENUM(NamedKind, order, customer, member, product, user, token)

// Ids in a query string, separated by commas.
struct NamedIds {
  static constexpr std::size_t ids_max = 100;
  std::vector<std::string> value;
};

template <>
struct Codec<NamedIds> : PlainCodec {
  static void decode(JsonValue value, NamedIds& out, Decoder& decoder) {
    split_parameter(value, [&](std::string_view id) { out.value.emplace_back(id); });
    if (out.value.empty()) return decoder.problem("is required");
    if (out.value.size() > NamedIds::ids_max) {
      decoder.problem(fmt::format("must have at most {} ids", NamedIds::ids_max));
    }
  }
  static void encode(std::string& out, const NamedIds& ids) { Codec<std::vector<std::string>>::encode(out, ids.value); }
  static void schema(Schema& schema) {
    schema.raw(
        fmt::format(R"({{"type":"array","minItems":1,"maxItems":{},"items":{{"type":"string"}}}})", NamedIds::ids_max));
  }
};

struct NameQuery {
  NamedKind kind = NamedKind::order;
  NamedIds ids;
};
BOOST_DESCRIBE_STRUCT(NameQuery, (), (kind, ids))

struct NamedRecord {
  std::string id;
  std::string name;
  std::optional<std::string> currency;  // of its amounts; null: it has none
};
BOOST_DESCRIBE_STRUCT(NamedRecord, (), (id, name, currency))

struct NamedRecords {
  std::vector<NamedRecord> items;
};
BOOST_DESCRIBE_STRUCT(NamedRecords, (), (items))

namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

// A statement for the largest number of ids; fewer are filled up with empty ones, which no record has.
std::string names_sql(std::string_view id, std::string_view name, std::string_view table,
                      std::string_view currency = "CAST(NULL AS TEXT)") {
  std::string places;
  for (std::size_t i = 0; i < NamedIds::ids_max; ++i) places += fmt::format("{}${}", i == 0 ? "" : ", ", i + 2);
  return fmt::format("SELECT {0}, {1}, {4} FROM {2} WHERE tenant_id = $1 AND {0} IN ({3})", id, name, table, places,
                     currency);
}

const Sql order_names(names_sql("id", "order_number", "orders", "currency") + " AND deleted_at IS NULL");
const Sql customer_names(names_sql("id", "chat_display_name", "customers"));
const Sql member_names(names_sql("chat_id", "chat_display_name", "customers"));
const Sql product_names(names_sql("id", "name", "products", "currency"));
const Sql user_names(names_sql("id", "display_name", "users"));
const Sql token_names(names_sql("id", "name", "api_tokens"));

const Sql& statement_for(NamedKind kind) {
  switch (kind) {
    case NamedKind::order:
      return order_names;
    case NamedKind::customer:
      return customer_names;
    case NamedKind::member:
      return member_names;
    case NamedKind::product:
      return product_names;
    case NamedKind::user:
      return user_names;
    case NamedKind::token:
      break;
  }
  return token_names;
}

Select<NamedRecord> names_of(const TenantId& tenant, const NameQuery& query) {
  std::vector<Value> values = params(tenant);
  for (const std::string& id : query.ids.value) values.emplace_back(id);
  values.resize(NamedIds::ids_max + 1, std::string());
  return {{&statement_for(query.kind), std::move(values)}, read_row<NamedRecord>};
}

// Names of tokens need the same permission as the list of tokens.
Task<Reply> list_names(Call& call, Database& db) {
  const auto query = call.query<NameQuery>();
  if (query.kind == NamedKind::token) api::require_permission(*call.caller, Access::admin);
  co_return api::json_reply(200, NamedRecords{co_await db.all(names_of(call.tenant, query))});
}

}  // namespace

std::vector<api::Route> name_routes(Database& db) {
  return {
      route(Method::get, "/api/data/name", Access::data_read, "The names of records by their ids", list_names, db)
          .takes_query<NameQuery>()
          .gives<NamedRecords>(200, "The names of those that exist."),
  };
}

}  // namespace guildhall
