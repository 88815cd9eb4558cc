#include "http/chunked.h"

#include <gtest/gtest.h>

namespace guildhall::http {
namespace {

using State = ChunkedDecoder::State;
using namespace std::string_literals;

struct Outcome {
  State state = State::more;
  std::string body;
  std::size_t used = 0;

  bool operator==(const Outcome&) const = default;
};

// Decodes the bytes given in two pieces.
Outcome decode(std::string_view bytes, std::size_t body_bytes_max = 1000, std::size_t split = 0) {
  ChunkedDecoder decoder(body_bytes_max);
  Outcome outcome;
  for (const std::string_view piece : {bytes.substr(0, split), bytes.substr(split)}) {
    if (outcome.state != State::more) break;
    std::size_t used = 0;
    outcome.state = decoder.decode(piece, outcome.body, used);
    outcome.used += used;
  }
  return outcome;
}

TEST(ChunkedDecoder, joins_the_chunks_and_stops_at_the_end) {
  const std::string bytes = "4\r\nWiki\r\n00B;name=\"v;a,l\"\r\npedia in \r\n\r\n0;last\r\nTrailer: x y\r\nA:\r\n\r\n";
  const Outcome outcome = decode(bytes + "GET / HTTP/1.1\r\n");
  EXPECT_EQ(outcome.state, State::done);
  EXPECT_EQ(outcome.body, "Wikipedia in \r\n");
  EXPECT_EQ(outcome.used, bytes.size());
}

TEST(ChunkedDecoder, decodes_the_same_however_the_bytes_are_split) {
  const std::string good = "3\r\nabc\r\nA;x\r\n0123456789\r\n0\r\nT: v\r\n\r\nnext";
  const std::string bad = "3\r\nabc\r\nA;x\r\n0123456789\r\n0\r\nT: v\n\r\n";
  for (const std::string& bytes : {good, bad}) {
    const Outcome whole = decode(bytes);
    for (std::size_t split = 0; split <= bytes.size(); ++split) EXPECT_EQ(decode(bytes, 1000, split), whole) << split;
  }
}

TEST(ChunkedDecoder, takes_exactly_the_limit_and_not_a_byte_more) {
  EXPECT_EQ(decode("5\r\nabcde\r\n0\r\n\r\n", 5).state, State::done);
  EXPECT_EQ(decode("6\r\n", 5).state, State::too_large) << "announced is enough";
  EXPECT_EQ(decode("3\r\nabc\r\n3\r\n", 5).state, State::too_large);
  EXPECT_EQ(decode("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", 5).state, State::done);
  EXPECT_EQ(decode("ffffffff\r\n", 5).state, State::too_large);
  EXPECT_EQ(decode("0\r\n\r\n", 0).state, State::done);
}

class MalformedChunks : public testing::TestWithParam<std::string> {};

TEST_P(MalformedChunks, are_refused) {
  EXPECT_EQ(decode(GetParam()).state, State::malformed);
}

INSTANTIATE_TEST_SUITE_P(ChunkedDecoder, MalformedChunks,
                         testing::Values("\r\n"s, "g\r\n"s, "-1\r\n"s, "+1\r\n"s, " 1\r\n"s, "1 \r\n"s, "0x1\r\n"s,
                                         "1\n"s, "1\rx"s, "000000001\r\n"s, "123456789\r\n"s, ";x\r\n"s, "1;\x01\r\n"s,
                                         "1;x\ny\r\n"s, "1;\0\r\n"s, "1\r\nab\r\n"s, "1\r\na\n"s, "1\r\na\rb"s,
                                         "1\r\na0\r\n"s, "0\r\n\n"s, "0\r\n\rx"s, "0\r\n folded\r\n"s, "0\r\n: v\r\n"s,
                                         "0\r\nname\r\n"s, "0\r\nna me: v\r\n"s, "0\r\nA: b\n"s, "0\r\nA: b\rB"s,
                                         "0\r\nA: \x01\r\n"s));

TEST(ChunkedDecoder, bounds_what_it_throws_away) {
  const std::string longest(4096, 'x');
  EXPECT_EQ(decode("1;" + longest + "\r\na\r\n0\r\n\r\n").state, State::done);
  EXPECT_EQ(decode("1;" + longest + "x\r\n").state, State::malformed);
  EXPECT_EQ(decode("0\r\nA:" + longest.substr(2) + "\r\n\r\n").state, State::done);
  EXPECT_EQ(decode("0\r\nA:" + longest).state, State::malformed);
  EXPECT_EQ(decode("1;" + longest + "\r\na\r\n0;x\r\n\r\n").state, State::malformed) << "one allowance for a body";
}

}  // namespace
}  // namespace guildhall::http
