#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "storage/record.h"
#include "storage/tables.h"

// Checks rows of an export, which anybody may have written, with the record types of the program. A row must be
// readable as the record of its table, and each member must be within the limits of its type. Where the API has input
// types for the record, the record must also be valid as such an input.
namespace guildhall {

using Problems = std::vector<Problem>;

// A row whose columns are the members of a record type. `places` are the places of these columns in the table.
class ExportedRow final : public Row {
 public:
  ExportedRow(const Table::Values& values, const std::vector<std::size_t>& places) : values_(values), places_(places) {}

  bool is_null(int column) const override { return std::holds_alternative<std::monostate>(at(column)); }
  bool boolean(int column) const override { return required<bool>(column); }
  std::int64_t integer(int column) const override { return required<std::int64_t>(column); }
  double real(int column) const override { return required<double>(column); }
  std::string_view text(int column) const override { return required<std::string>(column); }

 private:
  const Value& at(int column) const { return values_[places_[static_cast<std::size_t>(column)]]; }

  template <class T>
  const T& required(int column) const {
    const T* value = std::get_if<T>(&at(column));
    if (value == nullptr) throw std::runtime_error(is_null(column) ? "must not be null" : "is of another type");
    return *value;
  }

  const Table::Values& values_;
  const std::vector<std::size_t>& places_;
};

// The places of the fields' columns in the table. Throws std::logic_error if the table does not have one of them.
std::vector<std::size_t> places_in(const Table& table, std::span<const Field> fields);

// Calls `action`, and adds what it throws to the problems of the field. For a Failure these are all of its details.
void collect_problems(std::string_view field, Problems& problems, FunctionRef<void()> action);

namespace detail {

template <class M>
struct Unhidden {
  using Type = M;
  static const M& of(const M& member) { return member; }
};

template <class T>
struct Unhidden<Hidden<T>> {
  using Type = T;
  static const T& of(const Hidden<T>& member) { return member.value; }
};

// Text that no input can contain, such as an encrypted secret, is not subject to the API's limit of text.
template <class M>
constexpr bool is_internal_text =
    std::is_same_v<M, Hidden<std::string>> || std::is_same_v<M, Hidden<std::optional<std::string>>>;

template <class T>
constexpr bool is_time = std::is_same_v<T, Instant> || std::is_same_v<T, std::optional<Instant>>;

// Throws Failure invalid if the member is JSON that is stored as received, and its text is not JSON.
template <class T>
void require_json(const T& member) {
  if constexpr (std::is_same_v<T, RawJson> || std::is_same_v<T, JsonObject> || std::is_same_v<T, Metadata>) {
    decode_stored(member.text, [](JsonValue, Decoder&) {});
  } else if constexpr (std::is_same_v<T, std::optional<RawJson>> || std::is_same_v<T, std::optional<JsonObject>>) {
    if (member) require_json(*member);
  }
}

// Reads the record from the row, or adds the columns that cannot be read to the problems.
template <Declared Record>
Record read_exported(const ExportedRow& row, Problems& problems) {
  Record record{};
  int place = 0;
  boost::mp11::mp_for_each<Members<Record>>([&](auto member) {
    using M = std::remove_cvref_t<decltype(record.*member.pointer)>;
    const int column = place++;
    collect_problems(member.name, problems, [&] {
      record.*member.pointer = Column<M>::read(row, column);
      require_json(Unhidden<M>::of(record.*member.pointer));
    });
  });
  return record;
}

// Encodes each member, hidden ones included, and decodes it again, which checks the limits of its type.
template <Declared Record>
Problems member_problems(const Record& record) {
  const std::string text = json::write_object([&](json::ObjectWriter& object) {
    boost::mp11::mp_for_each<Members<Record>>([&](auto member) {
      using M = std::remove_cvref_t<decltype(record.*member.pointer)>;
      Codec<typename Unhidden<M>::Type>::encode(object.key(member.name), Unhidden<M>::of(record.*member.pointer));
    });
  });
  Problems problems = decode_leniently(
      text,
      [&](JsonValue document, Decoder& decoder) {
        boost::mp11::mp_for_each<Members<Record>>([&](auto member) {
          using M = std::remove_cvref_t<decltype(record.*member.pointer)>;
          using T = typename Unhidden<M>::Type;
          if constexpr (!is_internal_text<M>) {
            T decoded{};
            const Decoder::Step step(decoder, member.name);
            Codec<T>::decode(document[member.name].value(), decoded, decoder);
            if constexpr (is_time<T>) {  // a year of more than four digits has no text
              if (decoded != Unhidden<M>::of(record.*member.pointer))
                decoder.problem("is not a time before the year 10000");
            }
          }
        });
      },
      Decoder::Unknown::ignored);
  // Columns contain blank text where there is no value, such as a payment without an order.
  std::erase_if(problems, [](const Problem& problem) { return problem.message == "is required"; });
  return problems;
}

template <Coded Input, Declared Record>
Problems input_problems(const Record& record) {
  return decode_leniently(
      to_json(record),
      [](JsonValue document, Decoder& decoder) {
        Input input{};
        Codec<Input>::decode(document, input, decoder);
        if constexpr (requires { check(input, decoder); }) {
          if (decoder.ok()) check(input, decoder);
        }
      },
      Decoder::Unknown::ignored);
}

void append(Problems& problems, Problems more);

}  // namespace detail

// Reads a record from a row of its table and checks it. `Inputs` are the API's input types of the record. The record is
// complete only if there are no problems.
template <Declared Record, Coded... Inputs>
Record checked_record(const ExportedRow& row, Problems& problems) {
  Record record = detail::read_exported<Record>(row, problems);
  if (!problems.empty()) return record;
  collect_problems("", problems, [&] {
    detail::append(problems, detail::member_problems(record));
    (detail::append(problems, detail::input_problems<Inputs>(record)), ...);
    if constexpr (sizeof...(Inputs) > 0) require_size(record);
  });
  return record;
}

}  // namespace guildhall
