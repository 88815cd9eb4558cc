#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/url.h"
#include "features/webhooks/webhook_event.h"

// The payment methods, their settings and credentials. Pure.
namespace guildhall {

// The methods: those of the processors, which their descriptors name, and then the manual ones.
struct PaymentMethods {
  static const std::vector<ListedName<PaymentMethods>>& all();
};
using PaymentMethod = ListedName<PaymentMethods>;

inline constexpr PaymentMethod btc_manual_method("BTC_MANUAL"), p2p_method("P2P"), cash_method("CASH");

// The processor of a payment, which its descriptor names; MANUAL: an order was marked as paid by hand.
struct PaymentProviders {
  static const std::vector<ListedName<PaymentProviders>>& all();
};
using PaymentProvider = ListedName<PaymentProviders>;

inline constexpr PaymentProvider manual_provider("MANUAL");

// False for manual methods: the customer pays the shop directly, and the shop confirms it by hand.
bool has_processor(PaymentMethod method);

// For the shop's customers.
std::string_view label_of(PaymentMethod method);

struct PaymentSettings {
  std::optional<std::string> store_id;
  std::optional<Bounded<1, 43'200>> expiration_minutes;
  std::optional<std::string> webhook_id;
  std::optional<std::string> location_id;
  std::optional<std::string> notification_url;
  std::optional<std::string> instructions;  // of manual methods
  std::optional<bool> show_on_invoice;      // whether the invoice page shows them; null: no
};
BOOST_DESCRIBE_STRUCT(PaymentSettings, (),
                      (store_id, expiration_minutes, webhook_id, location_id, notification_url, instructions,
                       show_on_invoice))

struct PaymentCredentials {
  std::optional<std::string> api_key;
  std::optional<std::string> webhook_secret;
  std::optional<std::string> client_id;
  std::optional<std::string> client_secret;
  std::optional<std::string> access_token;
};
BOOST_DESCRIBE_STRUCT(PaymentCredentials, (), (api_key, webhook_secret, client_id, client_secret, access_token))

struct PaymentSettingsPatch {
  Change<std::optional<VisibleAscii<key_characters_max>>> store_id;
  Change<std::optional<Bounded<1, 43'200>>> expiration_minutes;
  Change<std::optional<VisibleAscii<key_characters_max>>> webhook_id;
  Change<std::optional<VisibleAscii<key_characters_max>>> location_id;
  Change<std::optional<Url>> notification_url;
  Change<std::optional<Text<>>> instructions;
  Change<std::optional<bool>> show_on_invoice;
};
BOOST_DESCRIBE_STRUCT(PaymentSettingsPatch, (),
                      (store_id, expiration_minutes, webhook_id, location_id, notification_url, instructions,
                       show_on_invoice))

struct PaymentCredentialsPatch {
  Change<std::optional<VisibleAscii<2000>>> api_key;
  Change<std::optional<VisibleAscii<2000>>> webhook_secret;
  Change<std::optional<VisibleAscii<2000>>> client_id;
  Change<std::optional<VisibleAscii<2000>>> client_secret;
  Change<std::optional<VisibleAscii<2000>>> access_token;
};
BOOST_DESCRIBE_STRUCT(PaymentCredentialsPatch, (), (api_key, webhook_secret, client_id, client_secret, access_token))

struct PaymentMethodPatch {
  PaymentMethod method;
  Change<bool> enabled;
  Change<PaymentSettingsPatch> settings;
  Change<PaymentCredentialsPatch> credentials;
};
BOOST_DESCRIBE_STRUCT(PaymentMethodPatch, (), (method, enabled, settings, credentials))

struct PaymentMethodsPatch {
  std::vector<PaymentMethodPatch> methods;
};
BOOST_DESCRIBE_STRUCT(PaymentMethodsPatch, (), (methods))

// Why no payment can be opened with a method.
enum class ConfigurationGap {
  NO_VALUES,        // neither the tenant nor the operator has entered an account
  INCOMPLETE,       // the tenant has set some of the values; as soon as it has set one, the operator's do not count
  UNREADABLE,       // the tenant's credentials cannot be decrypted with the present master key
  ADDRESS_MISSING,  // the operator has not set the address of the processor
};
BOOST_DESCRIBE_ENUM(ConfigurationGap, NO_VALUES, INCOMPLETE, UNREADABLE, ADDRESS_MISSING)

// A method as the API shows it to an admin, without credentials.
struct ShownMethod {
  PaymentMethod method;
  bool enabled = false;
  bool processor = false;
  std::optional<std::string> product;   // the processor's name for its customers; none for manual methods
  std::optional<std::string> keys_url;  // where the processor's customers find their keys
  bool configured = false;              // it has the values to open a payment
  std::optional<ConfigurationGap> not_configured_reason;
  std::vector<std::string> missing_values;    // keys of settings and credentials that the tenant would have to set
  std::optional<AccountOwner> account_owner;  // who receives the money; none without an account, and for manual methods
  bool webhooks_verified = false;             // it has the values to verify its webhooks
  JsonObject settings;
};
BOOST_DESCRIBE_STRUCT(ShownMethod, (),
                      (method, enabled, processor, product, keys_url, configured, not_configured_reason, missing_values,
                       account_owner, webhooks_verified, settings))

struct ShownMethods {
  std::vector<ShownMethod> methods;
  Hidden<std::int64_t> version;  // the sum of the methods' versions, which every change raises
};
BOOST_DESCRIBE_STRUCT(ShownMethods, (), (methods, version))

// The purpose that a method needs a value for.
enum class MethodNeed { opening, webhooks, nothing };

// The visibility of a value. Credentials are stored sealed, and the API never shows them.
enum class ValueKind {
  setting,
  credential,  // `guildhall config` shows the operator's in full
  secret,      // `guildhall config` masks the operator's
};

// One value that a method works with. A value with an environment variable identifies or proves an account with the
// processor: all of a method's such values are the tenant's own, or all are the environment's.
struct MethodValue {
  std::string_view key;       // as on the wire: storeId
  std::string_view variable;  // empty: a preference, which does not decide whose account is used
  ValueKind kind;
  MethodNeed need;
  std::string_view help{};  // of the environment variable
};
std::span<const MethodValue> values_of_method(PaymentMethod method);

// The environment variable with the address of a method's processor.
struct MethodAddress {
  std::string_view variable;
  std::string_view fallback;  // empty: the method is not configured without the variable
  std::string_view help;
};

void apply(const PaymentSettingsPatch& patch, PaymentSettings& settings);
void apply(const PaymentCredentialsPatch& patch, PaymentCredentials& credentials);

// The settings that the method uses and that are set, as a JSON object.
JsonObject shown_settings(PaymentMethod method, const PaymentSettings& settings);

}  // namespace guildhall
