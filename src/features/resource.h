#pragma once

#include "api/list.h"
#include "api/resource.h"
#include "api/route.h"
#include "features/action.h"
#include "features/records.h"

namespace guildhall {

// The sentences about a resource in the API's description. Those that are empty follow from its noun: "Create a
// product", "The new product.".
struct ResourceTexts {
  std::string_view create{}, created{}, list{}, page{}, find{}, found{}, change{}, changed{}, erase{}, erased{};
};

ResourceTexts completed(ResourceTexts texts, std::string_view noun);

// The usual five routes of a resource. Define it as a static constant. `Edited` is what a PATCH is applied to: the
// record, unless `edit` makes something else of it.
template <class NewRecord, class RecordPatch, class Query, class Edited = typename NewRecord::Record>
struct Resource {
  using Record = typename NewRecord::Record;
  using Id = decltype(Record::id);
  using Call = api::Call;

  std::string_view path;  // "/api/data/product"
  std::string_view noun;  // "product"
  const Records<Record>& records;
  const Listing& (*listing)();
  Record (*create)(const ActionContext&, const NewRecord&);
  // The actions of PATCH and DELETE; null: those of `records`.
  Record (*change)(const ActionContext&, const Id&, FunctionRef<void(Record&)> edit) = nullptr;
  void (*erase)(const ActionContext&, const Id&, FunctionRef<void(const Record&)> precondition) = nullptr;

  // What depends on the caller; null: nothing. A resource that needs more has handlers of its own.
  void (*before_create)(Tx&, const Call&, const NewRecord&) = nullptr;
  void (*edit)(Tx&, const Call&, Record&, FunctionRef<void(Edited&)> apply_patch) = nullptr;
  ResourceTexts texts{};

  std::vector<api::Route> routes(Database& db, const Events& events) const {
    using api::Access, api::route, http::Method;
    const ResourceTexts words = completed(texts, noun);
    const std::string one = std::string(path) + "/:id";
    const auto post = [this, &db, &events](Call& call) {
      return api::create_one<NewRecord>(call, db, [this, &call, &events](Tx& tx, const NewRecord& input) {
        if (before_create != nullptr) before_create(tx, call, input);
        return create(action_of(call, tx, events), input);
      });
    };
    const auto page = [this, &db](Call& call) { return api::list_records<Query, Record>(call, db, listing()); };
    const auto get = [this, &db](Call& call) {
      return api::find_one(db, records.by_id(call.tenant, Id(call.param(0))), records.name);
    };
    const auto patch = [this, &db, &events](Call& call) {
      return api::patch_one<RecordPatch>(call, db, [this, &call, &events](Tx& tx, const auto& apply_patch) {
        const ActionContext context = action_of(call, tx, events);
        const auto edit_record = [&](Record& record) {
          if constexpr (std::is_same_v<Edited, Record>) {
            if (edit == nullptr) return apply_patch(record);
          }
          edit(tx, call, record, apply_patch);
        };
        const Id id(call.param(0));
        return change != nullptr ? change(context, id, edit_record) : records.change(context, id, edit_record);
      });
    };
    const auto del = [this, &db, &events](Call& call) {
      return api::delete_one(call, db, [this, &call, &events](Tx& tx, const auto& precondition) {
        const ActionContext context = action_of(call, tx, events);
        const Id id(call.param(0));
        erase != nullptr ? erase(context, id, precondition) : void(records.erase(context, id, precondition));
      });
    };
    return {
        route(Method::post, path, Access::data_write, words.create, post)
            .template takes<NewRecord>()
            .template gives<Record>(201, words.created),
        route(Method::get, path, Access::data_read, words.list, page)
            .template takes_query<Query>()
            .template gives<api::ListPage<Record>>(200, words.page),
        route(Method::get, one, Access::data_read, words.find, get).template gives<Record>(200, words.found),
        route(Method::patch, one, Access::data_write, words.change, patch)
            .template takes<RecordPatch>()
            .template gives<Record>(200, words.changed),
        route(Method::del, one, Access::data_write, words.erase, del).gives(204, words.erased),
    };
  }
};

}  // namespace guildhall
