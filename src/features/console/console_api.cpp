#include "features/console/routes.h"
#include "features/console/web_application.h"
#include "http/accept.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

// The addresses at which a program that knows only the server's name finds the rest.
struct Entrance {
  std::string service;
  std::string version;
  std::string console;
  std::string reference;
  std::string openapi;
};
BOOST_DESCRIBE_STRUCT(Entrance, (), (service, version, console, reference, openapi))

Reply enter(Call& call) {
  const bool is_browser = http::prefers_html(call.request.header("accept"));
  Reply reply = is_browser ? Reply{.status = 302, .content_type = ""}.with("Location", "/console/")
                           : api::json_reply(200, Entrance{.service = "guildhall",
                                                           .version = GUILDHALL_VERSION,
                                                           .console = "/console/",
                                                           .reference = "/docs",
                                                           .openapi = "/openapi.json"});
  return std::move(reply).with("Vary", "Accept");
}

Reply console_asset(Call& call) {
  return asset_reply(console_files(), call.request, call.param(0));
}

Reply icon(Call&) {
  return plain_file_reply(console_files(), "favicon.svg");
}

Reply service_worker(Call&) {
  return plain_file_reply(console_files(), "alerts.js");
}

Reply console_licences(Call&) {
  return plain_file_reply(console_files(), "licences.txt");
}

Reply console_document(Call&) {
  return document_reply(console_files());
}

}  // namespace

std::vector<api::Route> console_routes() {
  const auto console_page = [](std::string_view path) {
    return route(Method::get, path, Access::open, "The console", console_document).gives(200, "The page.");
  };
  return unlimited_routes({
      route(Method::get, "/", Access::open, "The entrance for browsers and programs", enter)
          .gives<Entrance>(200, "The addresses of the console, the reference and the API's description.")
          .gives(302, "A browser is led to the console."),
      console_page("/console"),
      console_page("/console/"),
      console_page("/console/:page"),
      console_page("/console/:page/:id"),
      console_page("/console/:page/:id/:part/:partId"),
      route(Method::get, "/console/favicon.svg", Access::open, "The console's icon", icon).gives(200, "The picture."),
      route(Method::get, "/console/alerts.js", Access::open, "The console's service worker, which shows alerts",
            service_worker)
          .gives(200, "The script."),
      route(Method::get, "/console/licences.txt", Access::open, "Licences of the console's parts", console_licences)
          .gives(200, "The text."),
      route(Method::get, "/console/assets/:name", Access::open, "A file of the console", console_asset)
          .gives(200, "The file, compressed as the client accepts it."),
  });
}

}  // namespace guildhall
