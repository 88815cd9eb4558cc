#pragma once

#include "http/page.h"
#include "http/write_once.h"

// What the handlers of most resources do, in one place each. A handler that does more than its resource's own action
// is written out instead.
namespace guildhall::http {

// GET of one. Throws not_found, naming the kind of record.
template <class Record>
Task<Reply> find_one(Database& db, Select<Record> select, std::string_view kind) {
  const auto record = co_await db.one(std::move(select));
  if (!record) throw not_found(kind);
  co_return record_reply(200, *record);
}

// GET of many: a page of what `after(tenant, position, limit)` selects.
template <class After>
Task<Reply> list_page(const Call& call, Database& db, After after) {
  const auto query = call.query<ListQuery>();
  auto records = co_await db.all(after(call.tenant, position_of(query), query.size() + 1));
  co_return json_reply(200, page_of(std::move(records), query.size()));
}

// Of records that may be large: the page ends early when its records have come to this, and the cursor leads on.
constexpr std::size_t page_bytes_max = 4 * 1024 * 1024;

template <class After>
Task<Reply> list_large(const Call& call, Database& db, After after) {
  constexpr std::int64_t rows_a_read = 16;
  const auto query = call.query<ListQuery>();
  Position position = position_of(query);
  Page<decltype(after(call.tenant, position, 0).read(std::declval<const Row&>()))> page;
  std::size_t bytes = 0;
  for (bool ended = false; !ended && !page.next_cursor;) {
    auto some = co_await db.all(after(call.tenant, position, rows_a_read));
    ended = some.size() < rows_a_read;
    for (auto& record : some) {
      if (std::ssize(page.items) == query.size() || bytes >= page_bytes_max) {
        page.next_cursor = position.cursor();
        break;
      }
      position = {record.created_at, record.id.text()};
      bytes += to_json(record).size();
      page.items.push_back(std::move(record));
    }
  }
  co_return json_reply(200, page);
}

// POST: `create(tx, input)` returns the new record.
template <class New, class Create>
Task<Reply> create_one(const Call& call, Database& db, Create create) {
  const auto input = call.body<New>();
  co_return co_await write_once(call, db, [&](Tx& tx) { return record_reply(201, create(tx, input)); });
}

// PATCH: `change(tx, edit)` reads the record, lets `edit` change it (or throw), and returns it as written.
template <class Patch, class Change>
Task<Reply> patch_one(const Call& call, Database& db, Change change) {
  const auto patch = call.body<Patch>();
  const auto edit = [&](auto& record) {
    call.require_match(record.version);
    if constexpr (requires { apply(patch, record, call.now); }) {
      apply(patch, record, call.now);
    } else {
      apply(patch, record);
    }
  };
  co_return co_await write_once(call, db, [&](Tx& tx) { return record_reply(200, change(tx, edit)); });
}

// DELETE: `erase(tx, precondition)` reads the record, shows it to `precondition`, which may throw, and deletes it.
template <class Erase>
Task<Reply> delete_one(const Call& call, Database& db, Erase erase) {
  const auto precondition = [&](const auto& record) { call.require_match(record.version); };
  co_return co_await write_once(call, db, [&](Tx& tx) {
    erase(tx, precondition);
    return no_content();
  });
}

}  // namespace guildhall::http
