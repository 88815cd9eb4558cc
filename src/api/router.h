#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/route.h"

namespace guildhall::api {

// Finds the route of a request in the route table. A parameter of the path may be empty only where the route belongs to
// a tenant's records: such a request lacks an id (400), while anywhere else the address does not exist.
class Router {
 public:
  // Throws std::logic_error if two routes are the same or a path is malformed.
  explicit Router(std::vector<Route> routes);
  ~Router();

  struct Match {
    const Route* route = nullptr;     // null: the path is unknown, or it does not have this method
    std::string allow;                // the path's methods if the request's method is not one of them
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
