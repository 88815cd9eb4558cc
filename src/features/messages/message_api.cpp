#include "api/resource.h"
#include "features/action.h"
#include "features/messages/message_render.h"
#include "features/messages/message_store.h"
#include "features/messages/routes.h"

namespace guildhall {

struct ShownMessageKind {
  MessageKind kind = MessageKind::ORDER_RECEIVED;
  bool direct = true;
  bool email = true;
  bool transactional = true;
  std::vector<std::string> placeholders;
};
BOOST_DESCRIBE_STRUCT(ShownMessageKind, (), (kind, direct, email, transactional, placeholders))

struct ShownMessages {
  std::optional<std::string> locale;
  std::string effective_locale;
  bool email_when_refused = true;
  bool direct_available = false;  // the installation has a bot
  bool email_available = false;   // the installation has a mail server
  std::vector<ShownMessageKind> kinds;
  std::vector<MessageText> texts;
  std::vector<MessageText> built_in_texts;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(ShownMessages, (),
                      (locale, effective_locale, email_when_refused, direct_available, email_available, kinds, texts,
                       built_in_texts, version))

// A text that is tried out. Parts that are left out are those in use.
struct MessagePreviewRequest {
  MessageKind kind = MessageKind::ORDER_RECEIVED;
  std::optional<Locale> locale;  // null: the shop's
  std::optional<SubjectText> subject;
  std::optional<DirectText> direct;
  std::optional<EmailText> email;
};
BOOST_DESCRIBE_STRUCT(MessagePreviewRequest, (), (kind, locale, subject, direct, email))

struct MessagePreview {
  std::string direct;
  std::string subject;
  std::string email_text;
  std::string email_html;
  std::string button;
  std::string link;
};
BOOST_DESCRIBE_STRUCT(MessagePreview, (), (direct, subject, email_text, email_html, button, link))

void check(const MessagePreviewRequest& request, Decoder& decoder) {
  if (decoder.found_in("kind")) return;
  check(MessageText{request.kind, {}, request.subject, request.direct, request.email}, decoder);
}

namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

std::vector<MessageText> built_in_texts() {
  std::vector<MessageText> texts;
  for (const MessageKind kind : message_kinds()) {
    for (const std::string_view locale : {"en", "de"}) {
      const BuiltInText& text = built_in_text(kind, *language_of(locale));
      texts.push_back({kind, Locale{std::string(locale)}, SubjectText{std::string(text.subject)},
                       DirectText{std::string(text.direct)}, EmailText{std::string(text.email)}});
    }
  }
  return texts;
}

ShownMessages shown(const MessageSettings& settings, const MessageMedia& media) {
  ShownMessages view{.locale = settings.locale,
                     .effective_locale = settings.locale.value_or("en"),
                     .email_when_refused = settings.email_when_refused,
                     .direct_available = media.has_direct(),
                     .email_available = media.has_email(),
                     .kinds = {},
                     .texts = settings.texts,
                     .built_in_texts = built_in_texts(),
                     .version = settings.version};
  for (const MessageKind kind : message_kinds()) {
    const MessageSwitch wanted = settings.switch_of(kind);
    const auto names = placeholders_of(kind);
    view.kinds.push_back({kind, wanted.direct, wanted.email, is_transactional(kind), {names.begin(), names.end()}});
  }
  return view;
}

Task<Reply> find(Call& call, Database& db, const MessageMedia& media) {
  co_return api::record_reply(
      200, co_await db.read([&](Tx& tx) { return shown(read_message_settings(tx, call.tenant), media); }));
}

Task<Reply> put(Call& call, Database& db, const MessageMedia& media) {
  const auto patch = call.body<MessageSettingsPatch>();
  co_return co_await api::write_record(call, db, 200, [&](Tx& tx) {
    const MessageSettings before = read_message_settings(tx, call.tenant);
    call.require_match(before.version);
    MessageSettings after = before;
    apply(patch, after);
    require_size(after);
    if (!needs_write(before, after)) return shown(before, media);
    after.updated_at = call.now;
    put_message_settings(tx, after);
    tx.after_commit([switches = media.switches, tenant = call.tenant] { switches->forget(tenant); });
    action_of(call, tx).audit_change({"messages", call.tenant.text()}, &before, &after);
    return shown(after, media);
  });
}

MessagePreview preview_of(Tx& tx, const TenantId& tenant, const MessagePreviewRequest& request,
                          const std::string& public_base_url, Instant now) {
  const MessageSettings settings = read_message_settings(tx, tenant);
  const ShopLook shop = read_shop_look(tx, tenant, public_base_url);
  ChosenText text = chosen_text(settings, request.kind, request.locale ? request.locale->value : "");
  if (request.subject) text.subject = request.subject->value;
  if (request.direct) text.direct = request.direct->value;
  if (request.email) text.email = request.email->value;
  const MessageValues values = sample_values(request.kind, shop.name, public_base_url, text.language, now);
  const Order order = sample_order();
  RenderedMessage made = render(
      {.kind = request.kind,
       .text = text,
       .values = values,
       .shop = shop,
       .receipt = request.kind == MessageKind::ORDER_PAID ? &order : nullptr,
       .unsubscribe_url = is_transactional(request.kind) ? "" : public_base_url + "/messages/unsubscribe/example"});
  return {std::move(made.direct),     std::move(made.subject), std::move(made.email_text),
          std::move(made.email_html), std::move(made.button),  std::move(made.link)};
}

Task<Reply> preview(Call& call, Database& db, const InstallationConfig& installation) {
  const auto request = call.body<MessagePreviewRequest>();
  co_return api::json_reply(200, co_await db.read([&](Tx& tx) {
    return preview_of(tx, call.tenant, request, installation.public_base_url, call.now);
  }));
}

Task<Reply> list_log(Call& call, Database& db) {
  return api::list_records<LoggedMessageQuery, LoggedMessage>(call, db, logged_message_listing());
}

Task<Reply> list_receivers(Call& call, Database& db) {
  return api::list_records<MessageReceiverQuery, MessageReceiver>(call, db, message_receiver_listing());
}

}  // namespace

std::vector<api::Route> message_routes(Database& db, const Messages& messages) {
  constexpr std::string_view all = "/api/admin/messages";
  return {
      route(Method::get, all, Access::admin, "What the shop sends to buyers", find, db, messages.media)
          .gives<ShownMessages>(200, "The settings and the texts."),
      route(Method::put, all, Access::admin, "Change what the shop sends to buyers", put, db, messages.media)
          .takes<MessageSettingsPatch>()
          .gives<ShownMessages>(200, "The settings and the texts."),
      route(Method::post, "/api/admin/messages/preview", Access::admin, "Try out a text", preview, db,
            messages.installation)
          .takes<MessagePreviewRequest>()
          .gives<MessagePreview>(200, "The message with sample values."),
      route(Method::get, "/api/admin/messages/log", Access::admin, "The messages that were sent", list_log, db)
          .takes_query<LoggedMessageQuery>()
          .gives<api::ListPage<LoggedMessage>>(200, "Newest first."),
      route(Method::get, "/api/admin/messages/receivers", Access::admin, "What is known about receivers",
            list_receivers, db)
          .takes_query<MessageReceiverQuery>()
          .gives<api::ListPage<MessageReceiver>>(200, "Newest first."),
  };
}

}  // namespace guildhall
