#include "api/resource.h"
#include "base/ascii.h"
#include "base/text.h"
#include "features/action.h"
#include "features/catalog/product_store.h"
#include "features/delivery/delivery_actions.h"
#include "features/delivery/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::int64_t keys_counted_max = 10'000;

struct ShownDeliverable : Deliverable {
  std::int64_t free_keys = 0;  // both are counted up to 10,000
  std::int64_t sold_keys = 0;
};
BOOST_DESCRIBE_STRUCT(ShownDeliverable, (Deliverable), (free_keys, sold_keys))

struct DeliverablePage {
  std::vector<ShownDeliverable> items;
};
BOOST_DESCRIBE_STRUCT(DeliverablePage, (), (items))

struct DeliverableContent {
  std::optional<std::string> content;
};
BOOST_DESCRIBE_STRUCT(DeliverableContent, (), (content))

struct NewKeys {
  NonEmpty<std::string> keys;
};
BOOST_DESCRIBE_STRUCT(NewKeys, (), (keys))

ProductId product_in_path(const Call& call) {
  return ProductId(call.param(0));
}

// The deliverable of the path, which must be one of the product's.
DeliverableId deliverable_in_path(Tx& tx, const Call& call) {
  const DeliverableId id(call.param(1));
  const auto found = tx.one(deliverable_by_id(call.tenant, id));
  if (!found || found->product_id != product_in_path(call)) throw not_found("Deliverable");
  return id;
}

void require_product(Tx& tx, const Call& call) {
  if (!tx.one(product_by_id(call.tenant, product_in_path(call)))) throw not_found("Product");
}

Task<Reply> post_deliverable(Call& call, Database& db, const Events& events, const std::optional<SecretBox>& secrets) {
  return api::create_one<NewDeliverable>(call, db, [&](Tx& tx, const NewDeliverable& input) {
    require_product(tx, call);
    return create_deliverable(action_of(call, tx, events), required_secrets(secrets), product_in_path(call), input);
  });
}

Task<Reply> list_deliverables(Call& call, Database& db) {
  DeliverablePage page;
  co_await db.read([&](Tx& tx) {
    require_product(tx, call);
    for (Deliverable& each : tx.all(deliverables_of(call.tenant, product_in_path(call)))) {
      ShownDeliverable& shown = page.items.emplace_back(ShownDeliverable{std::move(each)});
      if (!has_keys(shown)) continue;
      shown.free_keys = *tx.one(number_of_free_keys(call.tenant, shown.id, keys_counted_max));
      shown.sold_keys = *tx.one(number_of_sold_keys(call.tenant, shown.id, keys_counted_max));
    }
    return true;
  });
  co_return api::json_reply(200, page);
}

Task<Reply> patch_deliverable(Call& call, Database& db, const Events& events, const std::optional<SecretBox>& secrets) {
  return api::patch_one<DeliverablePatch>(call, db, [&](Tx& tx, const auto& apply_patch) {
    const DeliverableId id = deliverable_in_path(tx, call);
    return change_deliverable(action_of(call, tx, events), required_secrets(secrets), id, apply_patch);
  });
}

Task<Reply> del_deliverable(Call& call, Database& db, const Events& events) {
  return api::delete_one(call, db, [&](Tx& tx, const auto& precondition) {
    delete_deliverable(action_of(call, tx, events), deliverable_in_path(tx, call), precondition);
  });
}

Task<Reply> show_content(Call& call, Database& db, const std::optional<SecretBox>& secrets) {
  DeliverableContent shown;
  co_await db.read([&](Tx& tx) {
    const auto found = tx.one(deliverable_by_id(call.tenant, deliverable_in_path(tx, call)));
    if (found->content.value)
      shown.content = required_secrets(secrets).open(*found->content.value, content_context(*found));
    return true;
  });
  co_return api::json_reply(200, shown);
}

// The first column of a line of a CSV file.
std::string first_column(std::string_view line) {
  if (!line.starts_with('"')) return std::string(trim(line.substr(0, line.find_first_of(",;"))));
  std::string column;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '"' && (++i == line.size() || line[i] != '"')) break;  // two of them are one
    column += line[i];
  }
  return column;
}

// Empty lines at the end are ignored.
std::vector<std::string> lines_of(std::string_view body, bool is_csv) {
  std::vector<std::string> lines;
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);  // the byte order mark
  while (!body.empty() && lines.size() <= keys_a_request_max) {
    const std::size_t end = body.find('\n');
    std::string_view line = body.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(is_csv ? first_column(line) : std::string(trim(line)));
    body.remove_prefix(end == std::string_view::npos ? body.size() : end + 1);
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::vector<std::string> keys_in(const Call& call) {
  const std::string type = folded(call.request.header("content-type"));
  auto keys = type.starts_with("application/json") ? call.body<NewKeys>().keys.value
                                                   : lines_of(call.request.body, type.starts_with("text/csv"));
  for (std::string& key : keys) key = std::string(trim(key));
  if (keys.empty()) throw invalid_field("keys", "must have at least one key");
  if (keys.size() > keys_a_request_max) {
    throw invalid_field("keys", fmt::format("must have at most {} keys", keys_a_request_max));
  }
  return keys;
}

Task<Reply> post_keys(Call& call, Database& db, const Events& events, const std::optional<SecretBox>& secrets) {
  const std::vector<std::string> keys = keys_in(call);
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    const DeliverableId id = deliverable_in_path(tx, call);
    return api::json_reply(201, add_keys(action_of(call, tx, events), required_secrets(secrets), id, keys));
  });
}

}  // namespace

std::vector<api::Route> deliverable_routes(Database& db, const Events& events,
                                           const std::optional<SecretBox>& secrets) {
  constexpr std::string_view all = "/api/data/product/:id/deliverable",
                             one = "/api/data/product/:id/deliverable/:deliverableId";
  static constexpr std::string_view key_types[] = {"text/plain", "text/csv", "application/json"};
  return {
      route(Method::post, all, Access::data_write, "Add something that buyers of a product get", post_deliverable, db,
            events, secrets)
          .takes<NewDeliverable>()
          .gives<Deliverable>(201, "The new deliverable, without its content."),
      route(Method::get, all, Access::data_read, "What buyers of a product get", list_deliverables, db)
          .gives<DeliverablePage>(200, "In the order in which buyers see them."),
      route(Method::patch, one, Access::data_write, "Change a deliverable", patch_deliverable, db, events, secrets)
          .takes<DeliverablePatch>()
          .gives<Deliverable>(200, "The changed deliverable."),
      route(Method::del, one, Access::data_write, "Remove a deliverable", del_deliverable, db, events)
          .gives(204, "New buyers do not get it."),
      route(Method::get, std::string(one) + "/content", Access::data_write, "The link or text of a deliverable",
            show_content, db, secrets)
          .gives<DeliverableContent>(200, "What the buyer sees."),
      route(Method::post, std::string(one) + "/key", Access::data_write, "Add keys to a pool", post_keys, db, events,
            secrets)
          .takes_bytes(key_types, 8 << 20)
          .gives<AddedKeys>(201, "All of them were added."),
  };
}

}  // namespace guildhall
