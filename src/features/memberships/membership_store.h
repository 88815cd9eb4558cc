#pragma once

#include "api/list.h"
#include "features/memberships/membership.h"
#include "storage/database.h"
#include "storage/metadata_index.h"

// All SQL of memberships, their periods and reminders. Codes have a store of their own.
namespace guildhall {

Select<Membership> membership_by_id(const TenantId& tenant, const MembershipId& id);

// The member's membership of these plans, whatever its status.
Select<Membership> membership_of(const TenantId& tenant, const std::string& member_key, const std::string& group_key);

// Let transactions that change the same membership run one after the other, from here to the commit. Payments of one
// member at the same time so wait for each other, where the check of the version would refuse all but one of them.
// Deferred: read the membership afterwards, since it may have changed while this waited. Lock it before its periods
// and entitlements.
void lock_membership(Tx& tx, const TenantId& tenant, const MembershipId& id);
void lock_membership_of(Tx& tx, const TenantId& tenant, const std::string& member_key, const std::string& group_key);

// The latest memberships of a member of the chat server, whatever their status.
Select<Membership> memberships_of_chat_user(const TenantId& tenant, const std::string& chat_user, std::int64_t limit);

struct MembershipQuery : api::ListParams {
  OneOf<MembershipStatus, "Memberships in one of these statuses."> status;
  Is<bool, "Only memberships that are trials, or that are not."> is_trial;
  Is<ProductId, "Memberships whose present plan is this product."> product_id;
  Is<CustomerId, "The memberships of this customer."> customer_id;
  Is<HolderId, "The memberships of this user."> user_id;
  Is<std::string, "The memberships of this member of the chat server."> chat_user_id;
  From<Instant, "expires_at", "Paid until this time or later."> expires_from;
  To<Instant, "expires_at", "Paid until this time or earlier."> expires_to;
  HasMetadata<"memberships"> metadata;
  SortBy<"createdAt", "expiresAt"> sort;
};
BOOST_DESCRIBE_STRUCT(MembershipQuery, (api::ListParams),
                      (status, is_trial, product_id, customer_id, user_id, chat_user_id, expires_from, expires_to,
                       metadata, sort))

const Listing& membership_listing();

// Writes a new membership (its version is 0) or a changed one. Throws WriteRace if another transaction has created or
// changed it.
void write_membership(Tx& tx, Membership& membership);

struct DueMembership {
  TenantId tenant;
  MembershipId id;
};

// The memberships of all tenants that have something to do, those that have waited longest first.
Select<DueMembership> due_memberships(Instant now, std::int64_t limit);

// Makes a membership due later, because it could not be handled now.
void postpone_membership(Tx& tx, const DueMembership& due, Instant until);

Select<MembershipPeriod> periods_of_membership(const TenantId& tenant, const MembershipId& membership);
Select<MembershipPeriod> periods_of_order(const TenantId& tenant, const OrderId& order);

// A page after the position, newest first.
Select<MembershipPeriod> periods_after(const TenantId& tenant, const MembershipId& membership, const Position& position,
                                       std::int64_t limit);

// Returns false if the payment, trial or code has given time already.
bool insert_period(Tx& tx, const MembershipPeriod& period);

// Returns false if it was refunded already.
bool mark_refunded(Tx& tx, const MembershipPeriod& period, Instant now);

void insert_fact(Tx& tx, const Membership& membership, const MembershipFact& fact);

// The facts of a time span, oldest first.
Select<MembershipFact> membership_facts(const TenantId& tenant, Currency currency, Instant begin, Instant end,
                                        std::int64_t limit);

struct MemberTotals {
  std::int64_t members = 0;        // active or paused
  std::int64_t monthly_cents = 0;  // of those that are active and not cancelled
};

// Counts up to `limit` memberships.
Select<MemberTotals> member_totals(const TenantId& tenant, Currency currency, std::int64_t limit);

// Records a reminder. Returns false if it was sent already.
bool insert_reminder(Tx& tx, const Membership& membership, std::int64_t day, Instant now);

}  // namespace guildhall
