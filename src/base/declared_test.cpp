#include "base/declared.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

enum class Colour { RED, GREEN };
BOOST_DESCRIBE_ENUM(Colour, RED, GREEN)

struct Item {
  Text<10> name;
  Bounded<1, 5> quantity;
};
BOOST_DESCRIBE_STRUCT(Item, (), (name, quantity))

struct Basket {
  Text<> basket_name;
  std::vector<Item> items;
  std::optional<Email> email;
  Default<Colour> colour{Colour::GREEN};
  std::optional<Instant> ends_at;
  std::optional<bool> gift;
  std::optional<std::int64_t> count;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(Basket, (), (basket_name, items, email, colour, ends_at, gift, count, version))

struct BasketPatch {
  Change<Text<>> basket_name;
  Change<std::optional<std::string>> note;
};
BOOST_DESCRIBE_STRUCT(BasketPatch, (), (basket_name, note))

struct WrappedBasket : Basket {
  Text<> paper;
};
BOOST_DESCRIBE_STRUCT(WrappedBasket, (Basket), (paper))

struct ForgottenMember {
  Text<> name;
  std::optional<std::int64_t> count;
};
BOOST_DESCRIBE_STRUCT(ForgottenMember, (), (name))

struct ForgottenMemberOfDerived : Item {
  Text<> paper;
  bool gift;
};
BOOST_DESCRIBE_STRUCT(ForgottenMemberOfDerived, (Item), (paper))

static_assert(detail::is_fully_described<Basket>());
static_assert(detail::is_fully_described<WrappedBasket>());
static_assert(!detail::is_fully_described<ForgottenMember>());
static_assert(!detail::is_fully_described<ForgottenMemberOfDerived>());

// field: message; field: message
std::string problems_of(std::string_view json) {
  try {
    from_json<Basket>(json);
    return "";
  } catch (const Failure& failure) {
    if (failure.details.empty()) return failure.code;
    std::string all;
    for (const Problem& problem : failure.details) {
      all += (all.empty() ? "" : "; ") + problem.field + ": " + problem.message;
    }
    return all;
  }
}

TEST(Declared, structs_are_decoded_and_encoded_by_one_description) {
  const auto basket = from_json<Basket>(
      R"({"items":[{"quantity":2.0,"name":"pear"}],"basketName":" b ","email":null,"gift":true,"unknown":{"a":[1]},
          "version":9,"endsAt":"2026-11-15T01:00:00+01:00","count":-3})");
  EXPECT_EQ(basket.version.value, 0);
  EXPECT_EQ(to_json(basket),
            R"({"basketName":" b ","items":[{"name":"pear","quantity":2}],"email":null,"colour":"GREEN",)"
            R"("endsAt":"2026-11-15T00:00:00.000Z","gift":true,"count":-3})");
}

struct DecodeCase {
  std::string_view json;
  std::string_view problems;
};

TEST(Declared, structs_name_every_wrong_field_with_its_path) {
  const DecodeCase cases[] = {
      {R"({})", "basketName: is required; items: is required"},
      {R"({"basketName":null,"items":null})", "basketName: is required; items: is required"},
      {R"({"basketName":" \t\n","items":{}})", "basketName: is required; items: must be a list"},
      {R"({"basketName":"b","items":[1,{"name":"12345678901","quantity":0},{}]})",
       "items[0]: must be an object; items[1].name: must have at most 10 characters; "
       "items[1].quantity: must be an integer from 1 to 5; items[2].name: is required; items[2].quantity: is required"},
      {R"({"basketName":"b","items":[{"name":"éééééééééé","quantity":1.5}]})",
       "items[0].quantity: must be an integer from 1 to 5"},
      {R"({"basketName":"b","items":[],"email":"x","colour":"red","endsAt":"today","gift":"true","count":"1"})",
       "email: must be a valid email address; colour: must be one of RED, GREEN; endsAt: must be an RFC 3339 date and "
       "time, such as 2026-11-15T00:00:00Z; gift: must be true or false; count: must be an integer"},
      {R"({"basketName":"b","items":[],"count":9007199254740992})", "count: must be an integer"},
      {R"({"basketName":"b","items":[],"count":9007199254740991})", ""},
      {R"({"basketName":"b","items":[],"count":18446744073709551615})", "count: must be an integer"},
      {R"({"basketName":"b","items":[],"count":1e3})", ""},
      {R"([])", "MALFORMED_JSON"},
      {R"("text")", "MALFORMED_JSON"},
      {R"()", "MALFORMED_JSON"},
      {R"({"basketName":"b","items":[],})", "MALFORMED_JSON"},
      {R"({"a":1,"a":2})", "MALFORMED_JSON"},
      {R"({"x":{"y":[{"a":1,"b":2,"a":3}]}})", "MALFORMED_JSON"},
      {R"({"basketName":"a\u0000b","items":[{"name":"\u0000","quantity":9}],"x":{"y":["\u0000"]}})",
       "basketName: must not contain U+0000; items[0].name: must not contain U+0000; x.y[0]: must not contain U+0000; "
       "items[0].quantity: must be an integer from 1 to 5"},
      {R"({"basketName":"b","items":[],"email":" ","colour":"","endsAt":""})",
       "colour: must be one of RED, GREEN; endsAt: must be an RFC 3339 date and time, such as 2026-11-15T00:00:00Z"},
      {R"({"a":18446744073709551616})", "MALFORMED_JSON"},
  };
  for (const DecodeCase& c : cases) EXPECT_EQ(problems_of(c.json), c.problems) << c.json;
}

TEST(Declared, documents_with_numbers_that_do_not_fit_say_so) {
  const auto sentence = [](std::string_view json) -> std::string {
    try {
      from_json<Basket>(json);
      return "";
    } catch (const Failure& failure) {
      return failure.sentence;
    }
  };
  for (const std::string_view number : {"18446744073709551616", "-9223372036854775809", "1e400", "-1.5E+999"}) {
    EXPECT_EQ(sentence(fmt::format(R"({{"a":"\"01","b":[0,{}]}})", number)),
              "The body has a number that does not fit 64 bits.")
        << number;
  }
  for (const std::string_view number : {"01", "1.", "-", "1e", "1e400x"}) {
    EXPECT_EQ(sentence(fmt::format(R"({{"b":{}}})", number)), "The body is not valid JSON.") << number;
  }
}

TEST(Declared, optional_text_of_only_white_space_is_null) {
  const auto basket = from_json<Basket>(R"({"basketName":"b","items":[],"email":" \u00a0\t"})");
  EXPECT_FALSE(basket.email);
  const auto patch = from_json<BasketPatch>(R"({"note":"  "})");
  EXPECT_TRUE(patch.note);
  EXPECT_FALSE((*patch.note).has_value());
}

TEST(Declared, stored_text_is_read_whatever_the_present_limits_are) {
  Item item;
  decode_stored(R"({"name":"longer than ten characters","quantity":1})",
                [&](JsonValue json, Decoder& decoder) { Codec<Item>::decode(json, item, decoder); });
  EXPECT_EQ(item.name.value, "longer than ten characters");
}

struct BasketInput {
  using Record = Basket;
  Text<> basket_name;
  std::optional<Item> item;
};
BOOST_DESCRIBE_STRUCT(BasketInput, (), (basket_name, item))

TEST(Declared, unknown_members_are_refused_on_demand_but_for_read_only_ones) {
  const auto unknown = [](std::string_view json) {
    BasketInput input;
    std::string fields;
    for (const Problem& problem : decode_leniently(
             json, [&](JsonValue document, Decoder& decoder) { Codec<BasketInput>::decode(document, input, decoder); },
             Decoder::Unknown::refused)) {
      fields += problem.field + " ";
    }
    return fields;
  };
  EXPECT_EQ(unknown(R"({"basketName":"b","count":1,"endsAt":null,"tenantId":"t"})"), "");
  EXPECT_EQ(
      unknown(R"({"basketName":"b","version":1,"nme":2,"item":{"name":"n","quantity":1,"count":1,"tenantId":""}})"),
      "version nme item.count item.tenantId ");
}

namespace other {
struct Item {
  Text<> title;
};
BOOST_DESCRIBE_STRUCT(Item, (), (title))
}  // namespace other

TEST(Declared, schemas_of_two_types_with_one_name_are_an_error) {
  Schema schema;
  Codec<Item>::schema(schema);
  Codec<Basket>::schema(schema);
  EXPECT_THROW(Codec<other::Item>::schema(schema), std::logic_error);
}

TEST(Declared, documents_are_at_most_32_levels_deep) {
  const auto nested = [](int levels) {  // the document itself is the first
    std::string json = R"({"basketName":"b","items":[],"x":)";
    for (int i = 1; i < levels; ++i) json += '[';
    for (int i = 1; i < levels; ++i) json += ']';
    return json + "}";
  };
  EXPECT_EQ(problems_of(nested(32)), "");
  EXPECT_EQ(problems_of(nested(33)), "MALFORMED_JSON");
  EXPECT_EQ(problems_of(nested(5000)), "MALFORMED_JSON");
}

TEST(Declared, text_is_at_most_ten_thousand_characters_not_bytes) {
  const auto named = [](int characters) {
    std::string name;
    for (int i = 0; i < characters; ++i) name += "é";
    return R"({"items":[],"basketName":")" + name + R"("})";
  };
  EXPECT_EQ(problems_of(named(10'000)), "");
  EXPECT_EQ(problems_of(named(10'001)), "basketName: must have at most 10000 characters");
}

TEST(Declared, patches_tell_absent_null_and_value_apart) {
  const auto absent = from_json<BasketPatch>("{}");
  EXPECT_FALSE(absent.note);
  const auto null = from_json<BasketPatch>(R"({"note":null})");
  EXPECT_TRUE(null.note);
  EXPECT_FALSE((*null.note).has_value());
  const auto value = from_json<BasketPatch>(R"({"note":"n","basketName":"b"})");
  EXPECT_EQ(**value.note, "n");
  EXPECT_THROW(from_json<BasketPatch>(R"({"basketName":null})"), Failure);
  EXPECT_THROW(from_json<BasketPatch>(R"({"basketName":" "})"), Failure);
}

TEST(Declared, queries_pass_the_same_rules) {
  Item item;
  const auto read = [&](std::string_view query) {
    decode_query(query, [&](JsonValue json, Decoder& decoder) { Codec<Item>::decode(json, item, decoder); });
  };
  read("name=a+b%21&quantity=3&other=1");
  EXPECT_EQ(item.name.value, "a b!");
  EXPECT_EQ(item.quantity.value, 3);
  for (const std::string_view bad : {"name=a&quantity=3.5", "name=a&quantity=", "name=a", "name=%zz&quantity=1",
                                     "name=a&name=b&quantity=1", "name=%ff&quantity=1", "name=a%00&quantity=1"}) {
    EXPECT_THROW(read(bad), Failure) << bad;
  }
}

TEST(Declared, schemas_describe_structs_once_by_name) {
  Schema schema;
  Codec<Basket>::schema(schema);
  EXPECT_EQ(schema.out, R"({"$ref":"#/components/schemas/Basket"})");
  EXPECT_EQ(schema.components.at("Item"),
            R"({"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":10},)"
            R"("quantity":{"type":"integer","minimum":1,"maximum":5}},"required":["name","quantity"]})");
  EXPECT_EQ(schema.components.at("Basket").find("version"), std::string::npos);
}

TEST(Emails, are_addresses_that_could_receive_mail) {
  for (const std::string_view good : {"a@b.co", "a.b+c@sub.example.com", "x_y-z@ex-ample.org", "1@2.example"}) {
    EXPECT_TRUE(is_email(good)) << good;
  }
  for (const std::string_view bad :
       {"", "a", "a@", "@b.co", "a@b", "a@b.c", "a b@c.de", "a@b..co", ".a@b.co", "a.@b.co", "a..b@c.de", "a@-b.co",
        "a@b-.co", "a@b.co-", "a@@b.co", "a@b@c.de", "a@b.co\n", "<a@b.co>", "a@b_c.de"}) {
    EXPECT_FALSE(is_email(bad)) << bad;
  }
  EXPECT_FALSE(is_email(std::string(65, 'a') + "@b.co"));
}

}  // namespace
}  // namespace guildhall
