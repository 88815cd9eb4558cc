#include "api/list.h"

#include <charconv>
#include <deque>

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

constexpr std::size_t mark_bytes = 9;
constexpr std::size_t mark_characters = mark_bytes / 3 * 4;

std::string value_text(const Value& value) {
  struct Text {
    std::string operator()(std::monostate) const { return "-"; }
    std::string operator()(const std::string& text) const { return fmt::format("{}:{}", text.size(), text); }
    std::string operator()(bool flag) const { return flag ? "t" : "f"; }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
  };
  return std::visit(Text{}, value);
}

struct ReadRecord {
  std::string_view json;
  ListPlace place;
};

// Keeps the texts of records in pieces that do not grow, so that many small ones need few allocations, and large ones
// no more memory than they have bytes.
class RecordTexts {
 public:
  std::string_view add(std::string_view text) {
    if (pieces_.empty() || pieces_.back().capacity() - pieces_.back().size() < text.size()) {
      pieces_.emplace_back().reserve(std::max(piece_bytes, text.size()));
    }
    std::string& piece = pieces_.back();
    piece += text;
    return std::string_view(piece).substr(piece.size() - text.size());
  }

 private:
  static constexpr std::size_t piece_bytes = 64 * 1024;
  std::deque<std::string> pieces_;
};

// The mark, the length of the key, a colon, the key, the id.
std::optional<ListCursor> parse_cursor(std::string_view cursor) {
  const auto text = from_base64url(cursor);
  if (!text || !is_storable(*text) || text->size() < mark_characters) return std::nullopt;
  const char* const last = text->data() + text->size();
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text->data() + mark_characters, last, length);
  if (error != std::errc() || end == last || *end != ':') return std::nullopt;
  const std::string_view rest(end + 1, last);
  if (rest.size() < length) return std::nullopt;
  return ListCursor{text->substr(0, mark_characters),
                    {std::string(rest.substr(0, length)), std::string(rest.substr(length))}};
}

}  // namespace

std::string ListCursor::text() const {
  return base64url(fmt::format("{}{}:{}{}", mark, place.key.size(), place.key, place.id));
}

void Codec<ListCursor>::decode(JsonValue value, ListCursor& out, Decoder& decoder) {
  std::string_view text;
  auto cursor = value.get(text) == simdjson::SUCCESS ? parse_cursor(text) : std::nullopt;
  if (!cursor) return decoder.problem("must be a nextCursor of this list");
  out = std::move(*cursor);
}

namespace api {

std::string list_mark(std::string_view query_type, const FilterValues& filters, std::string_view sort) {
  std::string text = fmt::format("{} {}", query_type, sort);
  for (const auto& [name, value] : filters.values) {
    if (!std::holds_alternative<std::monostate>(value)) text += fmt::format(" {}={}", name, value_text(value));
  }
  const Sha256 hash = sha256(text);
  return base64url(std::string_view(reinterpret_cast<const char*>(hash.data()), mark_bytes));
}

std::string list_text(Tx& tx, const Listing& listing, const ListRequest& request, std::int64_t records_max,
                      std::string_view mark, const std::optional<ListTotal>& total, AppendRow append) {
  PageWriter page(records_max);
  std::string more;
  if (total) more = fmt::format(R"(,"total":{},"totalIsAtLeast":{})", total->count, total->is_at_least);
  const auto finished = [&](const std::optional<ListPlace>& next) {
    std::optional<std::string> cursor;
    if (next) cursor = ListCursor{std::string(mark), *next}.text();
    return std::move(page).finish(cursor, more);
  };
  ListReader reader(listing, tx, request);
  std::optional<ListPlace> last;
  while (true) {
    std::vector<ReadRecord> records;
    RecordTexts texts;
    std::string text;
    const std::int64_t wanted = page.room() + 1;  // the extra row tells if there is a next page
    const bool goes_on = reader.read(wanted, [&](const Row& row, const ListPlace& place) {
      text.clear();
      append(text, row);
      records.push_back({texts.add(text), place});
    });
    const auto is_before = [&](const ReadRecord& first, const ReadRecord& second) {
      return reader.is_before(first.place, second.place);
    };
    if (!std::is_sorted(records.begin(), records.end(), is_before)) {
      std::stable_sort(records.begin(), records.end(), is_before);
    }
    for (ReadRecord& record : records) {
      if (!page.add([&](std::string& out) { out += record.json; })) return finished(last);
      last = std::move(record.place);
    }
    if (!goes_on) return finished(reader.next());
  }
}

}  // namespace api
}  // namespace guildhall
