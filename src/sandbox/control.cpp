#include "sandbox/control.h"

#include <simdjson.h>

#include "base/failure.h"
#include "base/money_text.h"
#include "base/text.h"
#include "base/url.h"
#include "sandbox/billing.h"
#include "sandbox/chat_platform.h"
#include "sandbox/environment.h"
#include "sandbox/html.h"
#include "sandbox/json_text.h"
#include "sandbox/mail_control.h"
#include "sandbox/processor.h"
#include "sandbox/shipping.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;

constexpr std::size_t listed_max = 200;  // the newest of each kind
constexpr std::int64_t fault_calls_max = 1'000'000, fault_seconds_max = 24 * 3600, delay_seconds_max = 3600;
constexpr std::int64_t repeats_max = 100;

void append_actions(json::ObjectWriter& object, const std::vector<std::string_view>& actions) {
  json::ArrayWriter list(object.key("actions"));
  for (const std::string_view action : actions) list.add(action);
}

void append_party(std::string& out, World& world, const Party& party) {
  json::ObjectWriter object(out);
  object.add("name", party.name);
  object.add("title", party.title);
  object.add("calls", party.calls);
  const auto fault = world.faults.find(party.name, now());
  if (!fault) return object.add("fault", nullptr);
  json::ObjectWriter shown(object.key("fault"));
  shown.add("kind", name_of(fault->kind));
  fault->calls_left ? shown.add("callsLeft", *fault->calls_left) : shown.add("callsLeft", nullptr);
  fault->until ? shown.add("until", to_string(*fault->until)) : shown.add("until", nullptr);
}

void append_payment(std::string& out, const Processor& processor, const Payment& payment) {
  json::ObjectWriter object(out);
  object.add("id", payment.id);
  object.add("party", processor.name);
  object.add("method", processor.method);
  object.add("orderNumber", payment.order_number);
  object.add("amountCents", payment.amount.value());
  object.add("currency", payment.currency.code());
  object.add("paidCents", payment.paid.value());
  object.add("refundedCents", payment.refunded.value());
  object.add("status", name_of(payment.status));
  object.add("late", payment.late);
  object.add("createdAt", to_string(payment.created_at));
  payment.expires_at ? object.add("expiresAt", to_string(*payment.expires_at)) : object.add("expiresAt", nullptr);
  object.add("returnUrl", payment.return_url);
  append_actions(object, processor.actions(payment));
}

// The newest payments of all processors, newest first.
void append_payments(std::string& out, const World& world) {
  std::vector<std::pair<const Processor*, const Payment*>> all;
  for (const auto& processor : world.processors) {
    const auto& payments = processor->payments();
    for (std::size_t i = payments.size(); i > 0 && payments.size() - i < listed_max; --i) {
      all.emplace_back(processor.get(), &payments[i - 1]);
    }
  }
  std::ranges::stable_sort(all,
                           [](const auto& a, const auto& b) { return b.second->created_at < a.second->created_at; });
  if (all.size() > listed_max) all.resize(listed_max);
  json::ArrayWriter list(out);
  for (const auto& [processor, payment] : all) append_payment(list.next(), *processor, *payment);
}

void append_parcels(std::string& out, const Shipping& shipping) {
  json::ArrayWriter list(out);
  for (const Parcel& parcel : shipping.parcels()) {
    json::ObjectWriter object(list.next());
    object.add("id", parcel.id);
    object.add("orderNumber", parcel.order_number);
    object.add("carrier", parcel.carrier);
    object.add("trackingNumber", parcel.tracking_number);
    object.add("status", parcel.status);
    append_actions(object, shipping.actions(parcel));
  }
}

void append_subscriptions(std::string& out, const Billing& billing) {
  json::ArrayWriter list(out);
  for (const Subscription& subscription : billing.subscriptions()) {
    json::ObjectWriter object(list.next());
    object.add("id", subscription.id);
    object.add("tenant", subscription.tenant);
    object.add("plan", subscription.plan);
    object.add("status", subscription.status);
    object.add("periodEnd", to_string(subscription.period_end));
    append_actions(object, billing.actions(subscription));
  }
}

Reply show_state(World& world, const PartyRequest& request) {
  std::string parties;
  {
    json::ArrayWriter list(parties);  // drops the faults that are over
    for (const Party* party : world.parties) append_party(list.next(), world, *party);
  }
  const std::string etag =
      fmt::format("\"{}-{}-{}\"", world.started.ms, world.version, std::hash<std::string>()(parties));
  if (request.header("if-none-match") == etag) return Reply{.status = 304, .content_type = ""}.with("ETag", etag);
  const std::string body = json::write_object([&](json::ObjectWriter& object) {
    object.add("server", world.options.server);
    object.add("reachable", world.server_reachable);
    object.key("parties") += parties;
    object.add("delivery", json::object({{"order", world.delivery.reversed ? "reversed" : "normal"},
                                         {"delaySeconds", world.delivery.delay.count()}}));
    object.add("refundsWait", world.refunds_wait);
    append_payments(object.key("payments"), world);
    append_parcels(object.key("parcels"), *world.shipping);
    append_subscriptions(object.key("subscriptions"), *world.billing);
    append_mails(object.key("mails"), world.mailbox);
    append_json(object.key("guild"), world.chat->guild, world.chat->commands);
  });
  return json_reply(200, body).with("ETag", etag).with("Cache-Control", "no-cache");
}

Reply delivered_reply(const Delivered& delivered) {
  return json_reply(200, json::object({{"delivered", delivered.delivered}, {"status", delivered.status}}));
}

// Sends the webhooks one after the other; the last one counts.
Task<Reply> deliver_all(World& world, std::vector<Webhook> webhooks) {
  Delivered last;
  for (Webhook& webhook : webhooks) last = co_await world.deliver(std::move(webhook));
  co_return delivered_reply(last);
}

std::pair<Processor*, Payment*> find_payment(World& world, const std::string& id) {
  for (const auto& processor : world.processors) {
    if (Payment* payment = processor->find(id)) return {processor.get(), payment};
  }
  throw not_found("Payment");
}

std::optional<Cents> amount_in(const PartyRequest& request) {
  if (request.text("/amountCents").empty()) return std::nullopt;
  const auto amount = request.json->integer("/amountCents");
  if (!amount || *amount < 1 || *amount > Cents::value_max) {
    throw invalid_field("amountCents", "must be a positive integer");
  }
  return Cents(*amount);
}

std::int64_t integer_in(const PartyRequest& request, const std::string& name, std::int64_t otherwise, std::int64_t min,
                        std::int64_t max) {
  if (!request.json->has("/" + name)) return otherwise;
  const auto number = request.json->integer("/" + name);
  if (!number || *number < min || *number > max) {
    throw invalid_field(name, fmt::format("must be an integer from {} to {}", min, max));
  }
  return *number;
}

std::string required_text_in(const PartyRequest& request, const std::string& name) {
  std::string text = request.text("/" + name);
  if (text.empty() || text.size() > 255) throw invalid_field(name, "must be a text of 1 to 255 bytes");
  return text;
}

template <class PartyType, class Record>
Record& found_in(PartyType& party, Record* (PartyType::*find)(std::string_view), const std::string& id,
                 std::string_view what) {
  Record* record = (party.*find)(id);
  if (record == nullptr) throw not_found(what);
  return *record;
}

Task<Reply> show_interaction(World& world, Interacting interacting) {
  const std::string channel_id = interacting.channel;
  const InteractionResult result = co_await world.chat->interact(std::move(interacting));
  Channel& channel = *world.chat->guild.find_channel(channel_id);
  co_return json_reply(200, json::write_object([&](json::ObjectWriter& object) {
                         {
                           json::ArrayWriter messages(object.key("messages"));
                           for (const std::string& id : result.messages) {
                             if (const Message* message = channel.find(id)) append_json(messages.next(), *message);
                           }
                         }
                         object.key("modal") += result.modal;
                       }));
}

// The inputs of a form, as the platform sends them.
std::string modal_data(const PartyRequest& request) {
  const std::string fields = json_at(request.http.body, "/fields", "{}");
  const std::string rows = json::write_array([&](json::ArrayWriter& list) {
    simdjson::dom::parser parser;
    simdjson::dom::object given;
    if (parser.parse(fields).get(given) != simdjson::SUCCESS) return;
    for (const auto field : given) {
      const json::Value input = json::object({{"type", 4},
                                              {"custom_id", std::string(field.key)},
                                              {"value", json::verbatim(simdjson::minify(field.value))}});
      list.add(json::object({{"type", 1}, {"components", json::array({input})}}));
    }
  });
  return json::object({{"custom_id", request.text("/customId")}, {"components", json::verbatim(rows)}}).text;
}

Task<Reply> answer_chat(World& world, const PartyRequest& request) {
  const std::string& kind = request.part(1);
  if (kind == "members") {
    const Member& member = world.chat->add_member(required_text_in(request, "displayName"));
    co_return json_reply(201, json::object({{"id", member.id}, {"displayName", member.display_name}}));
  }
  if (kind == "ping") {
    const int status = co_await world.chat->ping();
    co_return delivered_reply({status == 200, status});
  }
  if (kind == "autocomplete") co_return json_reply(200, json::verbatim(R"({"choices":[]})"));  // the bot offers none
  const std::string member = required_text_in(request, "member");
  if (world.chat->guild.find_member(member) == nullptr) throw not_found("Member");
  const bool is_direct = request.text("/channel").empty();
  Interacting interacting{.type = 2,
                          .member = member,
                          .channel = is_direct ? world.chat->guild.direct_channel(member).id : request.text("/channel"),
                          .command = request.text("/name"),
                          .data = {}};
  if (kind == "command") {
    interacting.data = world.chat->command_data(interacting.command, json_at(request.http.body, "/options", "{}"));
  } else if (kind == "component") {
    interacting.type = 3;
    interacting.message = request.text("/message");
    const std::string values = json_at(request.http.body, "/values", "[]");
    interacting.data = json::write_object([&](json::ObjectWriter& data) {
      data.add("custom_id", request.text("/customId"));
      data.add("component_type", values == "[]" ? 2 : 3);  // only a select has values
      if (values != "[]") data.key("values") += values;
    });
  } else if (kind == "modal") {
    interacting.type = 5;
    interacting.data = modal_data(request);
  } else {
    throw not_found("Address");
  }
  co_return co_await show_interaction(world, std::move(interacting));
}

Task<> send_repeatedly(World& world, Call call, std::int64_t times, std::chrono::seconds delay) {
  const Party* party = world.find_party(call.party);
  co_await pause_for(delay);
  for (std::int64_t i = 0; i < times; ++i)
    co_await world.send(*party, call.url, party->body_of_repetition(call.request_body));
}

Task<Reply> send_again(World& world, const PartyRequest& request) {
  const Call* call = world.calls.find(std::strtoll(request.part(1).c_str(), nullptr, 10));
  if (call == nullptr || !call->outgoing) throw not_found("Outgoing call");
  if (call->request_body.size() >= CallLog::body_bytes_max) throw conflict("BODY_CUT", "The body was not kept whole.");
  const std::int64_t times = integer_in(request, "times", 1, 1, repeats_max);
  const std::chrono::seconds delay(integer_in(request, "delaySeconds", 0, 0, delay_seconds_max));
  if (delay.count() > 0 || times > 1) {
    world.background.start(send_repeatedly(world, *call, times, delay));
    co_return delivered_reply({});
  }
  const Party& party = *world.find_party(call->party);
  const outbound::Reply reply = co_await world.send(party, call->url, party.body_of_repetition(call->request_body));
  co_return delivered_reply({reply.ok(), reply.status});
}

Reply set_delivery(World& world, const PartyRequest& request) {
  const std::string order = request.text("/order");
  if (!order.empty() && order != "normal" && order != "reversed") {
    throw invalid_field("order", "must be normal or reversed");
  }
  world.set_delivery(
      {order == "reversed", std::chrono::seconds(integer_in(request, "delaySeconds", 0, 0, delay_seconds_max))});
  world.touch();
  return json_reply(
      200, json::object({{"order", order.empty() ? "normal" : order}, {"delaySeconds", world.delivery.delay.count()}}));
}

Reply set_fault(World& world, const PartyRequest& request) {
  const Party* party = world.find_party(request.part(1));
  if (party == nullptr) throw not_found("Party");
  world.touch();
  if (request.http.method == Method::del) {
    world.faults.clear(party->name);
    return {.status = 204, .content_type = ""};
  }
  Fault fault{.path = request.text("/path"),
              .retry_after_seconds = integer_in(request, "retryAfter", 1, 0, delay_seconds_max),
              .status = static_cast<int>(integer_in(request, "status", 200, 200, 599)),
              .body = request.text("/body")};
  if (!boost::describe::enum_from_string(request.text("/kind").c_str(), fault.kind)) {
    throw invalid_field("kind", "must be error, rateLimited, timeout, rubbish, dropped, held or answer");
  }
  if (fault.kind == FaultKind::held && !request.json->has("/seconds")) {
    throw invalid_field("seconds", "must be given, since calls are held for a time");
  }
  if (request.json->has("/seconds")) {
    fault.until = now() + std::chrono::seconds(integer_in(request, "seconds", 1, 1, fault_seconds_max));
  } else {
    fault.calls_left = integer_in(request, "calls", 1, 1, fault_calls_max);
  }
  world.faults.set(party->name, fault);
  return {.status = 204, .content_type = ""};
}

Reply set_refunds(World& world, const PartyRequest& request) {
  world.refunds_wait = request.text("/wait") == "true";
  world.touch();
  return json_reply(200, json::object({{"wait", world.refunds_wait}}));
}

Reply add_parcel(World& world, const PartyRequest& request) {
  const Parcel& parcel = world.shipping->add(request.text("/carrier"), required_text_in(request, "trackingNumber"),
                                             request.text("/orderNumber"));
  return json_reply(201, json::object({{"id", parcel.id}}));
}

Reply show_environment(const World& world) {
  return json_reply(200, json::write_object([&](json::ObjectWriter& object) {
                      for (const auto& [name, value] : environment_for(world.options, world.port)) {
                        object.add(name, value);
                      }
                    }));
}

}  // namespace

Task<Reply> answer_control(World& world, const PartyRequest& request) {
  if (request.is(Method::get, "/state")) co_return show_state(world, request);
  if (request.is(Method::get, "/env")) co_return show_environment(world);
  if (request.is(Method::get, "/calls")) {
    const Fields query = fields_in(request.http.query);
    const auto after = query.find("after");
    co_return json_reply(
        200, world.calls.json_after(after == query.end() ? 0 : std::strtoll(after->second.c_str(), nullptr, 10)));
  }
  if (auto mail = answer_mailbox(world, request)) co_return std::move(*mail);
  if (request.is(Method::del, "/faults/*")) co_return set_fault(world, request);
  if (!request.json) throw bad_request("INVALID_JSON", "The body must be a JSON object.");
  if (request.is(Method::put, "/faults/*")) co_return set_fault(world, request);
  if (request.is(Method::put, "/delivery")) co_return set_delivery(world, request);
  if (request.is(Method::put, "/refunds")) co_return set_refunds(world, request);
  if (request.is(Method::post, "/payments/*/*")) {
    const auto [processor, payment] = find_payment(world, request.part(1));
    co_return co_await deliver_all(world, processor->act(*payment, request.part(2), amount_in(request)));
  }
  if (request.is(Method::post, "/parcels")) co_return add_parcel(world, request);
  if (request.is(Method::post, "/parcels/*/*")) {
    Parcel& parcel = found_in(*world.shipping, &Shipping::find, request.part(1), "Parcel");
    co_return co_await deliver_all(world, {world.shipping->act(parcel, request.part(2))});
  }
  if (request.is(Method::post, "/subscriptions/*/*")) {
    Subscription& subscription = found_in(*world.billing, &Billing::find, request.part(1), "Subscription");
    co_return co_await deliver_all(world, world.billing->act(subscription, request.part(2)));
  }
  if (request.is(Method::post, "/calls/*/send")) co_return co_await send_again(world, request);
  if (request.is(Method::post, "/chat/*")) co_return co_await answer_chat(world, request);
  throw not_found("Address");
}

Reply checkout_page(World& world, const std::string& payment_id) {
  const auto [processor, payment] = find_payment(world, payment_id);
  const bool open = std::ranges::count(processor->actions(*payment), "pay") > 0;
  const std::string content =
      fmt::format("<p>Order {}: <b>{}</b></p>{}", html_escaped(payment->order_number),
                  money_text(payment->amount, payment->currency),
                  open ? R"(<form method="post"><button name="action" value="pay">Pay now</button>)"
                         R"(<button class="quiet" name="action" value="">Back to the shop</button></form>)"
                       : fmt::format("<p>This payment is {}.</p>", name_of(payment->status)));
  return html_page(200, processor->title, content);
}

Task<Reply> check_out(World& world, const std::string& payment_id, std::string_view form) {
  const auto [processor, payment] = find_payment(world, payment_id);
  const std::string back = payment->return_url;
  const bool pays = fields_in(form)["action"] == "pay" && std::ranges::count(processor->actions(*payment), "pay") > 0;
  if (pays) co_await deliver_all(world, processor->act(*payment, "pay", std::nullopt));
  if (back.empty()) co_return checkout_page(world, payment_id);
  co_return Reply{.status = 303, .content_type = ""}.with("Location", header_url(back));
}

}  // namespace guildhall::sandbox
