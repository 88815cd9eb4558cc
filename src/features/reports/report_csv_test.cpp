#include "features/reports/report_csv.h"

#include <gtest/gtest.h>

#include "features/reports/reports.h"

namespace guildhall {
namespace {

std::string cell(std::string_view text) {
  std::string out;
  csv::append_text(out, text);
  return out;
}

TEST(Csv, quotes_what_rfc_4180_wants_quoted) {
  EXPECT_EQ(cell("plain text"), "plain text");
  EXPECT_EQ(cell("a,b"), "\"a,b\"");
  EXPECT_EQ(cell("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(cell("two\r\nlines"), "\"two\r\nlines\"");
  EXPECT_EQ(cell(""), "");
}

TEST(Csv, makes_no_text_a_formula) {
  for (const char* text : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"}) {
    EXPECT_EQ(cell(text), fmt::format("\"'{}\"", text));
  }
  EXPECT_EQ(cell("=\"x\",1"), "\"'=\"\"x\"\",1\"");
}

TEST(Csv, has_a_header_and_a_line_for_each_row) {
  const std::vector<ProductRow> rows{{.product_id = "p",
                                      .name = "=cmd",
                                      .sku = std::nullopt,
                                      .orders = 1,
                                      .units = 2,
                                      .gross_cents = 300,
                                      .override_cents = -20,
                                      .discount_cents = 0,
                                      .total_cents = -300}};
  EXPECT_EQ(csv::table(rows),
            "productId,name,sku,orders,units,grossCents,overrideCents,discountCents,totalCents\r\n"
            "p,\"'=cmd\",,1,2,300,-20,0,-300\r\n");
  EXPECT_EQ(csv::table(std::vector<CustomersRow>{}), "start,newCustomers,orders,returningOrders,guestOrders\r\n");
}

}  // namespace
}  // namespace guildhall
