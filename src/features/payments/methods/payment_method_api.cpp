#include "api/idempotency.h"
#include "audit/audit.h"
#include "features/payments/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

ShownMethods shown_methods(const TenantId& tenant, const std::vector<StoredMethod>& stored,
                           const PaymentAccounts& accounts) {
  ShownMethods shown;
  for (const PaymentMethod method : PaymentMethod::all()) {
    const auto found =
        std::find_if(stored.begin(), stored.end(), [&](const auto& each) { return each.method == method; });
    shown.methods.push_back(accounts.shown(tenant, method, found == stored.end() ? nullptr : &*found));
  }
  return shown;
}

Task<Reply> list(Call& call, Database& db, const PaymentAccounts& accounts) {
  const auto stored = co_await db.all(stored_methods(call.tenant));
  co_return api::json_reply(200, shown_methods(call.tenant, stored, accounts));
}

// The audit trail says that credentials were set. It never has their values: the column is hidden from it.
void audit_method(Tx& tx, const Call& call, const StoredMethod* before, const StoredMethod& after, bool credentials) {
  const Subject subject{"payment-method", name_of(after.method)};
  audit_change(tx, call.tenant, call.actor(), subject, before, &after, call.now);
  if (credentials) audit(tx, call.tenant, call.actor(), subject, "credentials set", "{}", call.now);
}

void change_method(Tx& tx, const Call& call, const PaymentMethodPatch& patch, const PaymentAccounts& accounts) {
  const auto before = tx.one(stored_method(call.tenant, patch.method));
  StoredMethod after = before.value_or(
      StoredMethod{.tenant_id = call.tenant, .method = patch.method, .created_at = call.now, .updated_at = call.now});
  accounts.apply(patch, after);
  after.updated_at = call.now;
  write_method(tx, after);
  audit_method(tx, call, before ? &*before : nullptr, after, static_cast<bool>(patch.credentials));
}

Task<Reply> change(Call& call, Database& db, const PaymentAccounts& accounts) {
  const auto patch = call.body<PaymentMethodsPatch>();
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    for (const PaymentMethodPatch& each : patch.methods) change_method(tx, call, each, accounts);
    return api::json_reply(200, shown_methods(call.tenant, tx.all(stored_methods(call.tenant)), accounts));
  });
}

}  // namespace

std::vector<api::Route> payment_method_routes(Database& db, const PaymentAccounts& accounts) {
  constexpr std::string_view path = "/api/admin/payment-methods";
  return {
      route(Method::get, path, Access::admin, "How the shop can be paid", list, db, accounts)
          .gives<ShownMethods>(200, "All methods; credentials are never shown."),
      route(Method::put, path, Access::admin, "Change payment methods", change, db, accounts)
          .takes<PaymentMethodsPatch>()
          .gives<ShownMethods>(200, "All methods, the named ones merged."),
  };
}

}  // namespace guildhall
