#include "base/crypto.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "base/encoding.h"

namespace guildhall {
namespace {

TEST(Sha256, gives_the_known_answers) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

struct HmacCase {
  std::string key;
  std::string message;
  std::string signature;
};

// RFC 4231, all cases that are not truncated.
const std::vector<HmacCase> rfc4231{
    {std::string(20, '\x0b'), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
    {"Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
    {std::string(20, '\xaa'), std::string(50, '\xdd'),
     "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
    {*from_hex("0102030405060708090a0b0c0d0e0f10111213141516171819"), std::string(50, '\xcd'),
     "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
    {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
     "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
    {std::string(131, '\xaa'),
     "This is a test using a larger than block-size key and a larger than block-size data. The key needs to "
     "be hashed "
     "before being used by the HMAC algorithm.",
     "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
};

TEST(HmacSha256, gives_the_known_answers_the_first_and_every_time) {
  for (const auto& [key, message, signature] : rfc4231) {
    const HmacSha256 hmac(key);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(hex(hmac.sign(message)), signature);
  }
}

TEST(HmacSha256, keeps_keys_apart_that_take_turns) {
  std::vector<std::unique_ptr<HmacSha256>> hmacs;
  for (const auto& known : rfc4231) hmacs.push_back(std::make_unique<HmacSha256>(known.key));
  for (int turn = 0; turn < 3; ++turn) {
    for (std::size_t i = 0; i < hmacs.size(); ++i) {
      EXPECT_EQ(hex(hmacs[i]->sign(rfc4231[i].message)), rfc4231[i].signature);
    }
  }
}

TEST(HmacSha256, takes_an_empty_key_and_an_empty_message) {
  EXPECT_EQ(hex(HmacSha256("").sign("")), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(HmacSha256, signs_from_several_threads_at_once) {
  const HmacSha256 first(rfc4231[0].key);
  const HmacSha256 second(rfc4231[1].key);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        EXPECT_EQ(hex(first.sign(rfc4231[0].message)), rfc4231[0].signature);
        EXPECT_EQ(hex(second.sign(rfc4231[1].message)), rfc4231[1].signature);
        EXPECT_EQ(hex(sha256("abc")).substr(0, 8), "ba7816bf");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(HmacSha256, verifies_its_own_signature_and_no_other) {
  const HmacSha256 hmac("key");
  const Sha256 digest = hmac.sign("message");
  std::string signature(digest.begin(), digest.end());
  EXPECT_TRUE(hmac.verify("message", signature));
  EXPECT_FALSE(hmac.verify("messagf", signature));
  EXPECT_FALSE(HmacSha256("kez").verify("message", signature));
  EXPECT_FALSE(hmac.verify("message", signature.substr(1)));
  EXPECT_FALSE(hmac.verify("message", ""));
  signature.back() ^= 1;
  EXPECT_FALSE(hmac.verify("message", signature));
}

TEST(ConstantTime, compares_like_equality) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("same", "same"));
  EXPECT_FALSE(equal_in_constant_time("same", "samf"));
  EXPECT_FALSE(equal_in_constant_time("same", "sam"));
  EXPECT_FALSE(equal_in_constant_time("", "s"));
}

TEST(Ed25519, gives_the_known_answer) {
  const Ed25519Key key = ed25519_from_seed(std::string(32, '\x11'));
  EXPECT_EQ(hex(key.public_key_bytes), "d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737");
  const std::string message = R"(1700000000{"type":1})";
  const std::string signature = sign_ed25519(key, message);
  EXPECT_EQ(hex(signature),
            "cf78226aa172863946e2e4e59b95f99aca78d4abc891f0e9cb771fe1572dcebc"
            "5ea86cc08c126eba70bfeb4deb7ef4578866632e76dfdc0c74b85683941dbc07");
  EXPECT_TRUE(verify_ed25519(key.public_key_bytes, message, signature));
}

TEST(Ed25519, refuses_any_other_message_signature_or_key) {
  const Ed25519Key key = ed25519_from_seed(std::string(32, '\x11'));
  const Ed25519Key other = ed25519_from_seed(std::string(32, '\x12'));
  const std::string signature = sign_ed25519(key, "message");
  EXPECT_FALSE(verify_ed25519(key.public_key_bytes, "messagf", signature));
  EXPECT_FALSE(verify_ed25519(other.public_key_bytes, "message", signature));
  EXPECT_FALSE(verify_ed25519(key.public_key_bytes, "message", signature.substr(0, 63)));
  EXPECT_FALSE(verify_ed25519(key.public_key_bytes, "message", signature + '\0'));
  EXPECT_FALSE(verify_ed25519(key.public_key_bytes.substr(0, 31), "message", signature));
  EXPECT_FALSE(verify_ed25519("", "", ""));
  for (std::size_t i = 0; i < signature.size(); ++i) {
    std::string bent = signature;
    bent[i] ^= 1;
    EXPECT_FALSE(verify_ed25519(key.public_key_bytes, "message", bent)) << i;
  }
}

TEST(RandomBytes, are_as_many_as_asked_for_and_differ) {
  EXPECT_EQ(random_bytes(0), "");
  EXPECT_EQ(random_bytes(32).size(), 32U);
  EXPECT_NE(random_bytes(32), random_bytes(32));
}

}  // namespace
}  // namespace guildhall
