#include "sandbox/mail_control.h"

#include "base/failure.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;

void append_mail(json::ObjectWriter& object, const ReceivedMail& mail) {
  object.add("id", mail.id);
  object.add("at", to_string(mail.at));
  object.add("from", mail.from);
  object.add("to", mail.to);
  object.add("subject", mail.content.subject);
  object.add("hasHtml", !mail.content.html.empty());
}

const ReceivedMail& required_mail(const World& world, const std::string& id) {
  const ReceivedMail* mail = world.mailbox.find(id);
  if (mail == nullptr) throw not_found("Mail");
  return *mail;
}

Reply show_mail(const World& world, const std::string& id) {
  const ReceivedMail& mail = required_mail(world, id);
  return json_reply(200, json::write_object([&](json::ObjectWriter& object) {
                      append_mail(object, mail);
                      object.add("text", mail.content.text);
                      object.add("html", mail.content.html);
                    }));
}

// As a mail program shows it: without scripts, forms or frames.
Reply show_mail_html(const World& world, const std::string& id) {
  return Reply{.content_type = "text/html; charset=utf-8", .body = required_mail(world, id).content.html}.with(
      "Content-Security-Policy",
      "sandbox allow-popups allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; "
      "img-src http: https: data:; frame-ancestors 'none'");
}

}  // namespace

void append_mails(std::string& out, const Mailbox& mailbox) {
  json::ArrayWriter list(out);
  for (auto mail = mailbox.mails().rbegin(); mail != mailbox.mails().rend(); ++mail) {
    json::ObjectWriter object(list.next());
    append_mail(object, *mail);
  }
}

std::optional<Reply> answer_mailbox(World& world, const PartyRequest& request) {
  if (request.is(Method::get, "/mails/*")) return show_mail(world, request.part(1));
  if (request.is(Method::get, "/mails/*/html")) return show_mail_html(world, request.part(1));
  if (!request.is(Method::del, "/mails")) return std::nullopt;
  world.mailbox.clear();
  return Reply{.status = 204, .content_type = ""};
}

}  // namespace guildhall::sandbox
