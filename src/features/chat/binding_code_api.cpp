#include "api/idempotency.h"
#include "features/action.h"
#include "features/chat/chat_setup.h"
#include "features/chat/routes.h"
#include "features/tenancy/binding_code.h"

namespace guildhall {
namespace {

using api::Access, api::Call, api::route, http::Method, http::Reply;

struct MadeBindingCode {
  std::optional<std::string> code;  // null in a repeated reply
  Instant expires_at;
  std::optional<std::string> url;  // adds the bot to a chat server; null without an application
};
BOOST_DESCRIBE_STRUCT(MadeBindingCode, (), (code, expires_at, url))

// Only a hash of the code is stored, also for repetitions of the request.
Task<Reply> make_code(Call& call, const chat::Bot& bot) {
  const std::string code = make_binding_code();
  const BindingCode record = binding_code_from(code, call.tenant, call.user(), call.now);
  const Reply stored = co_await api::write_once(call, bot.db, [&](Tx& tx) {
    insert_binding_code(tx, record);
    action_of(call, tx).audit({"chat", "binding-code"}, "created");
    return api::json_reply(201, MadeBindingCode{std::nullopt, record.expires_at, std::nullopt});
  });
  if (api::is_replayed(stored)) co_return stored;
  co_return api::json_reply(201,
                            MadeBindingCode{code, record.expires_at, chat::add_server_url(bot, code, record.verifier)});
}

}  // namespace

std::vector<api::Route> binding_code_routes(const chat::Bot& bot) {
  return {
      route(Method::post, "/api/admin/chat/binding-code", Access::admin,
            "Make a code that connects a chat server to the shop", make_code, bot)
          .by_person()
          .gives<MadeBindingCode>(201, "The code, shown only in this reply."),
  };
}

}  // namespace guildhall
