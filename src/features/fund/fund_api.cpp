#include "api/resource.h"
#include "base/encoding.h"
#include "features/action.h"
#include "features/fund/fund_actions.h"
#include "features/fund/fund_store.h"
#include "features/fund/routes.h"
#include "features/tenancy/tenant.h"

namespace guildhall {

// The cursor of the ledger is a sequence number: the next page has the entries before it.
struct LedgerCursor {
  std::int64_t before = safe_integer_max;

  std::string cursor() const { return base64url(std::to_string(before)); }
};

template <>
struct Codec<LedgerCursor> : PlainCodec {
  static void decode(JsonValue value, LedgerCursor& out, Decoder& decoder) {
    std::string_view given;
    const std::string text = value.get(given) == simdjson::SUCCESS ? from_base64url(given).value_or("") : "";
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.before);
    if (error == std::errc() && end == text.data() + text.size() && out.before > 0) return;
    decoder.problem("must be a nextCursor of this list");
  }
  static void encode(std::string& out, LedgerCursor value) { json::append_string(out, value.cursor()); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string"})"); }
};

namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct FundListQuery {
  Default<Bounded<1, 100>> limit{{20}};
  Default<Bounded<0, safe_integer_max>> offset{{0}};
};
BOOST_DESCRIBE_STRUCT(FundListQuery, (), (limit, offset))

struct PublicQuery {
  Default<Bounded<1, 100>> limit{{20}};
  Default<LedgerCursor> cursor{};
};
BOOST_DESCRIBE_STRUCT(PublicQuery, (), (limit, cursor))

struct LedgerQuery {
  Default<Bounded<1, 200>> limit{{50}};
  Default<LedgerCursor> cursor{};
};
BOOST_DESCRIBE_STRUCT(LedgerQuery, (), (limit, cursor))

template <class T>
struct Listed {
  std::vector<T> items;
  std::int64_t total = 0;

  BOOST_DESCRIBE_CLASS(Listed, (), (items, total), (), ())
};

struct PublicFund {
  TenantId tenant_id;
  std::string currency;
  std::int64_t total_contributed_cents = 0;
  std::int64_t total_disbursed_cents = 0;
  std::int64_t current_balance_cents = 0;
  std::vector<PublicContribution> contributions;
  std::optional<std::string> next_cursor;
};
BOOST_DESCRIBE_STRUCT(PublicFund, (),
                      (tenant_id, currency, total_contributed_cents, total_disbursed_cents, current_balance_cents,
                       contributions, next_cursor))

// One row more than `limit` was read. If it is there, drops it and returns the cursor of the next page.
template <class T>
std::optional<std::string> take_next_cursor(std::vector<T>& rows, std::int64_t limit) {
  if (rows.size() <= static_cast<std::size_t>(limit)) return std::nullopt;
  rows.resize(static_cast<std::size_t>(limit));
  return base64url(std::to_string(static_cast<std::int64_t>(rows.back().sequence)));
}

Task<Reply> balance(Call& call, Database& db) {
  const auto totals = co_await db.one(fund_totals_of(call.tenant));
  co_return api::json_reply(200, totals.value_or(FundTotals{}).balance());
}

template <class T>
Task<Reply> list_kind(Call& call, Database& db, LedgerKind kind, std::int64_t FundTotals::*total,
                      T (*make)(const LedgerEntry&)) {
  const auto query = call.query<FundListQuery>();
  const auto listed = co_await db.read_to_show([&](Tx& tx) {
    Listed<T> list;
    for (const LedgerEntry& entry : tx.all(entries_of_kind(call.tenant, kind, query.limit.value, query.offset.value))) {
      list.items.push_back(make(entry));
    }
    list.total = tx.one(fund_totals_of(call.tenant)).value_or(FundTotals{}).*total;
    return list;
  });
  co_return api::json_reply(200, listed);
}

Task<Reply> contributions(Call& call, Database& db) {
  return list_kind(call, db, LedgerKind::CONTRIBUTION, &FundTotals::contributions, contribution_of);
}

Task<Reply> disbursements(Call& call, Database& db) {
  return list_kind(call, db, LedgerKind::DISBURSEMENT, &FundTotals::disbursements, disbursement_of);
}

Task<Reply> ledger(Call& call, Database& db) {
  const auto query = call.query<LedgerQuery>();
  co_return co_await api::read_page(
      db, query.limit.value, query.cursor.value,
      [&](LedgerCursor cursor, std::int64_t rows) { return entries_before(call.tenant, cursor.before, rows); },
      [](const LedgerEntry& entry) { return LedgerCursor{static_cast<std::int64_t>(entry.sequence)}; });
}

Task<Reply> add_contribution(Call& call, Database& db, const Events& events) {
  const auto input = call.body<NewContribution>();
  co_return co_await api::write_once(
      call, db, [&](Tx& tx) { return api::json_reply(201, record_contribution(action_of(call, tx, events), input)); });
}

// The permission is checked before the body, so that a caller without it learns nothing about the body.
Task<> require_approval_role(const Call& call, Database& db) {
  const auto known = co_await db.one(fund_config_of(call.tenant));
  if (!may_approve(known ? *known : default_fund_config(call.tenant, call.now), call.caller->permissions)) {
    throw forbidden("PERMISSION_DENIED", "This needs one of the fund's approval roles.");
  }
}

Task<Reply> add_disbursement(Call& call, Database& db, const Events& events) {
  const auto body = call.partial_body<NewDisbursement>();
  const NewDisbursement& input = body.value;
  if (!body.problems.empty()) {
    co_await api::refuse_body(db, body.problems, [&](Tx& tx) { require_recipient(tx, call.tenant, input); });
  }
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    return api::json_reply(201, disburse(action_of(call, tx, events), call.user(), input));
  });
}

Task<Reply> config(Call& call, Database& db, const Events& events) {
  if (const auto known = co_await db.one(fund_config_of(call.tenant))) co_return api::record_reply(200, *known);
  co_return co_await db.write(
      [&](Tx& tx) { return api::record_reply(200, find_or_create_fund_config(action_of(call, tx, events))); });
}

Task<Reply> change_config(Call& call, Database& db, const Events& events) {
  const auto patch = call.partial_body<FundConfigPatch>();
  if (!patch.problems.empty()) {
    auto config = (co_await db.one(fund_config_of(call.tenant))).value_or(default_fund_config(call.tenant, call.now));
    api::throw_all(patch.problems, [&] { apply(patch.value, config); });
  }
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    const auto fits = [&](const FundConfig& before) {
      require_may_change_roles(before, patch.value, call.caller->permissions);
      call.require_match(before.version);
    };
    return api::record_reply(200, change_fund_config(action_of(call, tx, events), patch.value, fits));
  });
}

// A tenant that does not publish its fund gets the same 404 as one that does not exist.
PublicFund public_fund(Tx& tx, const TenantId& tenant, std::int64_t before, std::int64_t limit) {
  const auto config = tx.one(fund_config_of(tenant));
  if (!config || !config->enabled || !config->public_view_enabled || !tx.one(tenant_by_id(tenant))) {
    throw not_found("Community fund");
  }
  const FundTotals totals = tx.one(fund_totals_of(tenant)).value_or(FundTotals{});
  PublicFund fund{.tenant_id = tenant,
                  .currency = config->currency,
                  .total_contributed_cents = totals.contributed_cents,
                  .total_disbursed_cents = totals.disbursed_cents,
                  .current_balance_cents = totals.balance_cents,
                  .contributions = tx.all(public_contributions_before(tenant, before, limit + 1)),
                  .next_cursor = std::nullopt};
  fund.next_cursor = take_next_cursor(fund.contributions, limit);
  return fund;
}

Task<Reply> public_view(Call& call, Database& db) {
  const auto query = call.query<PublicQuery>();
  const std::int64_t before = query.cursor.value.before;
  const TenantId tenant(call.param(0));
  co_return api::json_reply(
      200, co_await db.read([&](Tx& tx) { return public_fund(tx, tenant, before, query.limit.value); }));
}

}  // namespace

std::vector<api::Route> fund_routes(Database& db, const Events& events) {
  const std::string base = "/api/admin/community-fund";
  return {
      route(Method::get, base + "/balance", Access::admin, "The community fund's balance", balance, db)
          .gives<FundBalance>(200, "What came in, what was paid out, what is left."),
      route(Method::get, base + "/contributions", Access::admin, "Contributions, newest first", contributions, db)
          .takes_query<FundListQuery>()
          .gives<Listed<Contribution>>(200, "Some of them, and how many there are."),
      route(Method::post, base + "/contributions", Access::admin, "Record money collected outside", add_contribution,
            db, events)
          .takes<NewContribution>()
          .gives<Contribution>(201, "The new contribution."),
      route(Method::get, base + "/disbursements", Access::admin, "Disbursements, newest first", disbursements, db)
          .takes_query<FundListQuery>()
          .gives<Listed<Disbursement>>(200, "Some of them, and how many there are."),
      route(Method::post, base + "/disbursements", Access::admin, "Pay out of the community fund", add_disbursement, db,
            events)
          .authorized_by([&db](const Call& call) { return require_approval_role(call, db); })
          .takes<NewDisbursement>()
          .gives<Disbursement>(201, "The new disbursement, approved by the caller."),
      route(Method::get, base + "/ledger", Access::admin, "The whole ledger with its running balance", ledger, db)
          .takes_query<LedgerQuery>()
          .gives<api::Page<LedgerEntry>>(200, "A page, newest first."),
      route(Method::get, base + "/config", Access::admin, "The fund's configuration", config, db, events)
          .gives<FundConfig>(200, "The configuration, made with defaults if there was none."),
      route(Method::put, base + "/config", Access::admin, "Change some of the configuration", change_config, db, events)
          .by_person()
          .takes<FundConfigPatch>()
          .gives<FundConfig>(200, "The whole configuration after the change."),
      route(Method::get, "/api/community-fund/:tenantId/public", Access::open,
            "A fund as its tenant shows it to anybody", public_view, db)
          .limited({.endpoint = "public_fund", .per_minute = 300, .local_without_cache = true})
          .takes_query<PublicQuery>()
          .gives<PublicFund>(200, "Totals, and contributions with anonymous donors hidden."),
  };
}

}  // namespace guildhall
