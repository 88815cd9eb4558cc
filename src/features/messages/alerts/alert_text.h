#pragma once

#include <optional>
#include <string>

#include "base/language.h"
#include "features/catalog/product.h"
#include "features/messages/alerts/alert.h"
#include "features/orders/order.h"
#include "features/payments/payment.h"

// The words of alerts. Pure.
namespace guildhall {

struct AlertRecords {
  std::optional<Order> order{};
  std::optional<Product> product{};
  std::optional<Payment> payment{};
};

struct AlertText {
  std::string title;   // also the subject of the e-mail
  std::string detail;  // may be empty
  std::string path;    // of the page of the console
};

// Nothing if the record that the alert is about does not exist any more, or needs no attention any more.
std::optional<AlertText> alert_text(AlertKind kind, const AlertRecords& records, Language language);

// The label of the link to the console.
std::string_view alert_link_label(Language language);

}  // namespace guildhall
