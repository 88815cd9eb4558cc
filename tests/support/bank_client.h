#pragma once

#include <optional>

#include "support/bank.h"

namespace guildhall::test {

// One client of the bank test, on a thread of its own.
class Bank::Client {
 public:
  Client(Bank& bank, int number);

  void work();  // runs until the bank test ends

 private:
  void perform(Operation operation);
  void repeat(const Operation& operation, Outcome& outcome, std::string& order);
  Outcome attempt(HttpClient& client, const Operation& operation, std::string& order);
  std::optional<HttpReply> send(HttpClient& client, const Operation& operation);
  Outcome judge(const Operation& operation, const HttpReply& reply, std::string& order);
  void read();
  bool chance(int percent) { return random_(generator_) < percent; }

  Bank& bank_;
  int number_, tenant_, count_ = 0;
  std::mt19937 generator_;
  std::uniform_int_distribution<int> random_{0, 99};
  HttpClient client_, second_;
  std::vector<Operation> refundable_;
};

}  // namespace guildhall::test
