#include "app/demo.h"

#include "features/customers/customer_actions.h"
#include "features/tenancy/tenant.h"
#include "storage/migrations.h"

namespace guildhall {

void fill_demo_shop(const Config& config) {
  struct Person {
    std::string_view chat_id, username, display_name, email;
  };
  constexpr Person people[] = {
      {"200000000000000001", "ada", "Ada", "ada@example.com"},
      {"200000000000000002", "grace", "Grace", "grace@example.com"},
      {"200000000000000003", "linus", "Linus", "linus@example.com"},
  };
  const auto storage = open_storage({.url = config.database_url});
  migrate(*storage);
  storage->write_now([&](Tx& tx) {
    ensure_default_tenant(tx, config.default_tenant, now());
    for (const Person& person : people) {
      const NewCustomer input{.chat_id = {std::string(person.chat_id)},
                              .chat_username = {std::string(person.username)},
                              .chat_display_name = {std::string(person.display_name)},
                              .source = {CustomerSource::CHAT},
                              .email = Email{std::string(person.email)},
                              .phone = std::nullopt,
                              .user_id = std::nullopt};
      find_or_create_customer(tx, config.default_tenant, {ActorKind::SYSTEM, "demo", ""}, input, now());
    }
  });
}

}  // namespace guildhall
