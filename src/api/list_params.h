#pragma once

#include "base/declared.h"
#include "storage/filters.h"
#include "storage/listing.h"
#include "storage/metadata_index.h"

// The parameters of a list: how the filters of storage/filters.h, the order, the cursor and the size of a page are
// decoded and described in OpenAPI.
namespace guildhall {

// A cursor of a list. It holds only for the list, the filters and the order that it was made for, which its mark names.
struct ListCursor {
  static constexpr std::size_t mark_bytes = 9, mark_characters = mark_bytes / 3 * 4;

  std::string mark;
  ListPlace place;

  std::string text() const;
};

template <>
struct Codec<ListCursor> : PlainCodec {
  static void decode(JsonValue value, ListCursor& out, Decoder& decoder);
  static void encode(std::string& out, const ListCursor& value) { json::append_string(out, value.text()); }
  static void schema(Schema& schema) {
    schema.raw(R"({"type":"string","description":"The nextCursor of a page with the same filters and sort."})");
  }
};

namespace detail {

// Adds the description to a schema, which is a JSON object.
template <class T>
void described_schema(Schema& schema, std::string_view description) {
  std::string before = std::exchange(schema.out, {});
  Codec<T>::schema(schema);
  const std::string plain = std::exchange(schema.out, std::move(before));
  schema.raw(R"({"description":)");
  json::append_string(schema.out, description);
  schema.raw(",");
  schema.raw(std::string_view(plain).substr(1));
}

}  // namespace detail

template <class F>
  requires(ListFilter<F> && requires { typename F::Type; })
struct Codec<F> : PlainCodec {
  using T = typename F::Type;
  static constexpr bool required = false;
  static void decode(JsonValue value, F& out, Decoder& decoder) {
    Codec<std::optional<T>>::decode(value, out.value, decoder);
  }
  static void encode(std::string& out, const F& filter) { Codec<std::optional<T>>::encode(out, filter.value); }
  static void schema(Schema& schema) { detail::described_schema<T>(schema, F::description); }
};

// Calls `each` with the parts of a parameter that may be repeated or have several values separated by commas.
void split_parameter(JsonValue value, FunctionRef<void(std::string_view)> each);

template <class E, Literal Description, Literal Name>
struct Codec<OneOf<E, Description, Name>> : PlainCodec {
  static constexpr bool required = false;
  static void decode(JsonValue value, OneOf<E, Description, Name>& out, Decoder& decoder) {
    split_parameter(value, [&](std::string_view part) {
      const auto found = named<E>(part);
      if (!found) return decoder.problem("must be one or several of " + names_of<E>());
      if (std::find(out.value.begin(), out.value.end(), *found) == out.value.end()) out.value.push_back(*found);
    });
    std::sort(out.value.begin(), out.value.end());  // so that a cursor holds whatever the order of the values is
  }
  static void encode(std::string& out, const OneOf<E, Description, Name>& filter) {
    Codec<std::vector<E>>::encode(out, filter.value);
  }
  static void schema(Schema& schema) { detail::described_schema<std::vector<E>>(schema, Description.view()); }
};

template <Literal... Names>
struct Codec<SortBy<Names...>> : PlainCodec {
  static constexpr bool required = false;
  static void decode(JsonValue value, SortBy<Names...>& out, Decoder& decoder) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) text = "";
    out.descending = text.starts_with('-');
    if (out.descending) text.remove_prefix(1);
    const auto& names = SortBy<Names...>::names;
    out.index = static_cast<std::size_t>(std::find(names.begin(), names.end(), text) - names.begin());
    if (out.index < names.size()) return;
    out = {};
    decoder.problem(fmt::format("must be one of {}, or one of them after a -", fmt::join(names, ", ")));
  }
  static void encode(std::string& out, const SortBy<Names...>& sort) {
    json::append_string(out, fmt::format("{}{}", sort.descending ? "-" : "", SortBy<Names...>::names[sort.index]));
  }
  static void schema(Schema& schema) {
    json::ObjectWriter type(schema.out);
    type.add("type", "string");
    type.add("description", "The order of the list; - means descending.");
    type.add("default", fmt::format("-{}", SortBy<Names...>::names.front()));
    json::ArrayWriter list(type.key("enum"));
    for (const std::string_view name : SortBy<Names...>::names) {
      list.add(name);
      list.add(fmt::format("-{}", name));
    }
  }
};

void decode_metadata_filter(JsonValue value, std::optional<std::string>& entry, Decoder& decoder);

template <Literal Table>
struct Codec<HasMetadata<Table>> : PlainCodec {
  static constexpr bool required = false;
  static void decode(JsonValue value, HasMetadata<Table>& out, Decoder& decoder) {
    decode_metadata_filter(value, out.entry, decoder);
  }
  static void encode(std::string& out, const HasMetadata<Table>& filter) {
    Codec<std::optional<std::string>>::encode(out, filter.entry);
  }
  static void schema(Schema& schema) {
    schema.raw(R"({"type":"object","maxProperties":1,"additionalProperties":{"type":"string"},)"
               R"("description":"Records that have this value under this key of their metadata."})");
  }
};

namespace api {

using PageLimit = Bounded<1, 200>;
constexpr std::int64_t page_limit_default = 50;

struct ListParams {
  std::optional<PageLimit> limit;
  std::optional<ListCursor> cursor;
  std::optional<bool> total;  // the number of all records that match is given, too

  std::int64_t size() const { return limit ? limit->value : page_limit_default; }
};
BOOST_DESCRIBE_STRUCT(ListParams, (), (limit, cursor, total))

std::string list_mark(std::string_view query_type, const FilterValues& filters, std::string_view sort);

template <std::derived_from<ListParams> Q>
std::string list_mark(const Q& query) {
  std::string sort;
  Codec<decltype(query.sort)>::encode(sort, query.sort);
  return list_mark(detail::type_name<Q>(), values_of_filters(query), sort);
}

// Refuses a cursor of another list, of other filters or of another order.
template <std::derived_from<ListParams> Q>
void check(const Q& query, Decoder& decoder) {
  if (!query.cursor || !decoder.ok() || query.cursor->mark == list_mark(query)) return;
  decoder.problem(Problem{"cursor", "must be a nextCursor of this list with the same filters and sort"});
}

}  // namespace api
}  // namespace guildhall
