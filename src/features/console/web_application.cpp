#include "features/console/web_application.h"

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/failure.h"
#include "features/console/routes.h"
#include "http/accept.h"

namespace guildhall {
namespace {

using http::Reply;

constexpr std::string_view nonce_place = "__STYLE_NONCE__";  // a placeholder in the application's index.html
constexpr std::size_t nonce_bytes = 16;

const EmbeddedFile* file_at(std::span<const EmbeddedFile> files, std::string_view path) {
  for (const EmbeddedFile& file : files) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

std::string_view content_type_of(std::string_view path) {
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  if (path.ends_with(".svg")) return "image/svg+xml";
  if (path.ends_with(".png")) return "image/png";
  if (path.ends_with(".json")) return "application/json";
  if (path.ends_with(".txt")) return "text/plain; charset=utf-8";
  return "text/html; charset=utf-8";
}

}  // namespace

Reply asset_reply(std::span<const EmbeddedFile> files, const http::Request& request, const std::string& name) {
  const EmbeddedFile* file = file_at(files, "assets/" + name);
  if (file == nullptr) throw not_found("File");
  const std::string_view wanted = request.header("accept-encoding");
  Reply reply{.content_type = content_type_of(file->path)};
  if (file->brotli.present() && http::weight_in(wanted, "br") > 0) {
    reply.body = file->brotli.text();
    reply.with("Content-Encoding", "br");
  } else if (file->gzip.present() && http::weight_in(wanted, "gzip") > 0) {
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

Reply plain_file_reply(std::span<const EmbeddedFile> files, std::string_view path) {
  const EmbeddedFile* file = file_at(files, path);
  if (file == nullptr) throw not_found("File");
  Reply reply{.content_type = content_type_of(path), .body = std::string(file->plain.text())};
  return std::move(reply).with("Cache-Control", "max-age=3600").with("X-Content-Type-Options", "nosniff");
}

Reply document_reply(std::span<const EmbeddedFile> files, std::string_view picture_origin) {
  const EmbeddedFile* index = file_at(files, "index.html");
  if (index == nullptr) {
    throw Failure(Failure::Kind::not_found, "CONSOLE_MISSING", "This binary was built without its web pages.");
  }
  const std::string nonce = base64url(random_bytes(nonce_bytes));
  std::string html(index->plain.text());
  if (const std::size_t at = html.find(nonce_place); at != std::string::npos) {
    html.replace(at, nonce_place.size(), nonce);
  }
  Reply reply{.content_type = "text/html; charset=utf-8", .body = std::move(html)};
  return std::move(reply)
      .with("Content-Security-Policy",
            fmt::format("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{}'; img-src 'self' data: {}; "
                        "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
                        "frame-ancestors 'none'",
                        nonce, picture_origin))
      .with("Cache-Control", "no-store")
      .with("Referrer-Policy", "same-origin")
      .with("X-Content-Type-Options", "nosniff");
}

std::vector<api::Route> unlimited_routes(std::vector<api::Route> routes) {
  for (api::Route& route : routes) route.unlimited_because = "Answered from the program's own memory.";
  return routes;
}

}  // namespace guildhall
