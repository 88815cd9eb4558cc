#include "storage/listing_sql.h"

namespace guildhall {
namespace {

// "k DESC, id DESC". Either column may be empty.
std::string order_by(std::string_view key, std::string_view id, ListDirection direction) {
  std::string columns;
  for (const std::string_view column : {key, id}) {
    if (!column.empty()) columns += fmt::format("{}{} {}", columns.empty() ? "" : ", ", column, direction.word());
  }
  return " ORDER BY " + columns;
}

std::string in_order(const ListSource& source, ListDirection direction) {
  return order_by(source.key, source.is_unique ? "" : source.id, direction);
}

// Several rows of another table can belong to one record.
std::string once(const ListSource& source) {
  return source.is_exact() ? "" : " GROUP BY " + source.id;
}

std::string replaced(std::string text, std::string_view part, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size()) {
    text.replace(at, part.size(), by);
  }
  return text;
}

// The condition that a record of a set is on the page.
std::string place_in_set(const ListSource& sort, ListDirection direction) {
  if (!sort.is_unique) return fmt::format(" AND ({}, id) {} (:after_key, :after_id)", sort.key, direction.beyond());
  return direction.has_place ? fmt::format(" AND {} {} :after_key", sort.key, direction.beyond()) : "";
}

// Makes the statements. The listed record is `e` where filters are applied and `r` where its row is read.
class ListSqlMaker {
 public:
  ListSqlMaker(const ListShape& shape, const std::vector<FilterSql>& filters, const std::vector<ListSource>& sources)
      : shape_(shape), filters_(filters), sources_(sources) {}

  ListStatements make() && {
    for (std::size_t source = 0; source < sources_.size(); ++source) {
      add_counts(source);
      for (const bool has_place : {true, false}) {
        for (const bool descending : {true, false}) {
          add_sets(source, {descending, has_place});
          add_pages(source, {descending, has_place});
        }
      }
    }
    return std::move(made_);
  }

 private:
  std::string conditions(ListApplied applied) const {
    std::string text = "true";
    for (const FilterSql& filter : filters_) {
      const auto& names = shape_.in_index;
      const bool is_in_index = std::find(names.begin(), names.end(), filter.name) != names.end();
      if (applied == ListApplied::all || (applied == ListApplied::in_index && is_in_index))
        text += " AND " + filter.condition;
    }
    return text;
  }

  std::string rows(const ListSource& source) const {
    return fmt::format(" FROM {} e WHERE tenant_id = :tenant AND {}", source.table, source.condition);
  }

  std::string rows_beyond(const ListSource& source, ListDirection direction) const {
    std::string text = rows(source);
    if (source.key.empty()) return text + fmt::format(" AND {} {} :after_id", source.id, direction.beyond());
    if (source.is_unique) {
      return direction.has_place ? text + fmt::format(" AND {} {} :after_key", source.key, direction.beyond()) : text;
    }
    return text + fmt::format(" AND ({0}, {1}) {2} (:after_key, :after_id) AND {0} {3} :end", source.key, source.id,
                              direction.beyond(), direction.descending ? ">=" : "<=");
  }

  // Reads the whole rows of the records whose ids, and values of the order `k`, a subquery has found. They come in no
  // certain order, because SQLite would sort the whole rows; ListReader::is_before gives the order. Only a text is
  // ordered here, since its order is the database's. The constant limit tells PostgreSQL that there are few: it expects
  // a tenth of the table where a limit is a parameter, and would read all records of a large shop to join them.
  std::string shown(const ListSource& source, ListDirection direction, std::string_view keys,
                    std::string_view condition = "") const {
    return fmt::format(
               "SELECT r.{}, r.{}, r.id FROM (SELECT * FROM ({}) AS n LIMIT {}) AS f JOIN {} r"
               " ON r.tenant_id = :tenant AND r.id = f.id",
               replaced(shape_.columns, ", ", ", r."), sort_of(source), keys, list_read_rows_max, shape_.table) +
           (condition.empty() ? "" : fmt::format(" AND {}", condition)) +
           (source.is_unique ? order_by("f.k", "", direction) : "");
  }

  std::string exact(const ListSource& source, ListDirection direction) const {
    const std::string limited = in_order(source, direction) + " LIMIT :rows";
    if (source.is_own) {
      return fmt::format("SELECT {}, {}, id", shape_.columns, sort_of(source)) + rows_beyond(source, direction) +
             limited;
    }
    return shown(source, direction,
                 fmt::format("SELECT {} AS id", source.id) + rows_beyond(source, direction) + once(source) + limited,
                 shape_.condition);
  }

  // One lower limit, because SQLite uses only one of several to find the end in the index.
  std::string near(const ListSource& source, ListDirection direction, ListApplied applied) const {
    return fmt::format(
               "SELECT {0}, {1}, id{2} AND ({3}, id) {4} (:after_key, :after_id) AND ({3}, id) {5}= (:stop_key, "
               ":stop_id)",
               shape_.columns, sort_of(source), rows(source), source.key, direction.beyond(),
               direction.descending ? ">" : "<") +
           fmt::format(" AND {}{} LIMIT :rows", conditions(applied), in_order(source, direction));
  }

  std::string several(const ListSource& source, std::size_t values, ListDirection direction) const {
    const std::string first = fmt::format("SELECT {} AS k, id", source.key) + rows_beyond(source, direction) +
                              in_order(source, direction) + " LIMIT :rows";
    std::string all;
    for (std::size_t i = 1; i <= values; ++i) {
      const std::string& name = source.path->filter;
      all += fmt::format("{}SELECT k, id FROM ({}) AS b{}", i == 1 ? "" : " UNION ALL ",
                         replaced(first, fmt::format(":{}_1", name), fmt::format(":{}_{}", name, i)), i);
    }
    return shown(source, direction,
                 fmt::format("SELECT k, id FROM ({}) AS u", all) + order_by("k", "id", direction) + " LIMIT :rows");
  }

  // The limit after the join keeps the engines from reading the records in the list's order instead, to find those that
  // the source gives.
  std::string walk(const ListSource& source, ListDirection direction, std::int64_t examined,
                   ListApplied applied) const {
    const std::string from = rows_beyond(source, direction) + once(source) + in_order(source, direction) +
                             fmt::format(" LIMIT {}", examined);
    if (source.is_own) {
      return shown(source, direction,
                   fmt::format("SELECT k, id FROM (SELECT {} AS k, id, ({}) AS fits{}) AS w WHERE fits",
                               source.key.empty() ? source.id : source.key, conditions(applied), from) +
                       order_by("k", "id", direction) + " LIMIT :rows");
    }
    return shown(
        source, direction,
        fmt::format("SELECT id FROM (SELECT e.id, ({} AND {}) AS fits FROM (SELECT {} AS found{}) AS w JOIN {} e"
                    " ON e.tenant_id = :tenant AND e.id = w.found LIMIT {}) AS q WHERE fits",
                    shape_.condition, conditions(ListApplied::all), source.id, from, shape_.table, examined) +
            order_by("", "id", direction) + " LIMIT :rows");
  }

  std::string place(const ListSource& source, ListDirection direction) const {
    const std::string limited = once(source) + in_order(source, direction) + " LIMIT 1 OFFSET :skipped";
    if (source.is_own) {
      return fmt::format("SELECT {}, id", sort_of(source)) + rows_beyond(source, direction) + limited;
    }
    return fmt::format("SELECT COALESCE(r.{}, 0), f.id FROM (SELECT {} AS id{}{}) AS f LEFT JOIN {} r", sort_of(source),
                       source.id, rows_beyond(source, direction), limited, shape_.table) +
           " ON r.tenant_id = :tenant AND r.id = f.id";
  }

  std::string set(const ListSource& path, const ListSource& sort, ListDirection direction) const {
    return shown(
        sort, direction,
        fmt::format("SELECT k, id FROM (SELECT {0} AS k, id, ({1} AND {2}{3}) AS fits FROM"
                    " (SELECT {4} AS found{5}{6} LIMIT {7}) AS w JOIN {8} e ON e.tenant_id = :tenant"
                    " AND e.id = w.found LIMIT {7}) AS q WHERE fits",
                    sort.key, shape_.condition, conditions(ListApplied::all), place_in_set(sort, direction), path.id,
                    rows(path), path.is_own ? "" : " GROUP BY " + path.id, list_set_rows_max + 1, shape_.table) +
            order_by("k", "id", direction) + " LIMIT :rows");
  }

  std::string plain_set(const ListSource& path, const ListSource& sort, ListDirection direction) const {
    return shown(sort, direction,
                 fmt::format("SELECT k, id FROM (SELECT {} AS k, id, (true{}) AS fits{} LIMIT {}) AS q WHERE fits",
                             sort.key, place_in_set(sort, direction), rows(path), list_set_rows_max + 1) +
                     order_by("k", "id", direction) + " LIMIT :rows");
  }

  std::string few(const ListSource& path, const ListSource& sort) const {
    return fmt::format("SELECT {}, {}, id{} LIMIT {}", shape_.columns, sort.key, rows(path), list_whole_rows_max);
  }

  std::string set_size(const ListSource& path) const {
    return fmt::format("SELECT COUNT(*) FROM (SELECT 1 AS one{} LIMIT :counted) AS q", rows(path));
  }

  std::string count(const ListSource& source, ListApplied applied) const {
    constexpr std::string_view counts =
        "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN fits THEN 1 ELSE 0 END), 0) AS bigint) FROM";
    if (source.is_own) {
      const std::string range =
          source.key.empty() || source.is_unique ? "" : fmt::format(" AND {0} >= :low AND {0} <= :high", source.key);
      return fmt::format("{} (SELECT ({}) AS fits{}{} LIMIT :examined) AS q", counts, conditions(applied), rows(source),
                         range);
    }
    return fmt::format(
        "{} (SELECT ({} AND {}) AS fits FROM (SELECT {} AS found{} GROUP BY {} LIMIT :examined) AS w JOIN {} e"
        " ON e.tenant_id = :tenant AND e.id = w.found) AS q",
        counts, shape_.condition, conditions(applied), source.id, rows(source), source.id, shape_.table);
  }

  std::string sort_of(const ListSource& source) const {
    return source.path == nullptr ? source.key : sources_.front().key;
  }

  void add(const ListStatement& key, const std::string& text) { made_.try_emplace(key, text); }

  // Only the index of the first order may be examined alone.
  bool can_apply(std::size_t source, ListApplied applied) const {
    return applied != ListApplied::in_index || (source == 0 && !shape_.in_index.empty());
  }

  void add_counts(std::size_t index) {
    const ListSource& source = sources_[index];
    if (source.path != nullptr) add({.kind = ListKind::set_size, .source = index}, set_size(source));
    if (source.path == nullptr && index != 0) return;
    for (const ListApplied applied : {ListApplied::none, ListApplied::in_index, ListApplied::all}) {
      if (!can_apply(index, applied)) continue;
      add({.kind = ListKind::count, .source = index, .applied = applied}, count(source, applied));
    }
  }

  void add_sets(std::size_t index, ListDirection direction) {
    const ListSource& path = sources_[index];
    for (std::size_t i = 0; path.path != nullptr && sources_[i].path == nullptr; ++i) {
      const ListSource& sort = sources_[i];
      if (!direction.has_place && !sort.is_unique) continue;
      ListStatement key{.kind = ListKind::set, .source = index, .sort = i, .direction = direction};
      add(key, set(path, sort, direction));
      if (!path.is_own) continue;
      key.kind = ListKind::plain_set;
      add(key, plain_set(path, sort, direction));
      if (!sort.is_unique) add({.kind = ListKind::few, .source = index, .sort = i}, few(path, sort));
    }
  }

  void add_pages(std::size_t index, ListDirection direction) {
    const ListSource& source = sources_[index];
    if (source.path != nullptr && source.path->order == ListPath::Order::none) return;
    if (!direction.has_place && !source.is_unique) return;
    ListStatement key{.kind = ListKind::exact, .source = index, .direction = direction};
    add(key, exact(source, direction));
    key.kind = ListKind::place;
    add(key, place(source, direction));
    for (const ListApplied applied : {ListApplied::in_index, ListApplied::all}) {
      if (!can_apply(index, applied)) continue;
      key = {.kind = ListKind::near, .source = index, .applied = applied, .direction = direction};
      if (can_read_near(source)) add(key, near(source, direction, applied));
      key.kind = ListKind::walk;
      for (key.step = 0; key.step < (applied == ListApplied::all ? list_row_steps : std::size(list_walk_steps));
           ++key.step) {
        add(key, walk(source, direction, list_walk_steps[key.step], applied));
      }
    }
    if (source.path != nullptr && source.is_own) add_several(index, direction);
  }

  void add_several(std::size_t index, ListDirection direction) {
    for (const FilterSql& filter : filters_) {
      if (filter.name != sources_[index].path->filter) continue;
      ListStatement key{.kind = ListKind::several, .source = index, .values = 2, .direction = direction};
      for (; key.values <= filter.values; ++key.values) {
        add(key, several(sources_[index], key.values, direction));
      }
    }
  }

  const ListShape& shape_;
  const std::vector<FilterSql>& filters_;
  const std::vector<ListSource>& sources_;
  ListStatements made_;
};

}  // namespace

bool can_read_near(const ListSource& source) {
  return source.is_own && !source.is_unique && !source.key.empty();
}

ListStatements list_statements(const ListShape& shape, const std::vector<FilterSql>& filters,
                               const std::vector<ListSource>& sources) {
  return ListSqlMaker(shape, filters, sources).make();
}

}  // namespace guildhall
