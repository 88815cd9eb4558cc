#include "storage/postgres/statements.h"

#include <charconv>

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

}  // namespace

PgStatements::Sent PgStatements::send(PGconn* connection, const Query& query) {
  auto [entry, fresh] = names_.try_emplace(query.sql);
  if (fresh) {
    entry->second = fmt::format("s{}", ++last_name_);
    if (PQsendPrepare(connection, entry->second.c_str(), query.sql->text.c_str(), 0, nullptr) != 1) {
      return Sent::failed;
    }
  }
  TextParams params(query.params);
  if (PQsendQueryPrepared(connection, entry->second.c_str(), params.count(), params.pointers(), nullptr, nullptr, 0) !=
      1) {
    return Sent::failed;
  }
  return fresh ? Sent::prepare_and_statement : Sent::statement;
}

}  // namespace guildhall
