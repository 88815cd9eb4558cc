#include "api/idempotency.h"
#include "base/encoding.h"
#include "base/field_types.h"
#include "base/json_lookup.h"
#include "features/action.h"
#include "features/chat/chat_setup.h"
#include "features/chat/command_list.h"
#include "features/chat/interaction_handler.h"
#include "features/chat/routes.h"
#include "features/identity/chat_sign_in.h"
#include "outbound/connection_test.h"

namespace guildhall {
namespace {

using api::Access, api::Call, api::route, http::Method, http::Reply;
using chat::Bot;

// View channels, send messages and manage roles.
constexpr std::int64_t bot_permissions = 0x400 + 0x800 + 0x10000000;

// How the chat platform is connected. Contains no secret.
struct ChatSetup {
  std::optional<std::string> application_id;
  bool bot = false;       // a bot token is set
  bool verified = false;  // the platform's signatures are verified
  bool accepted = false;  // interactions are accepted
  std::string interactions_url;
  std::string redirect_url;
  std::optional<std::string> invite_url;  // adds the bot to a chat server
  std::vector<std::string> commands;
};
BOOST_DESCRIBE_STRUCT(ChatSetup, (),
                      (application_id, bot, verified, accepted, interactions_url, redirect_url, invite_url, commands))

struct ChatCheck {
  std::string check;  // token, application, publicKey, interactions or commands
  bool ok = false;
  std::string message;
};
BOOST_DESCRIBE_STRUCT(ChatCheck, (), (check, ok, message))

struct ChatTest {
  bool ok = false;
  std::vector<ChatCheck> checks;
};
BOOST_DESCRIBE_STRUCT(ChatTest, (), (ok, checks))

std::string interactions_url(const Bot& bot) {
  return bot.installation.public_base_url + "/api/chat/interactions";
}

Reply show(Call&, const Bot& bot) {
  const std::string& application = bot.platform.chat_application_id;
  ChatSetup setup{.application_id = {},
                  .bot = bot.client.has_bot(),
                  .verified = !bot.config.chat_public_key.empty(),
                  .accepted = !bot.config.chat_public_key.empty() || bot.installation.development ||
                              bot.config.chat_interactions_unverified,
                  .interactions_url = interactions_url(bot),
                  .redirect_url = bot.installation.public_base_url + "/auth/chat/callback",
                  .invite_url = chat::add_server_url(bot),
                  .commands = {}};
  if (!application.empty()) setup.application_id = application;
  for (const chat::Command& command : chat::commands()) setup.commands.emplace_back(command.name);
  return api::json_reply(200, setup);
}

ChatCheck check_token(const Bot& bot, const ChatReply& reply) {
  if (!bot.client.has_bot()) return {"token", false, "CHAT_BOT_TOKEN is not set."};
  if (reply.status == 401) return {"token", false, "The platform refuses the bot token."};
  if (!reply.ok()) return {"token", false, "The platform did not answer as expected. Try again in a moment."};
  return {"token", true, "The platform accepts the bot token."};
}

ChatCheck check_application(const Bot& bot, const JsonLookup& application) {
  const std::string& ours = bot.platform.chat_application_id;
  if (ours.empty()) return {"application", false, "CHAT_APPLICATION_ID is not set."};
  if (application.text("/id") != ours) {
    return {"application", false, "CHAT_APPLICATION_ID does not belong to the bot token."};
  }
  return {"application", true, fmt::format("The application is {}.", application.text("/name"))};
}

ChatCheck check_public_key(const Bot& bot, const JsonLookup& application) {
  if (bot.config.chat_public_key.empty()) {
    return {"publicKey", false, "CHAT_INTERACTIONS_PUBLIC_KEY is not set, so no interaction can be verified."};
  }
  if (hex(bot.config.chat_public_key) != application.text("/verify_key")) {
    return {"publicKey", false, "CHAT_INTERACTIONS_PUBLIC_KEY is not the application's public key."};
  }
  return {"publicKey", true, "The public key matches the application."};
}

ChatCheck check_interactions(const Bot& bot, const JsonLookup& application) {
  const std::string url = application.text("/interactions_endpoint_url");
  if (url == interactions_url(bot) || url == bot.installation.public_base_url + "/chat/interactions") {
    return {"interactions", true, "The platform sends interactions to this server."};
  }
  return {"interactions", false,
          "The platform does not send interactions here yet: enter the interactions endpoint URL in your application."};
}

ChatCheck check_commands(const std::optional<JsonLookup>& registered) {
  if (!registered) return {"commands", false, "The registered commands could not be read."};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < registered->size(""); ++i) names.push_back(registered->text(fmt::format("/{}/name", i)));
  std::string missing;
  for (const chat::Command& command : chat::commands()) {
    if (std::find(names.begin(), names.end(), command.name) != names.end()) continue;
    missing += fmt::format("{}/{}", missing.empty() ? "" : ", ", command.name);
  }
  if (missing.empty()) return {"commands", true, "All commands are registered."};
  return {"commands", false, fmt::format("These commands are not registered: {}.", missing)};
}

// Blocks.
ChatTest run_test(const Bot& bot) {
  ChatTest test;
  const ChatReply reply = bot.client.has_bot() ? bot.client.send(read_application()) : ChatReply{};
  test.checks.push_back(check_token(bot, reply));
  if (const auto application = reply.ok() ? JsonLookup::parse(reply.body) : std::nullopt) {
    test.checks.push_back(check_application(bot, *application));
    test.checks.push_back(check_public_key(bot, *application));
    test.checks.push_back(check_interactions(bot, *application));
    const ChatReply commands = bot.client.send(read_commands(application->text("/id")));
    test.checks.push_back(check_commands(commands.ok() ? JsonLookup::parse_list(commands.body) : std::nullopt));
  }
  test.ok = std::all_of(test.checks.begin(), test.checks.end(), [](const ChatCheck& each) { return each.ok; });
  return test;
}

Task<Reply> test(Call& call, const Bot& bot) {
  api::idempotency_key(call);
  const ChatTest result = co_await bot.outbound.run([&] { return run_test(bot); }, call.source());
  co_return co_await api::write_once(call, bot.db, [&](Tx&) { return api::json_reply(200, result); });
}

// The commands are those of the application, in all chat servers. Registering them again changes nothing.
Task<Reply> register_commands(Call& call, const Bot& bot) {
  api::idempotency_key(call);
  const std::string& application = bot.platform.chat_application_id;
  if (application.empty() || !bot.client.has_bot()) {
    throw bad_request("CHAT_NOT_CONFIGURED", "CHAT_APPLICATION_ID and CHAT_BOT_TOKEN are needed to register commands.");
  }
  const ChatReply reply = co_await bot.outbound.run(
      [&] { return bot.client.send(publish_commands(application, "", chat::commands_json())); }, call.source());
  if (!reply.ok()) {
    throw unavailable("The chat platform did not accept the commands: " +
                      (reply.status == 0 ? reply.message : reply.description()));
  }
  co_return co_await api::write_once(call, bot.db, [&](Tx& tx) {
    action_of(call, tx).audit({"chat", application}, "commands registered");
    return api::json_reply(200, outbound::ConnectionTest{true, "The commands are registered."});
  });
}

// One of the platform's interactions, without its sender.
struct SimulatedInteraction {
  Bounded<2, 5> type;
  JsonObject data;
};
BOOST_DESCRIBE_STRUCT(SimulatedInteraction, (), (type, data))

// The member who tries out the bot. The platform has no user of this name: its ids are numbers.
constexpr std::string_view trial_member = "console-trial";

// A repeated request with an Idempotency-Key is one interaction, which the bot carries out once.
std::string interaction_id(const Call& call) {
  const auto key = api::idempotency_key(call);
  return "console-" + (key ? hex(sha256(fmt::format("{}\n{}", call.user().text(), *key))) : make_uuid(call.now));
}

// Answers in the platform's format. The member has no permission in the chat server, and no role.
Task<Reply> simulate(Call& call, const Bot& bot) {
  const auto input = call.body<SimulatedInteraction>();
  const json::Value member =
      json::object({{"id", trial_member}, {"username", trial_member}, {"global_name", "Test customer"}});
  chat::ParsedInteraction parsed = chat::parse_interaction(json::object({{"id", interaction_id(call)},
                                                                         {"type", input.type.value},
                                                                         {"locale", "en-US"},
                                                                         {"user", member},
                                                                         {"data", json::verbatim(input.data.text)}})
                                                               .text);
  if (parsed.failure) throw Failure(*parsed.failure);
  parsed.interaction.simulated_in = call.tenant;
  const std::string answer = chat::answer_json(co_await chat::handle_interaction(bot, call, parsed.interaction));
  co_return co_await api::write_once(call, bot.db, [&](Tx&) { return Reply{.body = answer}; });
}

}  // namespace

std::optional<std::string> chat::add_server_url(const Bot& bot, const std::string& binding_code,
                                                const std::string& verifier) {
  const std::string& application = bot.platform.chat_application_id;
  if (application.empty()) return std::nullopt;
  return ChatSignIn::add_server_url(bot.identity.chat_oauth,
                                    {.application = application,
                                     .permissions = bot_permissions,
                                     .own_callback = bot.installation.public_base_url + "/auth/chat/callback",
                                     .state = binding_code,
                                     .verifier = verifier});
}

std::vector<api::Route> chat_setup_routes(const chat::Bot& bot) {
  const api::AddressLimit tests{.endpoint = "connection_test", .per_minute = outbound::connection_tests_per_minute};
  return {
      route(Method::get, "/api/admin/chat", Access::admin, "How the chat platform is connected", show, bot)
          .gives<ChatSetup>(200, "The state of the configuration, and the addresses to enter at the platform."),
      route(Method::post, "/api/admin/chat/test", Access::admin, "Try out the connection to the chat platform", test,
            bot)
          .limited(tests)
          .gives<ChatTest>(200, "What the platform says."),
      route(Method::post, "/api/admin/chat/commands", Access::platform_admin,
            "Register the bot's commands at the chat platform", register_commands, bot)
          .by_person()
          .limited(tests)
          .gives<outbound::ConnectionTest>(200, "The commands are registered."),
      route(Method::post, "/api/admin/chat/simulation", Access::admin, "Try out the bot as a member would", simulate,
            bot)
          .takes<SimulatedInteraction>()
          .gives<RawJson>(200, "The bot's answer, as the platform would get it."),
  };
}

}  // namespace guildhall
