#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/route.h"

namespace guildhall::api {

// Finds a request's line in the route table.
class Router {
 public:
  // Throws std::logic_error if two routes are the same or a path is malformed.
  explicit Router(std::vector<Route> routes);
  ~Router();

  struct Match {
    const Route* route = nullptr;     // null: no such path, or not with this method
    std::string allow;                // the path's methods, when the method is not among them
    std::vector<std::string> params;  // decoded
  };
  Match match(Method method, std::string_view path) const;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  struct Node;
  static bool walk(const Node& node, std::string_view rest, std::vector<std::string>& params, const Node*& found);

  std::vector<Route> routes_;
  std::unique_ptr<Node> root_;
};

}  // namespace guildhall::api
