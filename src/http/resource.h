#pragma once

#include "http/page.h"
#include "http/write_once.h"
#include "storage/record.h"
#include "storage/shown_row.h"

// What the handlers of most resources do, in one place each. A handler that does more than its resource's own action
// is written out instead.
namespace guildhall::http {

template <class Record>
Select<ShownRow> as_shown(Select<Record> select) {
  if (select.read != read_row<Record>) throw std::logic_error("not a select of whole rows: " + select.query.sql->text);
  return {std::move(select.query), show_row<Record>};
}

// GET of one whole row. Throws not_found, naming the kind of record.
template <class Record>
Task<Reply> find_one(Database& db, Select<Record> select, std::string_view kind) {
  auto shown = co_await db.one(as_shown(std::move(select)));
  if (!shown) throw not_found(kind);
  Reply reply{.status = 200};
  reply.body = std::move(shown->json.text);
  co_return std::move(reply).with("ETag", etag(shown->version));
}

// GET of many whole rows: a page of what `after(tenant, position, limit)` selects.
template <class After>
Task<Reply> list_page(const Call& call, Database& db, After after) {
  const auto query = call.query<ListQuery>();
  auto rows = co_await db.all(as_shown(after(call.tenant, query.start(), query.size() + 1)));
  Page<RawJson> page;
  for (ShownRow& row : rows) {
    if (std::ssize(page.items) == query.size()) {  // the one too many only tells that there is more
      const ShownRow& last = rows[page.items.size() - 1];
      page.next_cursor = Position{last.created_at, last.id}.cursor();
      break;
    }
    page.items.push_back(std::move(row.json));
  }
  co_return json_reply(200, page);
}

// Of records that may be large: the page ends early when its records have come to this, and the cursor leads on.
constexpr std::size_t page_bytes_max = 4 * 1024 * 1024;

template <class After>
Task<Reply> list_large(const Call& call, Database& db, After after) {
  constexpr std::int64_t rows_a_read = 16;
  const auto query = call.query<ListQuery>();
  Position position = query.start();
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

// A write, at most once for an Idempotency-Key, that is answered with the record that `write(tx)` returns. Without a
// key the answer is made outside the transaction: on SQLite everybody waits for the one thread that writes.
template <class Write>
Task<Reply> write_record(const Call& call, Database& db, int status, Write write) {
  if (!call.request.has_header("idempotency-key")) co_return record_reply(status, co_await db.write(write));
  co_return co_await write_once(call, db, [&](Tx& tx) { return record_reply(status, write(tx)); });
}

// POST: `create(tx, input)` returns the new record.
template <class New, class Create>
Task<Reply> create_one(const Call& call, Database& db, Create create) {
  const auto input = call.body<New>();
  co_return co_await write_record(call, db, 201, [&](Tx& tx) {
    auto record = create(tx, input);
    // A record is never twice as large as its body, so that most need not be measured.
    if (call.request.body.size() > record_bytes_max / 2) require_size(record);
    return record;
  });
}

// Throws what is wrong with the fields of a body, and what is wrong with the record that the rest of it would make.
// `change` is called with a reading transaction: its `edit` throws before anything is written.
template <class Change, class Edit>
Task<> refuse_patch(Database& db, const std::vector<Problem>& problems, const Change& change, const Edit& edit) {
  try {
    co_await db.read([&](Tx& tx) {
      change(tx, edit);
      return true;
    });
  } catch (const Failure& failure) {
    if (failure.kind != Failure::Kind::not_found) throw;  // a wrong body comes before an unknown record
  }
  throw invalid_fields(problems);
}

// PATCH: `change(tx, edit)` reads the record, lets `edit` change it (or throw), and returns it as written.
template <class Patch, class Change>
Task<Reply> patch_one(const Call& call, Database& db, Change change) {
  const PartialBody<Patch> patch = call.partial_body<Patch>();
  const auto edit = [&](auto& record) {
    throw_all(patch.problems, [&] {
      if constexpr (requires { apply(patch.value, record, call.now); }) {
        apply(patch.value, record, call.now);
      } else {
        apply(patch.value, record);
      }
    });
    call.require_match(record.version);
  };
  if (!patch.problems.empty()) co_await refuse_patch(db, patch.problems, change, edit);
  co_return co_await write_record(call, db, 200, [&](Tx& tx) { return change(tx, edit); });
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
