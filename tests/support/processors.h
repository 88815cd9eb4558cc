#pragma once

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <mutex>
#include <string>

#include "base/worker_pool.h"
#include "sandbox/processor.h"
#include "sandbox/world.h"
#include "support/stand_in.h"

namespace guildhall::test {

// A processor of the sandbox behind a stand-in, which records the requests and lets a test replace single answers. The
// processor sends no webhooks: tests send their own.
class ProcessorStandIn {
 public:
  explicit ProcessorStandIn(std::string_view party);
  ProcessorStandIn(const ProcessorStandIn&) = delete;
  ProcessorStandIn& operator=(const ProcessorStandIn&) = delete;

  // Carries out an action of a person at the sandbox: pay, payPart, overpay, payLate, expire …
  void act(const std::string& payment, std::string_view action, std::optional<std::int64_t> cents = {});

  // Adds a payment that the server did not open, paid in full.
  void add_paid(const std::string& id, const std::string& order, std::int64_t cents, const std::string& currency);

  sandbox::Payment payment(const std::string& id) const;
  std::string last_id() const;
  int created() const;
  std::string checkout_url(const std::string& id) const { return stand_in.url("/checkout/" + id); }

  static std::string secret(std::string_view name);  // of all stand-ins of this process

  // The processor's own answer, for a test that changes it.
  StandInReply answer(const StandInRequest& request);

 private:
  boost::asio::io_context loop_;  // never runs, so nothing is sent
  WorkerPool workers_{1, 1};
  sandbox::World world_;
  sandbox::Processor& processor_;
  mutable std::mutex mutex_;

 public:
  StandIn stand_in;  // the last member: its threads use the others
};

// The crypto gateway.
class GatewayStandIn : public ProcessorStandIn {
 public:
  GatewayStandIn();

  // The paths of all invoices and of one in the gateway's API.
  static std::string invoices_path();
  static std::string path_of(const std::string& invoice) { return invoices_path() + "/" + invoice; }

  // Replaces the JSON list of the invoice's payment methods.
  void set_methods(const std::string& invoice, const std::string& list);

  // From now on an open invoice is shown as one whose payment has been seen and not been confirmed.
  void set_processing(const std::string& invoice);

  // The variables of a server that uses this gateway.
  std::map<std::string, std::string> environment() const;

  std::chrono::milliseconds creation_takes{0};
};

}  // namespace guildhall::test
