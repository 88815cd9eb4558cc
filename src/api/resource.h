#pragma once

#include "api/idempotency.h"
#include "api/page.h"
#include "storage/encoded_row.h"
#include "storage/record.h"

// The common parts of the handlers of most resources. A handler that does more than the action of its resource does not
// use them.
namespace guildhall::api {

template <class Record>
Select<EncodedRow> as_shown(Select<Record> select) {
  if (select.read != read_row<Record>) throw std::logic_error("not a select of whole rows: " + select.query.sql->text);
  return {std::move(select.query), encode_row<Record>};
}

// GET of one record. Throws not_found with the name of the kind of record.
template <class Record>
Task<Reply> find_one(Database& db, Select<Record> select, std::string_view kind) {
  auto shown = co_await db.one(as_shown(std::move(select)));
  if (!shown) throw not_found(kind);
  Reply reply{.status = 200};
  reply.body = std::move(shown->json.text);
  co_return std::move(reply).with("ETag", etag(shown->version));
}

// The position of a record in a list that is sorted by time of creation.
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

// Reads a page inside a reading transaction: up to `limit` records of `after(position, rows)`, or fewer when they are
// large. Reads few rows at a time, so that large rows do not fill the memory.
template <class Place, class After, class PositionOf, class Encode = EncodeRecord>
std::string page_text(Tx& tx, std::int64_t limit, Place position, After after, PositionOf position_of,
                      Encode encode = {}) {
  constexpr std::int64_t rows_a_read = 32;
  PageWriter page(limit);
  while (true) {
    const std::int64_t wanted = std::min(rows_a_read, page.room() + 1);  // the extra row tells if there is a next page
    const auto records = tx.all(after(position, wanted));
    for (const auto& record : records) {
      if (!page.add([&](std::string& out) { encode(out, record); })) return std::move(page).finish(position.cursor());
      position = position_of(record);
    }
    if (std::ssize(records) < wanted) return std::move(page).finish(std::nullopt);
  }
}

// GET of a page. It runs on another thread than the loop's, because up to 4 MiB are read and encoded.
template <class Place, class After, class PositionOf = ByCreation>
Task<Reply> read_page(Database& db, std::int64_t limit, Place start, After after, PositionOf position_of = {}) {
  Reply reply;
  reply.body = co_await db.read_to_show([&](Tx& tx) { return page_text(tx, limit, start, after, position_of); });
  co_return reply;
}

template <class After, class PositionOf = ByCreation>
Task<Reply> read_page(Database& db, ListQuery query, After after, PositionOf position_of = {}) {
  co_return co_await read_page(db, query.size(), query.start(), after, position_of);
}

// GET of a page of the records that `after(tenant, position, rows)` selects.
template <class After>
Task<Reply> list_page(const Call& call, Database& db, After after) {
  co_return co_await read_page(db, call.query<ListQuery>(), [&](const Position& position, std::int64_t rows) {
    return as_shown(after(call.tenant, position, rows));
  });
}

// Runs a write, at most once for an Idempotency-Key, and replies with the record that `write(tx)` returns. Without a
// key the reply is made outside the transaction, because on SQLite all writes wait for one thread.
template <class Write>
Task<Reply> write_record(const Call& call, Database& db, int status, Write write,
                         Database::Reads reads = Database::no_reads) {
  if (!call.request.has_header("idempotency-key")) co_return record_reply(status, co_await db.write(write, reads));
  co_return co_await write_once(
      call, db, [&](Tx& tx) { return record_reply(status, write(tx)); }, reads);
}

// Decodes the body and calls `judge` with it, which throws the problems that depend on more than one field. Throws all
// problems together.
template <class T, class Judge>
T judged_body(const Call& call, Judge judge) {
  Partial<T> body = call.partial_body<T>();
  throw_all(std::move(body.problems), [&] { judge(body.value); });
  return std::move(body.value);
}

// Throws the problems of a body together with those that `judge(tx)` finds in its valid fields.
template <class Judge>
Task<> refuse_body(Database& db, const std::vector<Problem>& problems, Judge judge) {
  co_await db.read([&](Tx& tx) {
    throw_all(problems, [&] { judge(tx); });
    return true;
  });
}

// Throws the problems of a body.
struct RefuseBody {
  template <class New>
  Task<> operator()(const Partial<New>& body) const {
    throw invalid_fields(body.problems);
    co_return;
  }
};

struct ReadNothing {
  std::vector<Query> operator()(const auto& /*input*/) const { return {}; }
};

// POST: `create(tx, input)` returns the new record; `reads_of(input)`, what it will read (Database::Reads). `refuse` is
// called with a body that has wrong fields. It throws them together with the problems that `create` would find.
template <class New, class Create, class ReadsOf = ReadNothing, class Refuse = RefuseBody>
Task<Reply> create_one(const Call& call, Database& db, Create create, ReadsOf reads_of = {}, Refuse refuse = {}) {
  const Partial<New> body = call.partial_body<New>();
  if (!body.problems.empty()) co_await refuse(body);
  const New& input = body.value;
  const auto write = [&](Tx& tx) {
    auto record = create(tx, input);
    // A record is always smaller than twice its body, so that most records need not be measured.
    if (call.request.body.size() > record_bytes_max / 2) require_size(record);
    return record;
  };
  co_return co_await write_record(call, db, 201, write, [&] { return reads_of(input); });
}

// Throws the problems of a body's fields together with those of the record that its valid fields would make. Nothing is
// written, because `edit` throws.
template <class Change, class Edit>
Task<> refuse_patch(Database& db, const std::vector<Problem>& problems, const Change& change, const Edit& edit) {
  try {
    co_await db.write([&](Tx& tx) { change(tx, edit); });
  } catch (const Failure& failure) {
    if (failure.kind != Failure::Kind::not_found) throw;  // an invalid body is reported before an unknown record
  }
  throw invalid_fields(problems);
}

// PATCH: `change(tx, edit)` reads the record, calls `edit` to change it (`edit` may throw), and returns the stored
// record.
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

// DELETE: `erase(tx, precondition)` reads the record, calls `precondition` with it, which may throw, and deletes it.
template <class Erase>
Task<Reply> delete_one(const Call& call, Database& db, Erase erase) {
  const auto precondition = [&](const auto& record) { call.require_match(record.version); };
  co_return co_await write_once(call, db, [&](Tx& tx) {
    erase(tx, precondition);
    return no_content();
  });
}

}  // namespace guildhall::api
