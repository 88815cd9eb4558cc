#include "api/list.h"

#include <deque>

#include "storage/list_reader.h"

namespace guildhall::api {
namespace {

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

}  // namespace

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
    bool is_full = false;
    const auto add = [&](FunctionRef<void(std::string&)> append_record, const ListPlace& place) {
      is_full = is_full || !page.add(append_record);
      if (!is_full) last = place;
    };
    const bool in_order = reader.reads_in_order();
    const std::int64_t wanted = page.room() + 1;  // the extra row tells if there is a next page
    const bool goes_on = reader.read(wanted, [&](const Row& row, const ListPlace& place) {
      if (in_order) return add([&](std::string& out) { append(out, row); }, place);
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
    for (const ReadRecord& record : records) add([&](std::string& out) { out += record.json; }, record.place);
    if (is_full) return finished(last);
    if (!goes_on) return finished(reader.next());
  }
}

}  // namespace guildhall::api
