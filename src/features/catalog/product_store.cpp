#include "features/catalog/product_store.h"

#include <deque>

#include "features/tenancy/tenant_settings.h"
#include "storage/guard.h"
#include "storage/record_table.h"
#include "storage/search_text.h"

namespace guildhall {
namespace {

const RecordTable<Product> product_table("products", {.violated = [](std::string_view constraint) {
                                           if (constraint == "products_sku_key") throw sku_taken();
                                         }});
const std::string& select_product = product_table.select;

// Selects the products with the given ids. There is one statement for each number of ids, up to a limit: one statement
// for the largest number, filled up with empty ids, would always cost as much as a full one.
class SelectByIds {
 public:
  explicit SelectByIds(const std::string& select, const std::string& added = "") {
    std::string places;
    for (std::size_t count = 1; count <= ids_a_statement; ++count) {
      places += fmt::format("{}${}", count == 1 ? "" : ", ", count + 1);
      by_count_.emplace_back(fmt::format("{} WHERE tenant_id = $1 AND id IN ({}){}", select, places, added));
    }
  }

  void run(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids, RowSink sink) const {
    for_each_query(tx, tenant, ids, [&](Query query) { tx.run(query, sink); });
  }

  void ahead(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids) const {
    for_each_query(tx, tenant, ids, [&](Query query) { tx.read_ahead(std::move(query)); });
  }

 private:
  void for_each_query(const Tx& tx, const TenantId& tenant, std::span<const ProductId> ids,
                      FunctionRef<void(Query)> use) const {
    const std::size_t at_once =
        tx.has_single_writer() ? 1 : ids_a_statement;  // SQLite: no network round trips, so single reads are faster
    while (!ids.empty()) {
      const auto some = ids.first(std::min(ids.size(), at_once));
      std::vector<Value> values{tenant.text()};
      for (const ProductId& id : some) values.emplace_back(id.text());
      use({&by_count_[some.size() - 1], std::move(values)});
      ids = ids.subspan(some.size());
    }
  }

  static constexpr std::size_t ids_a_statement = 8;
  std::deque<Sql> by_count_;  // a deque, since the addresses of statements must not change
};

}  // namespace

Select<Product> product_by_id(const TenantId& tenant, const ProductId& id) {
  return product_table.by_id(tenant, id);
}

static const Sql by_sku_sql(select_product + " WHERE tenant_id = $1 AND sku = $2");

Select<Product> product_by_sku(const TenantId& tenant, const std::string& sku) {
  return {{&by_sku_sql, params(tenant, sku)}, read_row<Product>};
}

static const Listing listing = Listing::of<ProductQuery>({
    .table = "products",
    .columns = columns<Product>(),
    .unique = {"sku"},
    .paths = {{.filter = "sku", .condition = "sku = :sku", .order = ListPath::Order::none}, metadata_path("products")},
});

const Listing& product_listing() {
  return listing;
}

static const SearchTextFill<Product> fill("products");

std::int64_t fill_product_search(Tx& tx, const JobFailures& failures) {
  return fill.fill_some(tx, search_text_of, failures);
}

static const Sql offered_sql(select_product +
                             " WHERE tenant_id = $1 AND is_active AND (created_at, id) < ($2, $3)"
                             " ORDER BY created_at DESC, id DESC LIMIT $4");

Select<Product> offered_products_after(const TenantId& tenant, const Position& position, std::int64_t limit) {
  return {{&offered_sql, params(tenant, position.created_at, position.id, limit)}, read_row<Product>};
}

static const SelectByIds by_ids(select_product);

void products_ahead(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids) {
  by_ids.ahead(tx, tenant, ids);
}

std::vector<Product> products_of(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids) {
  std::vector<Product> found;
  by_ids.run(tx, tenant, ids, [&](const Row& row) { found.push_back(read_row<Product>(row)); });
  return found;
}

// A row without an id has the shop's currency. It is read together with the products, since a round trip of its own
// would make every order slower.
static const SelectByIds ordered_by_ids(
    "SELECT id, name, sku, price_cents, currency, CASE WHEN inventory_tracked THEN stock_quantity END,"
    " delivers FROM products",
    std::string(" UNION ALL SELECT '', '', '', 0, currency, CAST(NULL AS bigint), 'NOTHING'")
        .append(from_shop_with_currency));

void ordered_products_ahead(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids) {
  ordered_by_ids.ahead(tx, tenant, ids);
}

ShopProducts ordered_products(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids) {
  ShopProducts found;
  ordered_by_ids.run(tx, tenant, ids, [&](const Row& row) {
    const Currency currency = Column<Currency>::read(row, 4);
    if (row.text(0).empty()) {
      found.shop_currency = currency;
      return;
    }
    found.products.push_back({.id = ProductId(row.text(0)),
                              .name = std::string(row.text(1)),
                              .sku = std::string(row.text(2)),
                              .price_cents = Cents(row.integer(3)),
                              .currency = currency,
                              .stock = Column<std::optional<std::int64_t>>::read(row, 5),
                              .delivers = Column<Delivers>::read(row, 6)});
  });
  return found;
}

void insert_product(Tx& tx, const Product& product) {
  product_table.insert(tx, product);
}

void update_product(Tx& tx, Product& product) {
  product_table.update(tx, product);
}

void erase_product(Tx& tx, const Product& product) {
  product_table.erase(tx, product);
}

static const std::string stock_returned = " RETURNING id, name, sku, stock_quantity";

// Deferred to the commit, so that an order needs no round trip for it and the row is locked briefly. When the stock
// cannot be taken, CASE yields NULL and the NOT NULL constraint rejects it; the transaction then runs again and reads
// the reason. If the product was deleted meanwhile, nothing is taken: the order counts as placed before that.
static const std::string take_text =
    "UPDATE products SET stock_quantity = stock_quantity - $3, updated_at = $4, version ="
    " CASE WHEN inventory_tracked AND stock_quantity IS NOT NULL" +
    guard(" AND stock_quantity >= $3") + " THEN version + 1 END WHERE tenant_id = $1 AND id = $2";
static const Sql take_sql(take_text);
static const Sql take_watched_sql(take_text + stock_returned);

// Reading the stock once more sends the deferred statements first: of an order that was sent twice, the second one
// fails because of its number, not because the first one has taken the stock.
static void require_stock(Tx& tx, const TenantId& tenant, const ProductId& id, std::int64_t quantity) {
  const auto product = tx.one(product_by_id(tenant, id));
  if (!product || !product->inventory_tracked) return;
  if (product->stock_quantity.value_or(quantity) < quantity) throw out_of_stock(id);
}

static SharedRow row_of_stock(const TenantId& tenant, const ProductId& id) {
  return {SharedRow::Table::products, tenant.text(), id.text(), 2};  // the quantity
}

static void retry_without_stock(const ConstraintViolation& violation) {
  if (violation.constraint == "products_version_not_null") throw WriteRace();
}

static std::optional<StockPayload> changed_stock(Tx& tx, const Query& change) {
  std::optional<StockPayload> stock;
  tx.run(change, [&](const Row& row) {
    stock = {std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2)), row.integer(3)};
  });
  return stock;
}

// Orders that are placed at the same moment have read the same stock, so more of it may be gone than this one knows.
constexpr std::int64_t watched_stock_max = low_stock_max + 20;

std::optional<StockPayload> take_stock(Tx& tx, const TenantId& tenant, const OrderedProduct& product,
                                       std::int64_t quantity, Instant now) {
  if (product.stock < quantity) require_stock(tx, tenant, product.id, quantity);
  std::vector<Value> values = params(tenant, product.id, quantity, now);
  if (product.stock && *product.stock - quantity > watched_stock_max) {
    tx.later_on_shared_row(row_of_stock(tenant, product.id), {&take_sql, std::move(values)}, retry_without_stock);
    return std::nullopt;
  }
  try {
    return changed_stock(tx, {&take_watched_sql, std::move(values)});
  } catch (const ConstraintViolation& violation) {
    retry_without_stock(violation);
    throw;
  }
}

// Never above the largest stock that the API accepts: a shop may have set the stock anew while orders held pieces of
// it, and the sum of what they give back need not fit 64 bits.
static const Sql give_back_sql(
    fmt::format(
        "UPDATE products SET stock_quantity = CASE WHEN stock_quantity > {0} - $3 THEN {0} ELSE stock_quantity + $3 "
        "END,"
        " updated_at = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2 AND stock_quantity IS NOT NULL"
        " AND (delivers = 'KEYS') = $5",
        safe_integer_max) +
    stock_returned);

std::optional<StockPayload> give_back_stock(Tx& tx, const TenantId& tenant, const ProductId& id, std::int64_t quantity,
                                            bool of_keys, Instant now) {
  return changed_stock(tx, {&give_back_sql, params(tenant, id, quantity, now, of_keys)});
}

static const Sql change_key_stock_sql(
    "UPDATE products SET stock_quantity = stock_quantity + $3, updated_at = $4, version = version + 1"
    " WHERE tenant_id = $1 AND id = $2 AND delivers = 'KEYS'" +
    guard(" AND stock_quantity + $3 >= 0") + stock_returned);

std::optional<StockPayload> change_key_stock(Tx& tx, const TenantId& tenant, const ProductId& id, std::int64_t by,
                                             Instant now) {
  return changed_stock(tx, {&change_key_stock_sql, params(tenant, id, by, now)});
}

}  // namespace guildhall
