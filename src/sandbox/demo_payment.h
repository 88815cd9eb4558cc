#pragma once

#include <optional>

#include "sandbox/processor.h"

// The payments of the demo shop. They were made before the sandbox started, which keeps nothing, so their ids say what
// it has to know to return the money: DEMO-LG-1001-4900-USD.
namespace guildhall::sandbox {

std::string demo_payment_id(const std::string& order_number, Cents amount, Currency currency);

// The processor's id of the movement of money.
std::string demo_transaction_of(const std::string& payment_id);

// The paid payment with this id, or with the id of this transaction; nothing if it is not one of the demo shop.
std::optional<Payment> demo_payment(std::string_view id);

}  // namespace guildhall::sandbox
