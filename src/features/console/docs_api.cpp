#include "features/console/routes.h"
#include "features/console/web_application.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

Reply docs_asset(Call& call) {
  return asset_reply(docs_files(), call.request, call.param(0));
}

Reply docs_licences(Call&) {
  return plain_file_reply(docs_files(), "licences.txt");
}

Reply docs_document(Call&) {
  return document_reply(docs_files());
}

}  // namespace

std::vector<api::Route> docs_routes() {
  const auto docs_page = [](std::string_view path) {
    return route(Method::get, path, Access::open, "The reference and the guides, for people", docs_document)
        .gives(200, "The page.");
  };
  return unlimited_routes({
      docs_page("/docs"),
      docs_page("/docs/"),
      docs_page("/docs/:section"),
      docs_page("/docs/:section/:page"),
      route(Method::get, "/docs/licences.txt", Access::open, "Licences of the reference's parts", docs_licences)
          .gives(200, "The text."),
      route(Method::get, "/docs/assets/:name", Access::open, "A file of the reference", docs_asset)
          .gives(200, "The file, compressed as the client accepts it."),
  });
}

}  // namespace guildhall
