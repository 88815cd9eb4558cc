#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/instant.h"

namespace guildhall::test {

// A plan of one group. It costs `rate` times 10.24 for each day.
struct ModelPlan {
  const char* name;
  std::int64_t rate, period_days, grace_days;

  std::int64_t price_cents() const { return rate * 1024 * period_days; }
};
inline constexpr ModelPlan model_plans[] = {{"basic", 1, 16, 3}, {"better", 2, 8, 0}, {"best", 4, 30, 5}};

// A membership as an account: a payment puts its value in, and the present plan takes its rate out for each day that
// passes. The membership ends when the account is empty. This is written independently of membership_time.cpp, which
// adds up lengths of time. Both agree to the millisecond, because all is paid at list prices that are powers of two.
class MembershipModel {
 public:
  explicit MembershipModel(Instant start) : now(start) {}

  void pass_days(std::int64_t days) {
    now = now + std::chrono::days(days);
    if (!stages_.empty() && !is_paused_) stages_.back().used_ms += days * day_ms;
  }

  // Without periods it is a change of the plan by an admin.
  void pay(const std::string& id, const ModelPlan& plan, std::int64_t periods, bool is_gift) {
    const Payment payment{plan.rate * plan.period_days * periods * day_ms, ++events_, !is_gift && periods > 0};
    if (stages_.empty() || !continues()) {
      first_ = stages_.size();
      cancelled_ = 0;
      stages_.push_back({.plan = &plan, .begin = now});
    } else if (&plan != stages_.back().plan) {
      if (is_gift) {
        stages_.back().payments[id] = payment;
        return;
      }
      // In the grace the new plan begins where the former has ended.
      const Instant begin = is_paused_ ? now : std::min(now, end());
      const std::int64_t late_ms = now.ms - begin.ms;
      stages_.back().used_ms -= late_ms;
      stages_.push_back({.plan = &plan, .begin = begin, .used_ms = late_ms, .is_change = true});
    }
    stages_.back().payments[id] = payment;
    stages_.back().grace_days = plan.grace_days;
  }

  void refund(const std::string& id) {
    bool is_present = false;
    for (std::size_t i = first_; i < stages_.size(); ++i) is_present |= stages_[i].payments.erase(id) > 0;
    if (!is_present) return;
    while (stages_.back().payments.empty() && stages_.back().is_change) {
      stages_[stages_.size() - 2].used_ms += stages_.back().used_ms;
      stages_.pop_back();
    }
    if (end() > clock()) return;
    stages_.back().grace_days = 0;
    stages_.back().used_ms += now.ms - clock().ms;
    is_paused_ = false;
  }

  void pause() {
    is_paused_ = true;
    paused_on_ = now;
  }
  void resume() { is_paused_ = false; }
  void cancel() { cancelled_ = ++events_; }

  bool is_empty() const { return stages_.empty(); }
  const ModelPlan& plan() const { return *stages_.back().plan; }
  Instant start() const { return stages_[first_].begin; }
  Instant end() const {
    const Stage& last = stages_.back();
    return {clock().ms + (value(stages_.size() - 1) - last.plan->rate * last.used_ms) / last.plan->rate};
  }
  // The last one that counts; empty if all were refunded.
  std::string last_payment() const {
    const auto& payments = stages_.back().payments;
    const auto event = [](const auto& entry) { return entry.second.event; };
    return payments.empty() ? "" : std::ranges::max_element(payments, {}, event)->first;
  }
  bool is_paused() const { return is_paused_; }
  bool is_cancelled() const {
    if (cancelled_ == 0) return false;
    for (std::size_t i = first_; i < stages_.size(); ++i) {
      for (const auto& [id, payment] : stages_[i].payments) {
        if (payment.is_own && payment.event > cancelled_) return false;
      }
    }
    return true;
  }
  std::int64_t grace_days() const { return is_cancelled() ? 0 : stages_.back().grace_days; }
  bool has_time() const { return !is_empty() && (is_paused_ || now < end()); }
  bool has_role() const { return !is_empty() && !is_paused_ && now < end() + std::chrono::days(grace_days()); }

  // Whether the value that is left can be shared out among the plans without a rest.
  bool is_divisible() const { return is_empty() || end().ms % (day_ms / 256) == now.ms % (day_ms / 256); }

  Instant now;

 private:
  static constexpr std::int64_t day_ms = 86'400'000;

  struct Payment {
    std::int64_t value = 0;
    int event = 0;
    bool is_own = true;
  };
  struct Stage {
    const ModelPlan* plan;
    Instant begin;
    std::int64_t used_ms = 0;  // without pauses
    std::int64_t grace_days = 0;
    bool is_change = false;
    std::map<std::string, Payment> payments{};
  };

  Instant clock() const { return is_paused_ ? std::max(paused_on_, stages_.back().begin) : now; }
  bool continues() const { return is_paused_ || now <= end() + std::chrono::days(grace_days()); }

  std::int64_t value(std::size_t index) const {
    const Stage& stage = stages_[index];
    std::int64_t sum = 0;
    for (const auto& [id, payment] : stage.payments) sum += payment.value;
    if (!stage.is_change) return sum;
    const Stage& former = stages_[index - 1];
    return sum + std::max<std::int64_t>(0, value(index - 1) - former.plan->rate * former.used_ms);
  }

  std::vector<Stage> stages_;
  std::size_t first_ = 0;  // of the uninterrupted time
  bool is_paused_ = false;
  Instant paused_on_;
  int events_ = 0, cancelled_ = 0;
};

// Lets a member pay, receive gifts, change plans, be refunded, pause, resume and cancel at random, in the model and in
// `subject`, which must have the functions that are called here. `check` compares them after every step.
template <class Subject>
void live_at_random(std::mt19937& random, int steps, MembershipModel& model, Subject& subject) {
  const auto number = [&](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
  std::vector<std::string> refundable;
  for (int step = 0; step < steps; ++step) {
    model.pass_days(number(1, 12));
    subject.pass_time(model.now);
    const int kind = number(0, 12);
    const ModelPlan& plan = model_plans[number(0, 2)];
    std::string id = fmt::format("{:03}", step);
    if ((kind <= 5 || model.is_empty()) && model.is_divisible()) {
      const int periods = number(1, 2);
      const bool is_gift = kind == 5;
      id = subject.pay(id, plan, periods, is_gift, model.now);
      model.pay(id, plan, periods, is_gift);
      refundable.push_back(id);
    } else if (kind == 6 && model.has_time() && &plan != &model.plan() && model.is_divisible()) {
      model.pay(subject.change_plan(id, plan, model.now), plan, 0, false);
    } else if ((kind == 7 || kind == 8) && !refundable.empty()) {
      const auto at = refundable.begin() + number(0, static_cast<int>(refundable.size()) - 1);
      subject.refund(*at, model.now);
      model.refund(*at);
      refundable.erase(at);
    } else if (kind <= 10 && model.is_paused()) {
      subject.resume(model.now);
      model.resume();
    } else if (kind <= 10 && model.has_time()) {
      subject.pause(model.now);
      model.pause();
    } else if (kind == 11 && (model.has_role() || model.is_paused()) && !model.is_cancelled()) {
      subject.cancel(model.now);
      model.cancel();
    }
    if (!model.is_empty()) subject.check(model, step);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace guildhall::test
