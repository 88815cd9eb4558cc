#include "base/crypto.h"
#include "base/encoding.h"
#include "base/failure.h"
#include "features/console/console_files.h"
#include "features/console/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::string_view index_path = "index.html";
constexpr std::string_view nonce_place = "__STYLE_NONCE__";  // a placeholder in web/console/index.html
constexpr std::size_t nonce_bytes = 16;

const ConsoleFile* file_at(std::string_view path) {
  for (const ConsoleFile& file : console_files()) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

std::string_view content_type_of(std::string_view path) {
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  if (path.ends_with(".svg")) return "image/svg+xml";
  if (path.ends_with(".json")) return "application/json";
  if (path.ends_with(".txt")) return "text/plain; charset=utf-8";
  return "text/html; charset=utf-8";
}

// True when the Accept-Encoding header names the coding and does not exclude it with q=0.
bool accepts(std::string_view header, std::string_view coding) {
  while (!header.empty()) {
    std::string_view part = header.substr(0, header.find(','));
    header.remove_prefix(std::min(header.size(), part.size() + 1));
    part.remove_prefix(std::min(part.find_first_not_of(" \t"), part.size()));
    const std::string_view name = part.substr(0, part.find_first_of("; \t"));
    if (name == coding)
      return part.find("q=0") == std::string_view::npos || part.find("q=0.") != std::string_view::npos;
  }
  return false;
}

// The name of an asset changes with its content, so browsers may cache it for ever.
Reply asset(Call& call) {
  const ConsoleFile* file = file_at("assets/" + call.param(0));
  if (file == nullptr) throw not_found("File");
  const std::string_view wanted = call.request.header("accept-encoding");
  Reply reply{.content_type = content_type_of(file->path)};
  if (file->brotli.present() && accepts(wanted, "br")) {
    reply.body = file->brotli.text();
    reply.with("Content-Encoding", "br");
  } else if (file->gzip.present() && accepts(wanted, "gzip")) {
    reply.body = file->gzip.text();
    reply.with("Content-Encoding", "gzip");
  } else {
    reply.body = file->plain.text();
  }
  return std::move(reply)
      .with("Vary", "Accept-Encoding")
      .with("Cache-Control", "public, max-age=31536000, immutable")
      .with("X-Content-Type-Options", "nosniff");
}

Reply plain_file(std::string_view path) {
  const ConsoleFile* file = file_at(path);
  if (file == nullptr) throw not_found("File");
  Reply reply{.content_type = content_type_of(path), .body = std::string(file->plain.text())};
  return std::move(reply).with("Cache-Control", "max-age=3600").with("X-Content-Type-Options", "nosniff");
}

Reply icon(Call&) {
  return plain_file("favicon.svg");
}

Reply licences(Call&) {
  return plain_file("licences.txt");
}

// All addresses of the console serve the same document; its script shows the page of the address. The component library
// creates a style element, which the content security policy allows by a nonce that is new for every reply.
Reply page(Call&) {
  const ConsoleFile* index = file_at(index_path);
  if (index == nullptr) {
    throw Failure(Failure::Kind::not_found, "CONSOLE_MISSING", "This binary was built without the console.");
  }
  const std::string nonce = base64url(random_bytes(nonce_bytes));
  std::string html(index->plain.text());
  if (const std::size_t at = html.find(nonce_place); at != std::string::npos) {
    html.replace(at, nonce_place.size(), nonce);
  }
  Reply reply{.content_type = "text/html; charset=utf-8", .body = std::move(html)};
  return std::move(reply)
      .with("Content-Security-Policy",
            fmt::format("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{}'; img-src 'self' data:; "
                        "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
                        "frame-ancestors 'none'",
                        nonce))
      .with("Cache-Control", "no-store")
      .with("Referrer-Policy", "same-origin")
      .with("X-Content-Type-Options", "nosniff");
}

Reply to_console(Call&) {
  Reply reply{.status = 302, .content_type = ""};
  return std::move(reply).with("Location", "/console/");
}

}  // namespace

std::vector<api::Route> console_routes() {
  const auto console_page = [](std::string_view path) {
    return route(Method::get, path, Access::open, "The console", page).gives(200, "The page.");
  };
  return {
      route(Method::get, "/", Access::open, "Leads to the console", to_console).gives(302, "To /console/."),
      console_page("/console"),
      console_page("/console/"),
      console_page("/console/:page"),
      console_page("/console/:page/:id"),
      route(Method::get, "/console/favicon.svg", Access::open, "The console's icon", icon).gives(200, "The picture."),
      route(Method::get, "/console/licences.txt", Access::open, "Licences of the console's parts", licences)
          .gives(200, "The text."),
      route(Method::get, "/console/assets/:name", Access::open, "A file of the console", asset)
          .gives(200, "The file, compressed as the client accepts it."),
  };
}

}  // namespace guildhall
