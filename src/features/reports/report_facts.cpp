#include "features/reports/report_facts.h"

namespace guildhall {
namespace {

std::int64_t limited(__int128 value) {
  return static_cast<std::int64_t>(std::clamp<__int128>(value, -measure_max, measure_max));
}

void add_limited(std::int64_t& sum, __int128 more) {
  sum = limited(sum + more);
}

// The items of each product, with each product's share of the discount: in proportion to the price of the items that
// the discount applies to, rounded half up. A discount that was set by hand applies to all items.
std::vector<ProductFacts> products_of(const Order& order) {
  const auto& applied = order.pricing.value.discount;
  struct Sums {
    std::int64_t units = 0, gross = 0, overrides = 0, eligible = 0;
  };
  std::map<ProductId, Sums> by_product;
  std::int64_t eligible = 0;
  for (std::size_t i = 0; i < order.items.size(); ++i) {
    const OrderItem& item = order.items[i];
    const __int128 price = static_cast<__int128>(item.quantity.value) * item.unit_price_cents.value();
    Sums& sums = by_product[item.product_id];
    add_limited(sums.units, item.quantity.value);
    add_limited(sums.gross, price);
    if (item.price_overridden && item.list_price_cents) {
      const std::int64_t difference = item.unit_price_cents.value() - item.list_price_cents->value();
      add_limited(sums.overrides, static_cast<__int128>(item.quantity.value) * difference);
    }
    if (applied && !std::ranges::binary_search(applied->item_indexes, static_cast<std::int64_t>(i))) continue;
    add_limited(sums.eligible, price);
    add_limited(eligible, price);
  }
  const std::int64_t discount = std::min(order.discount_amount_cents.value(), eligible);
  std::vector<ProductFacts> products;
  for (const auto& [product, sums] : by_product) {
    const std::int64_t share =
        eligible == 0 ? 0 : limited((static_cast<__int128>(discount) * sums.eligible + eligible / 2) / eligible);
    products.push_back({product, sums.units, sums.gross, share, sums.overrides});
  }
  return products;
}

}  // namespace

void add(Measures& sum, const Measures& more, std::int64_t factor) {
  boost::mp11::mp_for_each<boost::describe::describe_members<Measures, boost::describe::mod_public>>(
      [&](auto member) { add_limited(sum.*member.pointer, static_cast<__int128>(more.*member.pointer) * factor); });
}

ReportFacts facts_of_sale(const Order& order, PaymentProvider provider) {
  ReportFacts facts{.at = order.paid_at.value(),
                    .currency = std::string(order.currency.code()),
                    .provider = std::string(name_of(provider)),
                    .measures = {.orders = 1,
                                 .gross_cents = order.subtotal_cents.value(),
                                 .discount_cents = order.discount_amount_cents.value(),
                                 .tax_cents = order.tax_amount_cents.value(),
                                 .total_cents = order.total_cents.value(),
                                 .customer_orders = order.customer_id ? 1 : 0},
                    .order_id = order.id.text(),
                    .customer_id = std::nullopt,
                    .discount_id = std::nullopt,
                    .products = products_of(order)};
  if (order.customer_id) facts.customer_id = order.customer_id->text();
  if (order.discount_id) facts.discount_id = order.discount_id->text();
  for (const ProductFacts& product : facts.products) {
    add_limited(facts.measures.units, product.units);
    add_limited(facts.measures.override_cents, product.override_cents);
  }
  return facts;
}

ReportFacts facts_of_refund(const Refund& refund, PaymentProvider provider) {
  return {.at = refund.updated_at,
          .currency = refund.currency,
          .provider = std::string(name_of(provider)),
          .measures = {.refunds = 1, .refund_cents = refund.amount_cents.value()},
          .order_id = refund.order_id.text(),
          .customer_id = std::nullopt,
          .discount_id = std::nullopt,
          .products = {}};
}

bool changes_facts(const Order& before, const Order& after) {
  return to_json(facts_of_sale(before, manual_provider)) != to_json(facts_of_sale(after, manual_provider));
}

void add_by_date(Totals& totals, Dimension dimension, const std::string& currency, const std::string& key, Instant at,
                 const Measures& measures, std::int64_t factor) {
  for (const Level level : levels_by_date) {
    add(totals[{dimension, level, currency, key, bucket_of(level, at)}], measures, factor);
  }
}

void ReportChanges::add(const ReportFacts& facts, std::int64_t factor) {
  factor *= facts.factor;
  const auto add_to = [&](Dimension dimension, const std::string& key, const Measures& measures) {
    for (const Level level : levels_by_key) {
      guildhall::add(totals[{dimension, level, facts.currency, key, bucket_of(level, facts.at)}], measures, factor);
    }
  };
  add_by_date(totals, Dimension::SALES, facts.currency, "", facts.at, facts.measures, factor);
  add_to(Dimension::METHOD, facts.provider, facts.measures);
  if (facts.discount_id) add_to(Dimension::DISCOUNT, *facts.discount_id, facts.measures);
  for (const ProductFacts& product : facts.products) {
    add_to(Dimension::PRODUCT, product.product_id.text(),
           {.orders = 1,
            .units = product.units,
            .gross_cents = product.gross_cents,
            .discount_cents = product.discount_cents,
            .total_cents = product.gross_cents - product.discount_cents,
            .override_cents = product.override_cents});
  }
  if (!facts.customer_id) return;
  add_to(Dimension::CUSTOMER, *facts.customer_id, facts.measures);
  customer_orders[{facts.currency, *facts.customer_id, facts.at, facts.order_id}] += factor;
}

void ReportChanges::add(const LedgerEntry& entry, const std::string& currency) {
  const char* kind = entry.kind == LedgerKind::DISBURSEMENT ? "DISBURSEMENT"
                     : entry.change_cents < 0               ? "RETURN"
                                                            : "CONTRIBUTION";
  add_by_date(totals, Dimension::FUND, currency, kind, entry.created_at,
              {.orders = 1, .total_cents = std::abs(entry.change_cents)});
}

}  // namespace guildhall
