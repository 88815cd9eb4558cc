#include "features/media/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

// A file never changes, and its id is never used again. The file is read on a database thread: it may be large.
Task<Reply> show(Call& call, Database& db, const Media& media) {
  const auto id = media_id(call.request.path);
  if (!id) throw not_found("Picture");
  auto bytes = co_await db.read([&](Tx& tx) {
    const auto file = tx.one(media_file_by_id(*id));
    return file ? media.content_of(*file) : std::nullopt;
  });
  if (!bytes) throw not_found("Picture");
  co_return Reply{.content_type = "image/webp", .body = std::move(*bytes)}
      .with("Cache-Control", "public, max-age=31536000, immutable")
      .with("ETag", fmt::format("\"{}\"", *id))
      .with("Content-Security-Policy", "default-src 'none'")
      .with("Cross-Origin-Resource-Policy", "cross-origin");
}

}  // namespace

std::vector<api::Route> media_routes(Database& db, const Media& media) {
  // The chat platform fetches the pictures of many shops from a few addresses, each picture once.
  constexpr api::AddressLimit limit{.endpoint = "media", .per_minute = 3000};
  return {
      route(Method::get, "/media/:name", Access::open, "A picture", show, db, media)
          .limited(limit)
          .gives(200, "The picture (WebP)."),
  };
}

}  // namespace guildhall
