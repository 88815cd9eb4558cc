#include "features/chat/cart.h"

#include "storage/columns.h"

namespace guildhall::chat {

// The update changes nothing: it locks the row on both engines.
static const Sql lock_sql(
    "UPDATE chat_carts SET expires_at = expires_at WHERE tenant_id = $1 AND id = $2 AND chat_user_id = $3 RETURNING " +
    columns<Cart>());

std::optional<Cart> lock_cart(Tx& tx, const TenantId& tenant, const std::string& id, const std::string& chat_user_id) {
  return tx.one(guildhall::Select<Cart>{{&lock_sql, params(tenant, id, chat_user_id)}, read_row<Cart>});
}

static const Sql insert_sql(insert_into<Cart>("chat_carts"));

void insert_cart(Tx& tx, const Cart& cart) {
  tx.later({&insert_sql, values_of(cart)});
}

static const Sql set_order_sql("UPDATE chat_carts SET order_id = $3 WHERE tenant_id = $1 AND id = $2");

void set_cart_order(Tx& tx, const Cart& cart, const OrderId& order) {
  tx.later({&set_order_sql, params(cart.tenant_id, cart.id, order)});
}

static const Sql delete_expired_sql(R"(
  DELETE FROM chat_carts WHERE (tenant_id, id) IN
    (SELECT tenant_id, id FROM chat_carts WHERE expires_at < $1 LIMIT $2))");

std::int64_t delete_expired_carts(Tx& tx, Instant before, std::int64_t rows_max) {
  return tx.run({&delete_expired_sql, params(before, rows_max)});
}

}  // namespace guildhall::chat
