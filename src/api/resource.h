#pragma once

#include "api/idempotency.h"
#include "api/page.h"
#include "storage/encoded_row.h"
#include "storage/record.h"

// What the handlers of most resources do, in one place each. A handler that does more than its resource's own action
// is written out instead.
namespace guildhall::api {

template <class Record>
Select<EncodedRow> as_shown(Select<Record> select) {
  if (select.read != read_row<Record>) throw std::logic_error("not a select of whole rows: " + select.query.sql->text);
  return {std::move(select.query), encode_row<Record>};
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

// Where a list goes on after a record, for lists by time of creation.
struct ByCreation {
  template <class Record>
  Position operator()(const Record& record) const {
    if constexpr (std::is_convertible_v<decltype(record.id), std::string>) {
      return {record.created_at, record.id};
    } else {
      return {record.created_at, record.id.text()};
    }
  }
};

struct EncodeRecord {
  void operator()(std::string& out, const EncodedRow& row) const { out += row.json.text; }
  template <class Record>
  void operator()(std::string& out, const Record& record) const {
    Codec<Record>::encode(out, record);
  }
};

// Reads a page inside a reading transaction: up to `limit` records of `after(position, rows)`, fewer when they are
// large. Few rows are read at a time, so that large ones never fill the memory.
template <class Place, class After, class PositionOf, class Encode = EncodeRecord>
std::string page_text(Tx& tx, std::int64_t limit, Place position, After after, PositionOf position_of,
                      Encode encode = {}) {
  constexpr std::int64_t rows_a_read = 32;
  PageWriter page(limit);
  while (true) {
    const std::int64_t wanted = std::min(rows_a_read, page.room() + 1);  // the one too many tells that there is more
    const auto records = tx.all(after(position, wanted));
    for (const auto& record : records) {
      if (!page.add([&](std::string& out) { encode(out, record); })) return std::move(page).finish(position.cursor());
      position = position_of(record);
    }
    if (std::ssize(records) < wanted) return std::move(page).finish(std::nullopt);
  }
}

// GET of a page. It runs off the loop, since up to 4 MiB are read and encoded.
template <class Place, class After, class PositionOf = ByCreation>
Task<Reply> read_page(Database& db, std::int64_t limit, Place start, After after, PositionOf position_of = {}) {
  Reply reply;
  reply.body = co_await db.read([&](Tx& tx) { return page_text(tx, limit, start, after, position_of); });
  co_return reply;
}

template <class After, class PositionOf = ByCreation>
Task<Reply> read_page(Database& db, ListQuery query, After after, PositionOf position_of = {}) {
  co_return co_await read_page(db, query.size(), query.start(), after, position_of);
}

// GET of many whole rows: a page of what `after(tenant, position, rows)` selects.
template <class After>
Task<Reply> list_page(const Call& call, Database& db, After after) {
  co_return co_await read_page(db, call.query<ListQuery>(), [&](const Position& position, std::int64_t rows) {
    return as_shown(after(call.tenant, position, rows));
  });
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
// Nothing is written, since `edit` throws.
template <class Change, class Edit>
Task<> refuse_patch(Database& db, const std::vector<Problem>& problems, const Change& change, const Edit& edit) {
  try {
    co_await db.write([&](Tx& tx) { change(tx, edit); });
  } catch (const Failure& failure) {
    if (failure.kind != Failure::Kind::not_found) throw;  // a wrong body comes before an unknown record
  }
  throw invalid_fields(problems);
}

// PATCH: `change(tx, edit)` reads the record, lets `edit` change it (or throw), and returns it as written.
template <class Patch, class Change>
Task<Reply> patch_one(const Call& call, Database& db, Change change) {
  const Partial<Patch> patch = call.partial_body<Patch>();
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

}  // namespace guildhall::api
