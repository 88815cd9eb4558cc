#pragma once

#include <string>

#include "base/instant.h"

// The texts of the messages to members. Pure.
namespace guildhall {

struct MembershipText {
  std::string subject;  // of the e-mail
  std::string chat;     // the direct message, in the platform's mark-up
  std::string email;
};

struct MembershipTextValues {
  std::string shop;
  std::string product;
  Instant expires_at;
  std::string giver{};  // of a gift: a name
  std::string link{};   // to the invoice of the renewal; empty: there is none
};

MembershipText ending_text(const MembershipTextValues& values);
MembershipText gift_text(const MembershipTextValues& values);

}  // namespace guildhall
