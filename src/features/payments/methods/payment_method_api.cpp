#include "api/idempotency.h"
#include "features/action.h"
#include "features/payments/routes.h"
#include "outbound/connection_test.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

Hidden<std::int64_t> version_of(const std::vector<StoredMethod>& stored) {
  Hidden<std::int64_t> sum;
  for (const StoredMethod& method : stored) sum.value += method.version;
  return sum;
}

ShownMethods shown_methods(const TenantId& tenant, const std::vector<StoredMethod>& stored,
                           const PaymentAccounts& accounts) {
  ShownMethods shown{.version = version_of(stored)};
  for (const PaymentMethod method : PaymentMethod::all()) {
    const auto found =
        std::find_if(stored.begin(), stored.end(), [&](const auto& each) { return each.method == method; });
    shown.methods.push_back(accounts.shown(tenant, method, found == stored.end() ? nullptr : &*found));
  }
  return shown;
}

Task<Reply> list(Call& call, Database& db, const PaymentAccounts& accounts) {
  const auto stored = co_await db.all(stored_methods(call.tenant));
  co_return api::record_reply(200, shown_methods(call.tenant, stored, accounts));
}

// The audit trail says that credentials were set. It never has their values: the column is hidden from it.
void audit_method(Tx& tx, const Call& call, const StoredMethod* before, const StoredMethod& after, bool credentials) {
  const Subject subject{"payment-method", name_of(after.method)};
  action_of(call, tx).audit_change(subject, before, &after);
  if (credentials) action_of(call, tx).audit(subject, "credentials set");
}

// Writes over the version in `stored`, which has been compared with If-Match, and replaces it there.
void change_method(Tx& tx, const Call& call, const PaymentMethodPatch& patch, const PaymentAccounts& accounts,
                   std::vector<StoredMethod>& stored) {
  auto found =
      std::find_if(stored.begin(), stored.end(), [&](const auto& each) { return each.method == patch.method; });
  const bool is_new = found == stored.end();
  if (is_new) {
    found = stored.insert(found, {.tenant_id = call.tenant, .method = patch.method, .created_at = call.now});
  }
  const StoredMethod before = *found;
  accounts.apply(patch, *found);
  found->updated_at = call.now;
  write_method(tx, *found);
  audit_method(tx, call, is_new ? nullptr : &before, *found, static_cast<bool>(patch.credentials));
}

Task<Reply> change(Call& call, Database& db, const PaymentAccounts& accounts) {
  const auto patch = call.body<PaymentMethodsPatch>();
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    auto stored = tx.all(stored_methods(call.tenant));
    call.require_match(version_of(stored));
    for (const PaymentMethodPatch& each : patch.methods) change_method(tx, call, each, accounts, stored);
    return api::record_reply(200, shown_methods(call.tenant, stored, accounts));
  });
}

outbound::ConnectionTest explained(const ProcessorFailure& failure) {
  if (failure.not_sent) return {false, "Some of the values that this method needs are missing."};
  if (failure.status == 401 || failure.status == 403) {
    return {false, fmt::format("The processor refuses the credentials (status {}).", failure.status)};
  }
  if (failure.status == 404) return {false, "The processor does not know the account: check its ids (status 404)."};
  if (failure.status != 0) return {false, fmt::format("The processor answered with status {}.", failure.status)};
  return {false, "The processor cannot be reached, or its answer cannot be read."};
}

// Shows no more of a failure than its status: the address of the processor may be one of the operator's network.
Task<Reply> test(Call& call, Database& db, const PaymentService& service) {
  const auto method = named<PaymentMethod>(call.param(0));
  const ProcessorDescriptor* descriptor = method ? find_processor(*method) : nullptr;
  if (descriptor == nullptr) throw not_found("Payment method");
  const Account account = co_await service.account(db, call.tenant, *method);
  outbound::ConnectionTest result{true, "The processor accepts the credentials."};
  try {
    co_await service.run_blocking([&] { service.processor(descriptor->provider).probe(account); });
  } catch (const ProcessorFailure& failure) {
    result = explained(failure);
  }
  co_return co_await api::write_once(call, db, [&](Tx&) { return api::json_reply(200, result); });
}

}  // namespace

std::vector<api::Route> payment_method_routes(Database& db, const PaymentService& service) {
  const PaymentAccounts& accounts = service.accounts();
  constexpr std::string_view path = "/api/admin/payment-methods";
  return {
      route(Method::get, path, Access::admin, "How the shop can be paid", list, db, accounts)
          .gives<ShownMethods>(200, "All methods; credentials are never shown."),
      route(Method::put, path, Access::admin, "Change payment methods", change, db, accounts)
          .by_person()
          .takes<PaymentMethodsPatch>()
          .gives<ShownMethods>(200, "All methods, the named ones merged."),
      route(Method::post, "/api/admin/payment-methods/:method/test", Access::admin,
            "Try out the credentials of a method", test, db, service)
          .limited({.endpoint = "connection_test", .per_minute = outbound::connection_tests_per_minute})
          .gives<outbound::ConnectionTest>(200, "Whether the processor accepts them."),
  };
}

}  // namespace guildhall
