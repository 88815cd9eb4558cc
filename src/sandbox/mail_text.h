#pragma once

#include <string>
#include <string_view>

// Reads the wire format of an e-mail, as far as the server writes it. Pure.
namespace guildhall::sandbox {

struct ReadMail {
  std::string subject;
  std::string text;
  std::string html;  // empty: the mail has only the text
};

// Understands encoded words in the subject, two alternatives, and quoted-printable, base64 or plain bodies. Anything
// else is kept as it is.
ReadMail read_mail(std::string_view message);

}  // namespace guildhall::sandbox
