#include "base/money.h"

#include "base/failure.h"

namespace guildhall {
namespace {

Failure out_of_range() {
  return bad_request("AMOUNT_OUT_OF_RANGE", "An amount of money is below zero or too large.");
}

}  // namespace

Cents::Cents(std::int64_t value) : value_(value) {
  if (value < 0 || value > value_max) throw out_of_range();
}

// Two values of 53 bits cannot overflow 64 in a sum or difference; the constructor checks the result.
Cents operator+(Cents a, Cents b) {
  return Cents(a.value_ + b.value_);
}

Cents operator-(Cents a, Cents b) {
  return Cents(a.value_ - b.value_);
}

Cents operator*(Cents price, std::int64_t count) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(price.value_, count, &product)) throw out_of_range();
  return Cents(product);
}

}  // namespace guildhall
