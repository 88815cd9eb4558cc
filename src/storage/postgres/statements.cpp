#include "storage/postgres/statements.h"

#include <charconv>
#include <regex>

namespace guildhall {
namespace {

// A query's parameters in the form that libpq expects: text, whose types the server infers from the statement.
class TextParams {
 public:
  explicit TextParams(const std::vector<Value>& params) : numbers_(params.size()), pointers_(params.size()) {
    for (std::size_t i = 0; i < params.size(); ++i) pointers_[i] = text_of(params[i], numbers_[i]);
  }

  int count() const { return static_cast<int>(pointers_.size()); }
  const char* const* pointers() const { return pointers_.data(); }

 private:
  using Number = std::array<char, 32>;

  template <class T>
  static const char* print(T number, Number& space) {
    *std::to_chars(space.data(), space.data() + space.size() - 1, number).ptr = '\0';
    return space.data();
  }

  static const char* text_of(const Value& value, Number& space) {
    if (const auto* text = std::get_if<std::string>(&value)) return text->c_str();
    if (const auto* number = std::get_if<std::int64_t>(&value)) return print(*number, space);
    if (const auto* number = std::get_if<double>(&value)) return print(*number, space);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "t" : "f";
    return nullptr;
  }

  std::vector<Number> numbers_;
  std::vector<const char*> pointers_;
};

// A statement that runs another one for each element of its parameters, which are arrays. OFFSET 0 keeps PostgreSQL
// from joining them in another way: each run uses the index that a single one uses.
std::string text_for_many(const Sql& sql, std::size_t params) {
  static const std::regex parameter(R"(\$(\d+))");
  std::string arrays, names;
  for (std::size_t i = 1; i <= params; ++i) {
    arrays += fmt::format("{}CAST(${} AS text[])", i == 1 ? "" : ", ", i);
    names += fmt::format("p{}, ", i);
  }
  return fmt::format(
      "SELECT found.*, wanted.use FROM unnest({}) WITH ORDINALITY AS wanted({}use), LATERAL ({} OFFSET 0) AS found",
      arrays, names, std::regex_replace(sql.text, parameter, "wanted.p$1"));
}

// The texts at one place of the parameters, as PostgreSQL writes an array.
std::string array_of(std::span<const Query* const> uses, std::size_t place) {
  std::string array = "{";
  for (const Query* use : uses) {
    if (array.size() > 1) array += ',';
    array += '"';
    for (const char character : std::get<std::string>(use->params[place])) {
      if (character == '"' || character == '\\') array += '\\';
      array += character;
    }
    array += '"';
  }
  return array + '}';
}

}  // namespace

PgStatements::Sent PgStatements::send(PGconn* connection, const Query& query, std::size_t times) {
  const auto text = [&] {
    return times == 1 ? query.sql->text : text_with_rows(*query.sql, query.params.size() / times, times);
  };
  return send(connection, name(*query.sql, times), text, query.params);
}

PgStatements::Sent PgStatements::send_together(PGconn* connection, std::span<const Query* const> uses) {
  const Sql& sql = *uses.front()->sql;
  const std::size_t count = uses.front()->params.size();
  std::vector<Value> arrays;
  for (std::size_t place = 0; place < count; ++place) arrays.emplace_back(array_of(uses, place));
  return send(
      connection, together_names_[&sql], [&] { return text_for_many(sql, count); }, arrays);
}

PgStatements::Sent PgStatements::send(PGconn* connection, std::string& name, FunctionRef<std::string()> text,
                                      const std::vector<Value>& params) {
  const bool fresh = name.empty();
  if (fresh) {
    name = fmt::format("s{}", ++last_name_);
    if (PQsendPrepare(connection, name.c_str(), text().c_str(), 0, nullptr) != 1) return Sent::failed;
  }
  const TextParams texts(params);
  if (PQsendQueryPrepared(connection, name.c_str(), texts.count(), texts.pointers(), nullptr, nullptr, 0) != 1) {
    return Sent::failed;
  }
  return fresh ? Sent::prepare_and_statement : Sent::statement;
}

}  // namespace guildhall
