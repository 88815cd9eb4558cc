// The real server beside the real sandbox: orders while the outside parties fail.
#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iostream>
#include <set>
#include <thread>

#include "support/eventually.h"
#include "support/sandboxed_server.h"
#include "support/test_sandbox.h"

namespace guildhall {
namespace {

using test::eventually, test::HttpClient, test::HttpReply, test::ProcessorCase, test::processor_cases,
    test::SandboxedServer;

// An order of the steady flow.
struct FlowOrder {
  std::string id;
  std::string invoice;  // the path of its page
  std::string payment;  // the sandbox's id; empty: not opened yet
  bool paid = false;    // at the sandbox
};

// The orders that are paid through one processor. Each flow has its own thread and its own session, so that a processor
// that does not answer holds up its own orders only.
class Flow {
 public:
  Flow(SandboxedServer& shop, const ProcessorCase& processor)
      : shop_(shop), processor_(processor), admin_(shop.admin) {}

  FlowOrder& place() {
    const HttpReply made = admin_.post(
        "/api/data/order",
        fmt::format(R"({{"orderNumber":"{}-{}","customer":{{"name":"Ada"}},"items":[{{"productId":"p","name":"Mug",)"
                    R"("sku":"M","quantity":1,"unitPriceCents":1500}}]}})",
                    processor_.party, orders.size()));
    EXPECT_EQ(made.status, 201) << made.body;
    const std::string id = made.text("/id");
    const HttpReply link = admin_.post(fmt::format("/api/orders/{}/invoice-link", id), "{}");
    return orders.emplace_back(FlowOrder{id, "/orders/invoice/" + link.text("/token"), ""});
  }

  // Presses the button of the invoice page. The processor may fail.
  void open(FlowOrder& order) {
    const HttpReply opened = HttpClient(shop_.port()).send("POST", order.invoice + "/pay/" + processor_.method, "", {});
    const std::string location = opened.header("location");
    const std::size_t checkout = location.find("/checkout/");
    if (opened.status != 303 || checkout == std::string::npos) return;
    order.payment = location.substr(checkout + std::string_view("/checkout/").size());
  }

  // Opens the payment if there is none, and pays at the processor.
  void advance(FlowOrder& order) {
    try {
      if (order.payment.empty()) open(order);
      if (order.payment.empty() || order.paid) return;
      const int status = test::SandboxClient(shop_.sandbox_port())
                             .post(fmt::format("/sandbox/payments/{}/pay", order.payment), "{}")
                             .status;
      order.paid = status == 200 || status == 409;  // 409: an earlier call has paid it, and was not answered in time
    } catch (const std::runtime_error&) {
      // There was no answer within ten seconds.
    }
  }

  // Advances all orders that are not paid yet. Returns whether all are.
  bool advance_all() {
    for (FlowOrder& order : orders) advance(order);
    return std::ranges::all_of(orders, &FlowOrder::paid);
  }

  std::deque<FlowOrder> orders;

 private:
  SandboxedServer& shop_;
  const ProcessorCase& processor_;
  HttpClient admin_;
};

class SandboxFaults : public ::testing::TestWithParam<test::Engine> {
 protected:
  void on_all_flows(const std::function<void(Flow&)>& work) {
    std::vector<std::thread> threads;
    for (Flow& flow : flows) threads.emplace_back([&] { work(flow); });
    for (std::thread& thread : threads) thread.join();
  }

  SandboxedServer shop{GetParam()};
  Flow flows[4] = {
      {shop, processor_cases[0]}, {shop, processor_cases[1]}, {shop, processor_cases[2]}, {shop, processor_cases[3]}};
};
INSTANTIATE_TEST_SUITE_P(Pairs, SandboxFaults, test::engines, test::engine_name);

TEST_P(SandboxFaults, lose_and_double_no_order_of_a_steady_flow) {
  const std::chrono::seconds each(std::getenv("GUILDHALL_LONG") == nullptr ? 2 : 60);
  constexpr std::chrono::milliseconds between_orders(400);  // of a flow
  for (const char* kind : {"error", "rateLimited", "timeout", "rubbish", "dropped"}) {
    // These are paid while the processors fail; the payments of the others can be opened only afterwards.
    on_all_flows([](Flow& flow) {
      for (int i = 0; i < 2; ++i) {
        FlowOrder& order = flow.place();
        flow.open(order);
        EXPECT_FALSE(order.payment.empty());
      }
    });
    for (const ProcessorCase& processor : processor_cases) {
      const HttpReply set = shop.sandbox.put("/sandbox/faults/" + processor.party,
                                             fmt::format(R"({{"kind":"{}","seconds":{}}})", kind, each.count()));
      ASSERT_EQ(set.status, 204) << set.body;
    }
    const auto end = std::chrono::steady_clock::now() + each;
    on_all_flows([&](Flow& flow) {
      for (std::size_t i = flow.orders.size() - 2, opened = flow.orders.size(); i < opened; ++i) {
        flow.advance(flow.orders[i]);
      }
      while (std::chrono::steady_clock::now() < end) {
        const auto next = std::chrono::steady_clock::now() + between_orders;
        flow.advance(flow.place());
        std::this_thread::sleep_until(next);
      }
    });
  }
  // Waits for a while longer than most tests: the server asks again after pauses that grow.
  const auto soon = [](auto condition) {
    return eventually(condition) || eventually(condition) || eventually(condition);
  };
  on_all_flows([&](Flow& flow) { EXPECT_TRUE(soon([&] { return flow.advance_all(); })); });
  std::set<std::string> orders;
  for (const Flow& flow : flows) {
    for (const FlowOrder& order : flow.orders) orders.insert(order.id);
  }
  EXPECT_GE(orders.size(), 45u);
  shop.admin.disconnect();  // the server has ended the connection if nothing was sent for long
  std::set<std::string> unpaid = orders;
  soon([&] {
    std::erase_if(unpaid, [&](const std::string& id) { return shop.order_status(id) == "PAID"; });
    return unpaid.empty();
  });
  std::set<std::string> flagged;
  std::multiset<std::string> settled;
  std::size_t payments = 0;
  for (std::string cursor; cursor != "end";) {
    const HttpReply page =
        shop.admin.get("/api/admin/payments?limit=200" + (cursor.empty() ? "" : "&cursor=" + cursor));
    ASSERT_EQ(page.status, 200) << page.body;
    payments += page.size("/items");
    for (std::size_t i = 0; i < page.size("/items"); ++i) {
      const std::string one = fmt::format("/items/{}", i);
      if (page.text(one + "/status") == "PAID") settled.insert(page.text(one + "/orderId"));
      if (!page.is_null(one + "/attention")) flagged.insert(page.text(one + "/orderId"));
    }
    cursor = page.is_null("/nextCursor") ? "end" : page.text("/nextCursor");
  }
  std::cout << fmt::format("{} orders, {} payments: {} orders are paid, {} are flagged\n", orders.size(), payments,
                           orders.size() - unpaid.size(), flagged.size());
  std::erase_if(unpaid, [&](const std::string& id) { return flagged.contains(id); });
  EXPECT_EQ(unpaid.size(), 0u) << "of " << orders.size() << " orders are neither paid nor flagged";
  for (const std::string& id : orders) EXPECT_EQ(settled.count(id), 1u) << "payments that pay one order";
}

}  // namespace
}  // namespace guildhall
