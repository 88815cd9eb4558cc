#include "features/changes/recent_changes.h"

#include <gtest/gtest.h>

namespace guildhall {
namespace {

using namespace std::chrono_literals;
using Result = RecentChanges::Result;

EncodedChange change(std::int64_t sequence, bool is_data = true) {
  return {.position = {sequence, "h"}, .is_data = is_data, .text = fmt::format("{} ", sequence)};
}

std::vector<EncodedChange> changes(std::int64_t first, std::int64_t last) {
  std::vector<EncodedChange> all;
  for (std::int64_t sequence = first; sequence <= last; ++sequence) all.push_back(change(sequence));
  return all;
}

struct Taken {
  Result result;
  std::string text;
};

Taken take(const RecentChanges& recent, RecentChanges::Reader& reader, std::size_t bytes_max = 1000) {
  std::string text;
  const Result result = recent.take(reader, text, bytes_max);
  return {result, text};
}

TEST(RecentChanges, are_taken_once_and_in_order) {
  RecentChanges recent({5, "h"});
  RecentChanges::Reader reader{.position = {5, "h"}};
  EXPECT_EQ(take(recent, reader).text, "");
  recent.add(changes(6, 8));
  EXPECT_EQ(take(recent, reader).text, "6 7 8 ");
  recent.add(changes(9, 9));
  EXPECT_EQ(take(recent, reader).text, "9 ");
  EXPECT_EQ(take(recent, reader).text, "");
  EXPECT_EQ(reader.position.sequence, 9);
}

TEST(RecentChanges, are_taken_in_pieces) {
  RecentChanges recent({0, ""});
  recent.add(changes(1, 5));
  RecentChanges::Reader reader;
  EXPECT_EQ(take(recent, reader, 3).text, "1 2 ");
  EXPECT_EQ(take(recent, reader, 3).text, "3 4 ");
  EXPECT_EQ(take(recent, reader, 3).text, "5 ");
}

TEST(RecentChanges, skip_those_that_a_reader_already_has) {
  RecentChanges recent({0, ""});
  RecentChanges::Reader ahead{.position = {3, "h"}};
  recent.add(changes(1, 5));
  EXPECT_EQ(take(recent, ahead).text, "4 5 ");
}

TEST(RecentChanges, show_a_reader_without_admin_access_only_data) {
  RecentChanges recent({0, ""});
  std::vector<EncodedChange> mixed{change(1), change(2, false), change(3)};
  mixed[1].affects_access = true;
  recent.add(mixed);
  RecentChanges::Reader staff, admin{.position = {}, .sees_all = true};
  EXPECT_EQ(take(recent, staff).text, "1 3 ");
  EXPECT_TRUE(staff.affects_access) << "it must be checked again, although the change is not shown";
  EXPECT_EQ(take(recent, admin).text, "1 2 3 ");
}

TEST(RecentChanges, are_limited_in_number_and_age) {
  RecentChanges recent({0, ""});
  const auto start = RecentChanges::Clock::now();
  const auto max = static_cast<std::int64_t>(RecentChanges::changes_max);
  recent.add(changes(1, max + 1), start);
  RecentChanges::Reader slow, next{.position = {1, "h"}};
  EXPECT_EQ(take(recent, slow).result, Result::behind);
  EXPECT_EQ(take(recent, next).result, Result::taken);
  recent.add(changes(max + 2, max + 2), start + 5s);
  recent.drop_old(start + RecentChanges::age_max + 1s);
  EXPECT_EQ(take(recent, next).result, Result::behind);
  RecentChanges::Reader recently{.position = {max + 1, "h"}};
  EXPECT_EQ(take(recent, recently).text, fmt::format("{} ", max + 2));
}

TEST(RecentChanges, leave_every_reader_behind_when_they_restart) {
  RecentChanges recent({0, ""});
  recent.add(changes(1, 2));
  RecentChanges::Reader reader{.position = {2, "h"}};
  const auto start = RecentChanges::Clock::now();
  recent.restart({9000, "h"}, start);
  EXPECT_EQ(take(recent, reader).result, Result::behind);
  EXPECT_EQ(recent.end().sequence, 9000);
  EXPECT_TRUE(recent.has_restarted_within(2s, start + 1s));
  EXPECT_FALSE(recent.has_restarted_within(2s, start + 3s));
}

TEST(RecentChanges, notify_their_subscribers) {
  RecentChanges recent({0, ""});
  int notified = 0;
  const auto subscriber = recent.subscribe([&] { ++notified; });
  recent.add(changes(1, 3));
  recent.add({});
  EXPECT_EQ(notified, 1);
  recent.unsubscribe(subscriber);
  recent.add(changes(4, 4));
  EXPECT_EQ(notified, 1);
}

TEST(ChangePosition, is_read_back_from_its_id) {
  const ChangePosition position = ChangePosition::of({42, "0123456789abcdef"});
  EXPECT_EQ(position.id(), "42-01234567");
  EXPECT_EQ(ChangePosition::parse("42-01234567")->sequence, 42);
  EXPECT_EQ(ChangePosition::parse("0-")->hash, "");
  for (const char* id : {"", "42", "-1-x", "x-y", "99999999999999999999-x", " 1-x", "1x-y"}) {
    EXPECT_FALSE(ChangePosition::parse(id)) << id;
  }
}

}  // namespace
}  // namespace guildhall
