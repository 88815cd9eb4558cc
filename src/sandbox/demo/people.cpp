#include "sandbox/demo/people.h"

#include "base/ascii.h"

namespace guildhall::demo {
namespace {

constexpr std::string_view first_names[] = {
    "Ada",   "Grace", "Linus", "Mei",    "Jonas", "Sofia",   "Noah",    "Priya",   "Mateo", "Freya",
    "Omar",  "Clara", "Diego", "Hannah", "Yusuf", "Elena",   "Theo",    "Amara",   "Felix", "Ingrid",
    "Kenji", "Rosa",  "Milan", "Tessa",  "Oscar", "Leila",   "Pavel",   "Nora",    "Ruben", "Saoirse",
    "Caleb", "Wanda", "Idris", "Petra",  "Hugo",  "Marisol", "Stellan", "Beatriz", "Ravi",  "Judith"};
constexpr std::string_view last_names[] = {
    "Brennan",  "Okonkwo",  "Vogel",   "Tanaka",  "Weber",    "Marchetti", "Sandberg", "Raman",
    "Delgado",  "Lindholm", "Haddad",  "Fischer", "Campos",   "Whitlock",  "Demir",    "Petrova",
    "Marchand", "Adeyemi",  "Brandt",  "Solberg", "Nakamura", "Ibarra",    "Novak",    "Vermeer",
    "Nilsson",  "Farahani", "Dvorak",  "Keller",  "Serrano",  "Gallagher", "Mercer",   "Kowalska",
    "Bashir",   "Hofmann",  "Laurent", "Vega",    "Ekman",    "Carvalho",  "Kapoor",   "Ashworth"};
constexpr std::size_t names = std::size(first_names);
static_assert(std::size(last_names) == names);

struct Place {
  std::string_view street, city, state, postal_code, country;
  std::int64_t tax_percent;
};
constexpr Place places[] = {{"Harbor Street", "Portland", "ME", "04101", "US", 5},
                            {"Juniper Avenue", "Boulder", "CO", "80302", "US", 4},
                            {"Mill Lane", "Edinburgh", "Scotland", "EH3 9GG", "GB", 0},
                            {"Lindenweg", "Freiburg", "BW", "79098", "DE", 0},
                            {"Orchard Road", "Ithaca", "NY", "14850", "US", 8},
                            {"Rue des Lilas", "Lyon", "ARA", "69003", "FR", 0},
                            {"Pine Street", "Seattle", "WA", "98101", "US", 10},
                            {"Maple Crescent", "Toronto", "ON", "M5V 2T6", "CA", 0},
                            {"Cedar Way", "Eugene", "OR", "97401", "US", 0},
                            {"Storgata", "Bergen", "Vestland", "5003", "NO", 0},
                            {"Prospect Hill", "Madison", "WI", "53703", "US", 6},
                            {"Keizersgracht", "Amsterdam", "NH", "1015 CJ", "NL", 0}};

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

// The forty members of the chat server, and beyond them a range of its own.
std::string chat_id_of(std::size_t index) {
  return std::to_string((index < names ? 200'000'000'000'000'001 : 200'000'000'000'001'001) + index);
}

}  // namespace

Person person(std::size_t index) {
  const std::size_t round = index / names, shifted = (index + round * 7) % names;
  const std::string_view first = first_names[index % names], last = last_names[shifted];
  const Place& place = places[index % std::size(places)];
  Person made;
  made.chat_id = chat_id_of(index);
  made.username = lower_case(first);
  if (round > 0) made.username += fmt::format(".{}{}", lower_case(last), round);
  made.name = fmt::format("{} {}", first, last);
  made.email = made.username + "@example.com";
  made.address = {.address_id = {"home"},
                  .name = {made.name},
                  .line1 = {fmt::format("{} {}", index * 37 % 180 + 1, place.street)},
                  .line2 = {},
                  .city = {std::string(place.city)},
                  .state = {std::string(place.state)},
                  .postal_code = {std::string(place.postal_code)},
                  .country = {std::string(place.country)},
                  .phone = {}};
  made.tax_percent = place.tax_percent;
  return made;
}

}  // namespace guildhall::demo
