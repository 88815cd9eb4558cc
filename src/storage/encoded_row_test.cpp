#include "storage/encoded_row.h"

#include "support/engines.h"

namespace guildhall {
namespace {

enum class Colour { RED, GREEN };
BOOST_DESCRIBE_ENUM(Colour, RED, GREEN)

struct Part {
  std::string name;
  std::optional<std::int64_t> size;
};
BOOST_DESCRIBE_STRUCT(Part, (), (name, size))

// A member of every kind that records have.
struct Thing {
  ProductId id;
  std::string words;
  std::optional<std::string> more_words;
  Colour colour = Colour::RED;
  std::optional<Colour> second_colour;
  bool flag = false;
  std::int64_t number = 0;
  std::optional<std::int64_t> other_number;
  Cents price_cents;
  Currency currency;
  std::optional<Percent> percent;
  std::vector<std::string> list;
  Part part;
  std::vector<Part> parts;
  std::optional<JsonObject> object;
  RawJson raw;
  std::optional<Instant> later;
  Instant created_at;
  Hidden<std::string> secret;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(Thing, (),
                      (id, words, more_words, colour, second_colour, flag, number, other_number, price_cents, currency,
                       percent, list, part, parts, object, raw, later, created_at, secret, version))

class EncodedRows : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::FreshDatabase database{GetParam()};
  std::unique_ptr<Storage> storage = open_storage({.url = database.url});
};
INSTANTIATE_TEST_SUITE_P(Engines, EncodedRows, test::engines, test::engine_name);

const Sql create(R"(CREATE TABLE things (id text, words text, more_words text, colour text, second_colour text,
  flag boolean, number bigint, other_number bigint, price_cents bigint, currency text, percent bigint, list text,
  part text, parts text, object text, raw text, later bigint, created_at bigint, secret text, version bigint))");
const Sql insert("INSERT INTO things VALUES (" + placeholders<Thing>() + ")");
const Sql all("SELECT " + columns<Thing>() + " FROM things ORDER BY id");

TEST_P(EncodedRows, equal_the_json_of_their_records) {
  const Thing plain{.id = ProductId(std::string("1")),
                    .words = "",
                    .currency = *Currency::parse("USD"),
                    .created_at = {0},
                    .secret = {"not shown"},
                    .version = {1}};
  const Thing full{.id = ProductId(std::string("2")),
                   .words = "\"quoted\" \\ \n Zoë \x01",
                   .more_words = "",
                   .colour = Colour::GREEN,
                   .second_colour = Colour::RED,
                   .flag = true,
                   .number = INT64_MIN,
                   .other_number = INT64_MAX,
                   .price_cents = Cents(1234),
                   .currency = *Currency::parse("JPY"),
                   .percent = Percent{1250},
                   .list = {"a", "\"b\""},
                   .part = {"p\\", 3},
                   .parts = {{"q", std::nullopt}, {"r", 1}},
                   .object = JsonObject{R"({"any":["shape",1.5]})"},
                   .raw = {R"([1,{"a":null}])"},
                   .later = Instant{1'794'753'048'943},
                   .created_at = {1'794'753'048'000},
                   .secret = {"not shown"},
                   .version = {7}};
  storage->write_now([&](Tx& tx) {
    tx.run({&create, {}});
    for (const Thing& thing : {plain, full}) tx.run({&insert, values_of(thing)});
  });
  std::vector<Thing> records;
  std::vector<EncodedRow> shown;
  storage->write_now([&](Tx& tx) {
    records = tx.all(Select<Thing>{{&all, {}}, read_row<Thing>});
    shown = tx.all(Select<EncodedRow>{{&all, {}}, encode_row<Thing>});
  });
  ASSERT_EQ(records.size(), 2u);
  ASSERT_EQ(shown.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(shown[i].json.text, to_json(records[i]));
    EXPECT_EQ(shown[i].id, records[i].id.text());
    EXPECT_EQ(shown[i].created_at, records[i].created_at);
    EXPECT_EQ(shown[i].version, records[i].version.value);
  }
  EXPECT_EQ(shown[1].json.text, to_json(full));
  EXPECT_EQ(shown[1].json.text.find("not shown"), std::string::npos);
}

}  // namespace
}  // namespace guildhall
