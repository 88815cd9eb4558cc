#include "api/openapi.h"

#include <gtest/gtest.h>

#include "api/described_schemas.h"
#include "api/page.h"

namespace guildhall::api {
namespace {

enum class Colour { RED, GREEN };
BOOST_DESCRIBE_ENUM(Colour, RED, GREEN)

struct Handle {
  Text<> material;
};
BOOST_DESCRIBE_STRUCT(Handle, (), (material))

struct Mug {
  std::string id;
  Colour colour = Colour::RED;
  std::optional<Handle> handle;
  std::int64_t size = 0;
};
BOOST_DESCRIBE_STRUCT(Mug, (), (id, colour, handle, size))

struct MugQuery {
  std::vector<Colour> colours;
};
BOOST_DESCRIBE_STRUCT(MugQuery, (), (colours))

struct NewMug {
  Text<> name;
  std::optional<std::int64_t> size;
};
BOOST_DESCRIBE_STRUCT(NewMug, (), (name, size))

constexpr std::string_view texts[] = {
    R"({"tag":"Mugs","tags":{"Mugs":"Things to drink from.","Unused":"Nothing."},
        "operations":{"POST /api/data/mug":{"id":"createMug","description":"Creates a mug.","errors":["MUG_TAKEN"]},
                      "GET /api/data/mug/:kind/:id":{"fixed":{"kind":"tea"},"versioned":true,"setsCookie":true},
                      "DELETE /api/data/mug/:kind/:id":{"repeatable":false,"errors":["MUG_IN_USE"]},
                      "GET /pages":{"hidden":true}},
        "types":{"Mug, NewMug":{"":"A mug.","size":["The size.",3]},"PageOf*":{"items":"The page."}},
        "deprecated":{"Mug, NewMug":["size"]},"webhooks":{"mug.made":"A mug was made."},
        "errors":{"MUG_TAKEN":["There is such a mug.",400],"MUG_IN_USE":["It is full.",409]}})",
    R"({"fields":{"id":["The id.","m-1"],"name":["The name.","It's mine"],"material":["The material.","clay"]}})",
};

Task<Reply> nothing(Call&) {
  co_return Reply{};
}

std::string document_of(const Reference& reference) {
  std::vector<Route> routes;
  routes.push_back(route(Method::post, "/api/data/mug", Access::data_write, "Create a mug", nothing)
                       .takes<NewMug>()
                       .gives<Mug>(201, "The mug."));
  routes.push_back(route(Method::get, "/api/data/mug/:kind/:id", Access::session, "One mug", nothing)
                       .takes_query<MugQuery>()
                       .gives<Mug>(200, "The mug."));
  routes.push_back(route(Method::del, "/api/data/mug/:kind/:id", Access::data_write, "Delete a mug", nothing)
                       .gives(204, "It is gone."));
  routes.push_back(route(Method::get, "/pages", Access::open, "A page", nothing).gives(200, "The page."));
  const OutgoingEvent events[] = {{"mug.made", &Codec<Mug>::schema}};
  return openapi_document(routes, events, reference, "https://shop.example.com");
}

std::string statuses_of(const simdjson::dom::element& document, std::string_view operation) {
  std::string statuses;
  for (const auto [status, reply] :
       simdjson::dom::object(document.at_pointer(fmt::format("/paths/{}/responses", operation)))) {
    statuses.append(status).append(" ");
  }
  return statuses;
}

TEST(OpenApi, describes_operations_types_and_fields_in_words) {
  simdjson::dom::parser parser;
  const auto document = parser.parse(document_of(Reference(texts))).value();
  const auto text = [&](const char* pointer) { return simdjson::minify(document.at_pointer(pointer).value()); };
  EXPECT_EQ(text("/servers/0/url"), R"("https://shop.example.com")");
  EXPECT_EQ(text("/tags"), R"([{"name":"Mugs","description":"Things to drink from."}])");
  EXPECT_EQ(text("/paths/~1api~1data~1mug/post/operationId"), R"("createMug")");
  EXPECT_EQ(text("/paths/~1api~1data~1mug/post/description"),
            R"("Creates a mug.\n\nNeeds the permission `data.write`.\n\nBesides the errors that every operation has:\n)"
            R"(\n- `MUG_TAKEN` (400): There is such a mug.")");
  EXPECT_EQ(text("/components/schemas/Mug/properties/size"),
            R"({"type":"integer","description":"The size.","examples":[3],"deprecated":true})");
  EXPECT_NE(document.at_pointer("/paths/~1pages").error(), simdjson::SUCCESS) << "hidden";
}

TEST(OpenApi, composes_examples_from_those_of_the_fields) {
  simdjson::dom::parser parser;
  const auto document = parser.parse(document_of(Reference(texts))).value();
  const auto text = [&](const char* pointer) { return simdjson::minify(document.at_pointer(pointer).value()); };
  EXPECT_EQ(text("/components/schemas/Mug/examples/0"),
            R"({"id":"m-1","colour":"RED","handle":{"material":"clay"},"size":3})");
  EXPECT_EQ(text("/paths/~1api~1data~1mug/post/requestBody/content/application~1json/example"),
            R"({"name":"It's mine"})");
  const std::string_view curl = document.at_pointer("/paths/~1api~1data~1mug/post/x-codeSamples/0/source");
  EXPECT_NE(curl.find(R"("name": "It'\''s mine")"), std::string_view::npos) << curl;
}

TEST(OpenApi, lists_the_replies_that_follow_from_the_route) {
  simdjson::dom::parser parser;
  const auto document = parser.parse(document_of(Reference(texts))).value();
  EXPECT_EQ(statuses_of(document, "~1api~1data~1mug/post"), "201 400 401 403 409 413 415 429 500 503 default ");
  EXPECT_EQ(statuses_of(document, "~1api~1data~1mug~1tea~1{id}/get"), "200 304 400 401 403 404 429 500 503 default ");
  EXPECT_EQ(statuses_of(document, "~1api~1data~1mug~1{kind}~1{id}/delete"),
            "204 400 401 403 404 409 429 500 503 default ")
      << "409 because of the error code";
}

TEST(OpenApi, writes_fixed_parameters_lists_and_cookies_as_the_server_takes_them) {
  simdjson::dom::parser parser;
  const auto document = parser.parse(document_of(Reference(texts))).value();
  const auto operation = document.at_pointer("/paths/~1api~1data~1mug~1tea~1{id}/get");
  const auto text = [&](const char* pointer) { return simdjson::minify(operation.at_pointer(pointer).value()); };
  EXPECT_EQ(text("/parameters/0/name"), R"("id")") << "kind is part of the path";
  EXPECT_EQ(text("/parameters/1/name"), R"("colours")");
  EXPECT_EQ(text("/parameters/1/explode"), "false");
  EXPECT_EQ(text("/responses/200/headers/Set-Cookie"), R"({"$ref":"#/components/headers/Set-Cookie"})");
}

TEST(OpenApi, describes_the_events_that_leave_the_server) {
  simdjson::dom::parser parser;
  const auto document = parser.parse(document_of(Reference(texts))).value();
  const auto event = document.at_pointer("/webhooks/mug.made/post");
  const auto text = [&](const char* pointer) { return simdjson::minify(event.at_pointer(pointer).value()); };
  EXPECT_EQ(text("/operationId"), R"("onMugMade")");
  EXPECT_EQ(text("/description"), R"("A mug was made.")");
  EXPECT_EQ(text("/requestBody/content/application~1json/schema/properties/type/const"), R"("mug.made")");
  EXPECT_EQ(text("/requestBody/content/application~1json/schema/properties/data"),
            R"({"$ref":"#/components/schemas/Mug"})");
}

TEST(References, prefer_the_text_of_the_type) {
  const Reference reference(texts);
  EXPECT_EQ(reference.field("Mug", "size")->description, "The size.");
  EXPECT_EQ(reference.field("Other", "id")->example, R"("m-1")");
  EXPECT_EQ(reference.field("PageOfMug", "items")->description, "The page.");
  EXPECT_EQ(reference.field("Mug", "unknown"), nullptr);
  EXPECT_EQ(reference.own_field("Mug", "id"), nullptr);
}

TEST(References, refuse_files_of_the_wrong_form) {
  const std::string_view twice[] = {R"({"operations":{"GET /a":{}}})", R"({"operations":{"GET /a":{}}})"};
  EXPECT_THROW(Reference{twice}, std::logic_error);
  for (const std::string_view wrong : {"[", R"({"unknown":{}})", R"({"operations":{"GET /a":{"unknown":1}}})",
                                       R"({"fields":{"a":["text"]}})", R"({"fields":{"a":1}})"}) {
    const std::string_view file[] = {wrong};
    EXPECT_THROW(Reference{file}, std::logic_error) << wrong;
  }
}

TEST(References, are_indented_for_code_samples) {
  EXPECT_EQ(indented(R"({"a":[1,{"b":[]}],"c":{}})"),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}");
}

}  // namespace
}  // namespace guildhall::api
