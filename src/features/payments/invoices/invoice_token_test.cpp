#include "features/payments/invoices/invoice_token.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "base/encoding.h"

namespace guildhall {
namespace {

const InvoiceLink link{TenantId(std::string("shop")),
                       OrderId(std::string("0192f0c1-aaaa-7000-8000-000000000001")),
                       {1'800'000'000'000},
                       3};

TEST(InvoiceToken, says_what_was_signed) {
  const InvoiceSigner signer("a secret");
  EXPECT_EQ(signer.verify(signer.sign(link)), link);
}

TEST(InvoiceToken, is_refused_when_any_character_is_changed) {
  const InvoiceSigner signer("a secret");
  const std::string token = signer.sign(link);
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(signer.verify(changed)) << i;
    EXPECT_FALSE(signer.verify(token.substr(0, i))) << i;
  }
  EXPECT_FALSE(signer.verify(token + "A"));
  EXPECT_FALSE(signer.verify(token + "="));
  EXPECT_FALSE(signer.verify(std::string(5000, 'A') + ".A"));
}

TEST(InvoiceToken, outlives_the_rotation_of_its_secret) {
  const std::string token = InvoiceSigner("old").sign(link);
  EXPECT_EQ(InvoiceSigner("new,old").verify(token), link);
  EXPECT_EQ(InvoiceSigner("2026b:new, old").verify(token), link);
  EXPECT_FALSE(InvoiceSigner("new").verify(token));
  EXPECT_FALSE(InvoiceSigner("old").verify(InvoiceSigner("new,old").sign(link))) << "the first signs";
}

TEST(InvoiceToken, carries_the_id_of_its_key) {
  const std::string token = InvoiceSigner("2026a:secret").sign(link);
  EXPECT_NE(from_base64url(token.substr(0, token.find('.')))->find("|2026a|"), std::string::npos);
  EXPECT_EQ(InvoiceSigner("x:other,2026a:secret").verify(token), link);
  EXPECT_FALSE(InvoiceSigner("2026a:another").verify(token));
  EXPECT_FALSE(InvoiceSigner("2026b:secret").verify(token));
  EXPECT_THROW(InvoiceSigner("a:x,a:y"), std::runtime_error);
}

TEST(InvoiceToken, needs_a_secret_to_be_made) {
  EXPECT_FALSE(InvoiceSigner("").can_sign());
  EXPECT_FALSE(InvoiceSigner(" , ").can_sign());
  EXPECT_FALSE(InvoiceSigner("").verify(InvoiceSigner("s").sign(link)));
}

TEST(InvoiceToken, cannot_be_guessed) {
  const int tries = std::getenv("GUILDHALL_LONG") != nullptr ? 100'000 : 2'000;
  const InvoiceSigner signer("a secret");
  const std::string token = signer.sign(link);
  const std::string payload = token.substr(0, token.find('.') + 1);
  for (int i = 0; i < tries; ++i) {
    ASSERT_FALSE(signer.verify(payload + base64url(random_bytes(32))));
    ASSERT_FALSE(signer.verify(base64url(random_bytes(60)) + "." + base64url(random_bytes(32))));
  }
}

}  // namespace
}  // namespace guildhall
