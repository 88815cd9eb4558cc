#include "api/resource.h"
#include "features/action.h"
#include "features/customers/customer_actions.h"
#include "features/customers/customer_store.h"
#include "features/customers/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::int64_t streamed_rows = 32;          // read at a time
constexpr std::size_t streamed_bytes = 512 * 1024;  // sent at a time, at least
static_assert(streamed_bytes < http::piece_bytes_max);

struct DefaultAddressInput {
  AddressText address_id;
};
BOOST_DESCRIBE_STRUCT(DefaultAddressInput, (), (address_id))

struct LinkInput {
  UserId user_id;
};
BOOST_DESCRIBE_STRUCT(LinkInput, (), (user_id))

CustomerId id_of(const Call& call) {
  return CustomerId(call.param(0));
}

// Used for every change of one customer: reads, edits, checks If-Match, writes, and replies with the new record.
Task<Reply> change(const Call& call, Database& db, const Events& events, std::function<void(Customer&)> edit) {
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    return api::record_reply(200, change_customer(action_of(call, tx, events), id_of(call), [&](Customer& customer) {
                               edit(customer);
                               call.require_match(customer.version);
                             }));
  });
}

Task<Reply> find_or_create(Call& call, Database& db, const Events& events) {
  const auto input = call.body<NewCustomer>();
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    const FoundCustomer found = find_or_create_customer(action_of(call, tx, events), input);
    return api::record_reply(found.created ? 201 : 200, found.customer);
  });
}

Task<Reply> find(Call& call, Database& db) {
  return api::find_one(db, customer_by_id(call.tenant, id_of(call)), "Customer");
}

Task<Reply> patch(Call& call, Database& db, const Events& events) {
  return api::patch_one<CustomerPatch>(call, db, [&](Tx& tx, const auto& edit) {
    return change_customer(action_of(call, tx, events), id_of(call), edit);
  });
}

Task<Reply> deactivate(Call& call, Database& db, const Events& events) {
  co_return co_await change(call, db, events, [](Customer& customer) { customer.is_active = false; });
}

Task<Reply> add_address_to(Call& call, Database& db, const Events& events) {
  const auto address = call.body<CustomerAddress>();
  co_return co_await change(call, db, events, [&](Customer& customer) { add_address(customer, address); });
}

Task<Reply> remove_address_from(Call& call, Database& db, const Events& events) {
  co_return co_await change(call, db, events, [&](Customer& customer) { remove_address(customer, call.param(1)); });
}

Task<Reply> choose_default_address(Call& call, Database& db, const Events& events) {
  const auto input = call.body<DefaultAddressInput>();
  co_return co_await change(call, db, events,
                            [&](Customer& customer) { set_default_address(customer, input.address_id); });
}

Task<Reply> link_user(Call& call, Database& db, const Events& events) {
  const auto input = call.body<LinkInput>();
  co_return co_await change(call, db, events, [&](Customer& customer) { customer.user_id = input.user_id; });
}

// The contract requires a bare array of all customers. It is streamed: some rows are read at a time.
struct WholeList {
  Database& db;
  TenantId tenant;
  Position position{};
  bool started = false;
  bool finished = false;

  struct Piece {
    std::string text;
    Position position;
    bool finished = false;
  };

  // Reads outside the loop, and few rows at a time, since customers may be large.
  Piece read(Tx& tx) const {
    Piece piece{.text = {}, .position = position};
    while (!piece.finished && piece.text.size() < streamed_bytes) {
      const auto rows = tx.all(api::as_shown(customers_after(tenant, piece.position, streamed_rows)));
      piece.finished = std::ssize(rows) < streamed_rows;
      for (const EncodedRow& row : rows) {
        piece.text += started || !piece.text.empty() ? ',' : '[';
        piece.text += row.json.text;
        piece.position = {row.created_at, row.id};
        if (piece.text.size() < streamed_bytes) continue;
        piece.finished = piece.finished && &row == &rows.back();
        break;
      }
    }
    return piece;
  }

  Task<bool> next(std::string& piece) {
    if (finished) co_return false;
    Piece read_now = co_await db.read_to_show([this](Tx& tx) { return read(tx); });
    started = started || !read_now.text.empty();
    position = std::move(read_now.position);
    finished = read_now.finished;
    piece = std::move(read_now.text);
    if (finished) piece += started ? "]" : "[]";
    co_return true;
  }
};

Task<Reply> list(Call& call, Database& db) {
  const auto query = call.query<CustomerQuery>();
  if (!query.limit && !query.cursor && !query.total && !api::has_filters(query) && query.sort.descending) {
    const auto whole = std::make_shared<WholeList>(WholeList{.db = db, .tenant = call.tenant});
    Reply reply;
    co_await whole->next(reply.body);  // before the reply starts, so that a failure can still set the status
    if (!whole->finished) reply.more = [whole](std::string& piece) { return whole->next(piece); };
    co_return reply;
  }
  co_return co_await api::read_list(db, customer_listing(), call.tenant, query, append_row_json<Customer>);
}

}  // namespace

std::vector<api::Route> customer_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/data/customer", one = "/api/data/customer/:id";
  constexpr std::string_view addresses = "/api/data/customer/:id/address";
  return {
      route(Method::post, all, Access::data_write, "Find a customer by chat id, or create one", find_or_create, db,
            events)
          .takes<NewCustomer>()
          .gives<Customer>(200, "The customer of that chat id, unchanged.")
          .gives<Customer>(201, "The new customer."),
      route(Method::get, all, Access::data_read, "All customers, or a page of them", list, db)
          .takes_query<CustomerQuery>()
          .gives<AnyOf<std::vector<Customer>, api::ListPage<Customer>>>(
              200, "The bare array of all customers; a page with limit, cursor, total, a filter or another order."),
      route(Method::get, one, Access::data_read, "One customer", find, db).gives<Customer>(200, "The customer."),
      route(Method::patch, one, Access::data_write, "Change a customer", patch, db, events)
          .takes<CustomerPatch>()
          .gives<Customer>(200, "The changed customer."),
      route(Method::del, one, Access::data_write, "Deactivate a customer", deactivate, db, events)
          .gives<Customer>(200, "The deactivated customer."),
      route(Method::post, addresses, Access::data_write, "Add an address", add_address_to, db, events)
          .takes<CustomerAddress>()
          .gives<Customer>(200, "The changed customer."),
      route(Method::del, "/api/data/customer/:id/address/:addressId", Access::data_write, "Remove an address",
            remove_address_from, db, events)
          .gives<Customer>(200, "The changed customer."),
      route(Method::patch, "/api/data/customer/:id/default-address", Access::data_write, "Choose the default address",
            choose_default_address, db, events)
          .takes<DefaultAddressInput>()
          .gives<Customer>(200, "The changed customer."),
      route(Method::post, "/api/data/customer/:id/link", Access::data_write, "Link a customer to a user", link_user, db,
            events)
          .takes<LinkInput>()
          .gives<Customer>(200, "The changed customer."),
  };
}

}  // namespace guildhall
