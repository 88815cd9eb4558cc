#include "api/router.h"

#include "base/text.h"
#include "base/url.h"

namespace guildhall::api {

// A node of the tree of path segments. A child is found by its literal name, or it is a parameter.
struct Router::Node {
  std::vector<std::pair<std::string, std::unique_ptr<Node>>> literals;
  std::unique_ptr<Node> parameter;
  std::vector<const Route*> routes;  // the routes whose path ends at this node

  Node& child(std::string_view segment) {
    if (segment.starts_with(':')) {
      if (!parameter) parameter = std::make_unique<Node>();
      return *parameter;
    }
    for (auto& [name, node] : literals) {
      if (name == segment) return *node;
    }
    return *literals.emplace_back(segment, std::make_unique<Node>()).second;
  }
};

namespace {

// Returns the first segment and removes it: "/a/b" gives "a" and leaves "/b".
std::string_view next_segment(std::string_view& rest) {
  rest.remove_prefix(1);
  const std::string_view segment = rest.substr(0, rest.find('/'));
  rest.remove_prefix(segment.size());
  return segment;
}

// Decodes a path parameter. If that is impossible, the parameter stays as it was sent; no record has such an id, so the
// handler reports it as unknown.
std::string parameter(std::string_view segment) {
  auto decoded = url_decode(segment);
  const bool good = decoded && is_storable(*decoded);
  return good ? std::move(*decoded) : std::string(segment);
}

}  // namespace

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)), root_(std::make_unique<Node>()) {
  for (const Route& route : routes_) {
    if (!route.path.starts_with('/')) throw std::logic_error("a route's path must start with '/': " + route.path);
    Node* node = root_.get();
    std::string_view rest = route.path;
    while (!rest.empty()) node = &node->child(next_segment(rest));
    for (const Route* other : node->routes) {
      if (other->method == route.method) throw std::logic_error("route listed twice: " + route.path);
    }
    node->routes.push_back(&route);
  }
}

Router::~Router() = default;

// Prefers a literal name to a parameter. If the rest of the path does not match below the literal, tries the parameter.
bool Router::walk(const Node& node, std::string_view rest, std::vector<std::string>& params, const Node*& found) {
  if (rest.empty()) {
    found = &node;
    return !node.routes.empty();
  }
  const std::string_view segment = next_segment(rest);
  for (const auto& [name, child] : node.literals) {
    if (name == segment && walk(*child, rest, params, found)) return true;
  }
  if (!node.parameter) return false;
  params.push_back(parameter(segment));
  if (walk(*node.parameter, rest, params, found)) return true;
  params.pop_back();
  return false;
}

Router::Match Router::match(Method method, std::string_view path) const {
  Match match;
  const Node* node = nullptr;
  if (!path.starts_with('/') || !walk(*root_, path, match.params, node)) return match;
  if (std::ranges::find(match.params, "") != match.params.end() &&
      std::ranges::none_of(node->routes, [](const Route* route) { return route->tenant_scoped(); })) {
    return {};
  }
  const Method wanted = method == Method::head ? Method::get : method;
  for (const Route* route : node->routes) {
    if (route->method == wanted) {
      match.route = route;
      return match;
    }
  }
  for (const Route* route : node->routes) {
    match.allow.append(match.allow.empty() ? "" : ", ").append(to_string(route->method));
    if (route->method == Method::get) match.allow += ", HEAD";
  }
  return match;
}

}  // namespace guildhall::api
