#include "features/slice.h"

#include "features/identity/tenant_actions.h"
#include "features/media/media_store.h"
#include "features/media/routes.h"

namespace guildhall {
namespace {

void withdraw_media_of_deleted_tenants(Events& events) {
  events.subscribe<TenantDeleted>(
      [](const ActionContext& context, const TenantDeleted&) { withdraw_media(context.tx, context.tenant); });
}

void handle_media_topics(outbox::Dispatcher& dispatcher, const Media& media) {
  dispatcher.handle(std::string(media_delete_topic),
                    [&media](const outbox::Delivery& delivery) { return media.delete_files(delivery); });
}

}  // namespace

Slice media_slice() {
  return Slice("media")
      .table({.name = "branding", .other = "name accent_color logo"})
      .table({.name = "media_files", .other = "content"})
      .table({.name = "media_usage"})
      .routes(media_routes)
      .routes(branding_routes)
      .subscribes(withdraw_media_of_deleted_tenants)
      .topics(handle_media_topics);
}

}  // namespace guildhall
