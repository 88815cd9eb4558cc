#include "storage/postgres/result.h"

#include <charconv>

namespace guildhall {
namespace {

template <class Number>
Number parse(std::string_view text) {
  Number number{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::runtime_error(fmt::format("PostgreSQL returned no number: {}", text));
  }
  return number;
}

// Results come as text. A null reads as false, 0 or empty, as on SQLite.
class PgRow : public Row {
 public:
  PgRow(PGresult* result, int row) : result_(result), row_(row) {}

  bool is_null(int column) const override { return PQgetisnull(result_, row_, column) == 1; }
  bool boolean(int column) const override { return text(column) == "t"; }
  std::int64_t integer(int column) const override { return is_null(column) ? 0 : parse<std::int64_t>(text(column)); }
  double real(int column) const override { return is_null(column) ? 0 : parse<double>(text(column)); }
  std::string_view text(int column) const override {
    return {PQgetvalue(result_, row_, column), static_cast<std::size_t>(PQgetlength(result_, row_, column))};
  }

 private:
  PGresult* result_;
  int row_;
};

}  // namespace

std::int64_t hand_over(PGresult* result, RowSink sink) {
  if (PQresultStatus(result) == PGRES_TUPLES_OK) {
    int rows = PQntuples(result);
    for (int row = 0; row < rows; ++row) sink(PgRow(result, row));
    return rows;
  }
  std::string_view changed = PQcmdTuples(result);
  return changed.empty() ? 0 : parse<std::int64_t>(changed);
}

PgRows all_rows(PgResult result) {
  const int count = PQntuples(result.get());
  return {.result = std::move(result), .first = 0, .count = count};
}

void hand_over(const PgRows& rows, RowSink sink) {
  for (int i = rows.first; i < rows.first + rows.count; ++i) sink(PgRow(rows.result.get(), i));
}

std::vector<PgRows> rows_of_each(const PgRows& all, std::size_t uses) {
  std::vector<PgRows> each(uses, PgRows{.result = all.result});
  const int last_column = PQnfields(all.result.get()) - 1;
  for (int i = 0; i < all.count; ++i) {
    PgRows& rows = each.at(static_cast<std::size_t>(PgRow(all.result.get(), i).integer(last_column) - 1));
    if (rows.count == 0) rows.first = i;
    if (rows.first + rows.count++ != i) throw std::logic_error("rows of several uses are mixed");
  }
  return each;
}

}  // namespace guildhall
