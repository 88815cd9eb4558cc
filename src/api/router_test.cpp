#include "api/router.h"

#include <gtest/gtest.h>

namespace guildhall::api {
namespace {

Route plain(Method method, std::string path) {
  return {method, std::move(path), Access::open, "", nullptr};
}

std::vector<Route> table() {
  std::vector<Route> routes;
  routes.push_back(plain(Method::get, "/"));
  routes.push_back(plain(Method::get, "/order/:id"));
  routes.push_back(plain(Method::patch, "/order/:id"));
  routes.push_back(plain(Method::get, "/order/open"));
  routes.push_back(plain(Method::get, "/order/open/summary"));
  routes.push_back(plain(Method::get, "/order/:id/items/:item"));
  return routes;
}

TEST(Router, prefers_names_to_parameters) {
  const Router router(table());
  EXPECT_EQ(router.match(Method::get, "/").route->path, "/");
  EXPECT_EQ(router.match(Method::get, "/order/open").route->path, "/order/open");
  EXPECT_EQ(router.match(Method::get, "/order/open/summary").route->path, "/order/open/summary");
  EXPECT_EQ(router.match(Method::head, "/order/7").route->path, "/order/:id");
}

TEST(Router, walks_back_from_a_dead_end_behind_a_name) {
  const Router router(table());
  const auto match = router.match(Method::get, "/order/open/items/2");
  ASSERT_NE(match.route, nullptr);
  EXPECT_EQ(match.params, (std::vector<std::string>{"open", "2"}));
}

TEST(Router, decodes_parameters_and_leaves_broken_ones_as_they_are) {
  const Router router(table());
  EXPECT_EQ(router.match(Method::get, "/order/a%20b%2Fc").params, std::vector<std::string>{"a b/c"});
  for (const char* broken : {"%", "%zz", "%ff", "%00"}) {
    EXPECT_EQ(router.match(Method::get, std::string("/order/") + broken).params, std::vector<std::string>{broken});
  }
}

TEST(Router, finds_nothing_where_no_route_leads) {
  const Router router(table());
  for (const char* bad : {"/order/", "/order//items/1", "//", "/order/1/", "/nowhere", "order", "*", ""}) {
    EXPECT_EQ(router.match(Method::get, bad).route, nullptr) << bad;
  }
}

TEST(Router, finds_routes_of_records_without_an_id) {
  std::vector<Route> routes = table();
  routes.push_back({Method::patch, "/customer/:id/address/:address", Access::data_write, "", nullptr});
  const Router router(std::move(routes));
  EXPECT_EQ(router.match(Method::patch, "/customer//address/").params, (std::vector<std::string>{"", ""}));
  EXPECT_EQ(router.match(Method::patch, "/customer/1/address/").params, (std::vector<std::string>{"1", ""}));
  EXPECT_EQ(router.match(Method::get, "/customer//address/").allow, "PATCH");
  EXPECT_EQ(router.match(Method::patch, "/customer//").route, nullptr);
}

TEST(Router, tells_which_methods_a_path_takes) {
  const Router router(table());
  const auto match = router.match(Method::del, "/order/7");
  EXPECT_EQ(match.route, nullptr);
  EXPECT_EQ(match.allow, "GET, HEAD, PATCH");
  EXPECT_EQ(router.match(Method::patch, "/order/open").allow, "GET, HEAD");
  EXPECT_TRUE(router.match(Method::get, "/nowhere").allow.empty());
}

TEST(Router, refuses_a_table_with_the_same_route_twice) {
  std::vector<Route> routes = table();
  routes.push_back(plain(Method::get, "/order/:number"));
  EXPECT_THROW(Router{std::move(routes)}, std::logic_error);
}

}  // namespace
}  // namespace guildhall::api
