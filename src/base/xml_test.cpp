#include "base/xml.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

TEST(XmlEscaped, leaves_out_what_xml_cannot_contain) {
  EXPECT_EQ(xml_escaped("a\x01<b>\n\xEF\xBF\xBF"
                        "ä\x1f"),
            "a&lt;b&gt;\nä");
}

}  // namespace
}  // namespace guildhall
