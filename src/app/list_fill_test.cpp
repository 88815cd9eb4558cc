#include "app/list_fill.h"

#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

const Sql forget_texts("UPDATE orders SET search_text = NULL WHERE tenant_id = 'default'");

class Filling : public test::OnEachPair {};
INSTANTIATE_TEST_SUITE_P(Pairs, Filling, test::engines, test::engine_name);

TEST_P(Filling, of_rows_from_before_an_update_shows_its_progress_and_can_be_stopped) {
  test::CheckedClient admin = server.admin();
  for (int i = 0; i < 3; ++i) {
    test::created(admin, "order", test::order_of(fmt::format("n{}", i), test::item("p", 1, 100)));
  }
  server.stop();  // it would fill them itself
  const auto storage = open_storage({.url = server.config.database_url});
  storage->write_now([](Tx& tx) { tx.run({&forget_texts, {}}); });
  Metrics metrics;
  ListFill fill(metrics);
  std::atomic<bool> stopping = true;
  fill.run(*storage, stopping);
  EXPECT_EQ(fill.warnings(),
            std::vector<std::string>{"An update is being completed: a search does not find 3 of the orders yet."});
  EXPECT_NE(metrics.text().find("background_fill_remaining_rows{table=\"orders\"} 3\n"), std::string::npos);

  stopping = false;
  fill.run(*storage, stopping);
  EXPECT_TRUE(fill.warnings().empty());
  EXPECT_NE(metrics.text().find("background_fill_remaining_rows{table=\"orders\"} 0\n"), std::string::npos);
  const Sql unfilled("SELECT COUNT(*) FROM orders WHERE search_text IS NULL");
  storage->read_now([&](Tx& tx) { tx.run({&unfilled, {}}, [](const Row& row) { EXPECT_EQ(row.integer(0), 0); }); });
}

}  // namespace
}  // namespace guildhall
