#include "storage/columns.h"

#include "support/engines.h"

namespace guildhall {
namespace {

using namespace std::literals;

struct Parcel {
  std::string id;
  TenantId tenant_id;
  std::string label;
  Hidden<std::int64_t> version;
  std::optional<Cents> price;
};
BOOST_DESCRIBE_STRUCT(Parcel, (), (id, tenant_id, label, version, price))

const Sql make_parcels{
    "CREATE TABLE parcels (id text NOT NULL, tenant_id text NOT NULL, label text NOT NULL, version bigint NOT NULL,"
    " price bigint, CONSTRAINT parcels_pkey PRIMARY KEY (tenant_id, id))"};
const Sql insert_parcel{"INSERT INTO parcels (" + columns<Parcel>() + ") VALUES (" + placeholders<Parcel>() +
                        ") ON CONFLICT (tenant_id, id) DO NOTHING"};
const Sql update_parcel{versioned_update<Parcel>("parcels")};
const Sql select_parcel{"SELECT " + columns<Parcel>() + " FROM parcels WHERE tenant_id = $1 AND id = $2"};

Select<Parcel> parcel_of(const TenantId& tenant) {
  return {{&select_parcel, params(tenant, "p"s)}, read_row<Parcel>};
}

class VersionedUpdates : public test::OnEachEngine {
 protected:
  VersionedUpdates() {
    storage->write_now([&](Tx& tx) {
      tx.run({&make_parcels, {}});
      write_versioned(tx, insert_parcel, mine);
      write_versioned(tx, insert_parcel, others);
    });
  }

  Parcel mine{.id = "p", .tenant_id = TenantId("mine"sv), .label = "first", .version = {0}, .price = Cents(5)};
  Parcel others{.id = "p", .tenant_id = TenantId("others"sv), .label = "first", .version = {0}, .price = {}};
};
INSTANTIATE_TEST_SUITE_P(Engines, VersionedUpdates, test::engines, test::engine_name);

TEST(VersionedUpdate, is_derived_from_the_description_of_the_record) {
  EXPECT_EQ(update_parcel.text,
            "UPDATE parcels SET label = $3, version = $4, price = $5"
            " WHERE id = $1 AND tenant_id = $2 AND version = $4 - 1");
  EXPECT_EQ(versioned_update<Parcel>("parcels", 1),
            "UPDATE parcels SET tenant_id = $2, label = $3, version = $4, price = $5"
            " WHERE id = $1 AND version = $4 - 1");
}

TEST_P(VersionedUpdates, write_every_column_of_that_record_alone) {
  storage->write_now([&](Tx& tx) {
    mine.label = "second";
    mine.price.reset();
    write_versioned(tx, update_parcel, mine);
  });
  EXPECT_EQ(mine.version, 2);
  storage->read_now([&](Tx& tx) {
    EXPECT_EQ(values_of(*tx.one(parcel_of(mine.tenant_id))), values_of(mine));
    EXPECT_EQ(values_of(*tx.one(parcel_of(others.tenant_id))), values_of(others));
  });
}

TEST_P(VersionedUpdates, refuse_a_record_that_has_been_written_since_it_was_read) {
  Parcel stale = mine;
  stale.label = "stale";
  storage->write_now([&](Tx& tx) {
    write_versioned(tx, update_parcel, mine);
    EXPECT_THROW(write_versioned(tx, update_parcel, stale), WriteRace);
  });
  storage->read_now([&](Tx& tx) { EXPECT_EQ(tx.one(parcel_of(mine.tenant_id))->label, "first"); });
}

TEST_P(VersionedUpdates, refuse_an_insert_of_a_record_that_exists) {
  Parcel again = others;
  storage->write_now([&](Tx& tx) { EXPECT_THROW(write_versioned(tx, insert_parcel, again), WriteRace); });
}

}  // namespace
}  // namespace guildhall
