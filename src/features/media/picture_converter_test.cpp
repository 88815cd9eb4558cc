#include "features/media/picture_converter.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <signal.h>
#include <sstream>

#include "features/media/picture.h"
#include "support/eventually.h"
#include "support/pictures.h"

namespace guildhall {
namespace {

using test::corners, test::jpeg_of, test::pixels_of_webp, test::png_of, test::quarters, test::webp_of;

// The code of the failure; empty if the picture was converted.
std::string refusal(const std::string& bytes, const PictureWorkerLimits& limits = {}) {
  try {
    convert_in_worker(bytes, limits);
    return "";
  } catch (const Failure& failure) {
    return failure.code;
  }
}

TEST(PictureTypes, come_from_the_content) {
  EXPECT_EQ(picture_type(png_of(quarters(4, 4))), PictureType::png);
  EXPECT_EQ(picture_type(jpeg_of(quarters(4, 4))), PictureType::jpeg);
  EXPECT_EQ(picture_type(webp_of(quarters(4, 4))), PictureType::webp);
  for (const std::string_view other :
       {"", "GIF89a........", "<svg xmlns", "RIFF....WAVEfmt ", "%PDF-1.7", "\xff\xd8"}) {
    EXPECT_EQ(picture_type(other), std::nullopt) << other;
  }
}

TEST(MediaIds, are_random_and_recognised_in_paths) {
  const std::string id = new_media_id();
  EXPECT_NE(id, new_media_id());
  EXPECT_EQ(media_id(media_url(id)), id);
  for (const std::string& other : {id, "/media/" + id, std::string("/media/.webp"), "/media/../" + id + ".webp",
                                   "https://example.com/media/" + id + ".webp", "/media/" + id + "A.webp"}) {
    EXPECT_EQ(media_id(other), std::nullopt) << other;
  }
}

TEST(Pictures, of_each_format_are_converted_to_two_sizes) {
  const test::Pixels pixels = quarters(2000, 1000);
  for (const std::string& bytes : {png_of(pixels), jpeg_of(pixels), webp_of(pixels)}) {
    const ConvertedPicture converted = convert_in_worker(bytes);
    EXPECT_EQ(converted.width, 1280);
    EXPECT_EQ(converted.height, 640);
    const test::Pixels large = pixels_of_webp(converted.large), small = pixels_of_webp(converted.thumbnail);
    EXPECT_EQ(large.width, 1280);
    EXPECT_EQ(large.height, 640);
    EXPECT_EQ(corners(large), "RGBW");
    EXPECT_EQ(small.width, 320);
    EXPECT_EQ(small.height, 160);
    EXPECT_EQ(corners(small), "RGBW");
  }
}

TEST(Pictures, are_never_enlarged) {
  for (const std::string& bytes : {png_of(quarters(30, 700)), jpeg_of(quarters(30, 700)), webp_of(quarters(30, 700))}) {
    const ConvertedPicture converted = convert_in_worker(bytes);
    EXPECT_EQ(converted.width, 30);
    EXPECT_EQ(converted.height, 700);
    EXPECT_EQ(pixels_of_webp(converted.thumbnail).height, 320);
  }
  EXPECT_EQ(convert_in_worker(png_of(quarters(1, 1))).width, 1);
}

TEST(Pictures, keep_transparency) {
  test::Pixels pixels = quarters(40, 40);
  pixels.at(5, 5)[3] = 0;
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 20; ++x) pixels.at(x, y)[3] = 0;
  }
  const test::Pixels large = pixels_of_webp(convert_in_worker(png_of(pixels)).large);
  EXPECT_EQ(large.at(10, 10)[3], 0);
  EXPECT_EQ(large.at(30, 30)[3], 255);
}

TEST(Pictures, of_cameras_are_turned_upright) {
  // The picture that is stored with an orientation so that red, green, blue and white are shown in this order.
  const std::map<int, std::string> expected{{1, "RGBW"}, {2, "GRWB"}, {3, "WBGR"}, {4, "BWRG"},
                                            {5, "RBGW"}, {6, "BRWG"}, {7, "WGBR"}, {8, "GWRB"}};
  for (const auto& [orientation, shown] : expected) {
    const ConvertedPicture converted = convert_in_worker(jpeg_of(quarters(160, 80), orientation));
    EXPECT_EQ(converted.width, orientation < 5 ? 160 : 80) << orientation;
    EXPECT_EQ(corners(pixels_of_webp(converted.large)), shown) << orientation;
    EXPECT_EQ(corners(pixels_of_webp(converted.thumbnail)), shown) << orientation;
  }
}

TEST(Pictures, lose_their_metadata) {
  const std::string place = "48.137N 11.575E, camera 4711";
  const test::Pixels pixels = quarters(64, 64);
  for (const std::string& bytes : {png_of(pixels, place), jpeg_of(pixels, 1, place), webp_of(pixels, place)}) {
    ASSERT_NE(bytes.find(place), std::string::npos);
    const ConvertedPicture converted = convert_in_worker(bytes);
    for (const std::string& file : {converted.large, converted.thumbnail}) {
      EXPECT_EQ(file.find(place), std::string::npos);
      EXPECT_EQ(file.find("EXIF"), std::string::npos);
    }
  }
}

// Noise is the worst case for the encoder, in colours and in transparency.
TEST(Pictures, of_noise_are_stored_within_the_limit) {
  test::Pixels noise = quarters(1000, 1000);
  std::mt19937 random(1);
  for (std::uint8_t& byte : noise.rgba) byte = static_cast<std::uint8_t>(random());
  const std::string upload = webp_of(noise);
  ASSERT_LT(upload.size(), picture_bytes_max);
  const ConvertedPicture converted =
      convert_in_worker(upload, {.time_max = std::chrono::minutes(5)});  // for a busy machine
  EXPECT_LE(converted.large.size(), stored_picture_bytes_max);
  EXPECT_LE(converted.thumbnail.size(), stored_picture_bytes_max);
}

TEST(Pictures, that_claim_too_many_pixels_are_refused) {
  EXPECT_EQ(refusal(test::png_that_claims(30'000, 30'000)), "PICTURE_TOO_LARGE");
  EXPECT_EQ(refusal(test::png_that_claims(5'001, 5'000)), "PICTURE_TOO_LARGE");
  EXPECT_EQ(refusal(test::png_that_claims(100'000, 1)), "PICTURE_TOO_LARGE");
  EXPECT_EQ(refusal(test::png_that_claims(5'000, 5'000)), "PICTURE_UNREADABLE") << "allowed, but there is no data";
}

TEST(Pictures, that_are_incomplete_animated_or_something_else_are_refused) {
  const test::Pixels pixels = quarters(100, 100);
  for (const std::string& bytes : {png_of(pixels), jpeg_of(pixels), webp_of(pixels)}) {
    for (const std::size_t size : {bytes.size() / 2, bytes.size() - 20, std::size_t{20}}) {
      EXPECT_EQ(refusal(bytes.substr(0, size)), "PICTURE_UNREADABLE") << size << " of " << bytes.size();
    }
  }
  EXPECT_EQ(refusal(webp_of(pixels, "", true)), "PICTURE_ANIMATED");
  EXPECT_EQ(refusal(""), "UNSUPPORTED_MEDIA_TYPE");
  EXPECT_EQ(refusal("{\"a\":1}"), "UNSUPPORTED_MEDIA_TYPE");
}

// Whatever the bytes are, the worker answers: with a picture, or with a refusal. Anything else would be a failure of
// another kind than `invalid`.
TEST(Pictures, that_are_damaged_at_random_do_no_harm) {
  std::mt19937 random(7);
  const test::Pixels pixels = quarters(48, 32);
  const std::vector<std::string> originals{png_of(pixels, "text"), jpeg_of(pixels, 6, "text"), webp_of(pixels, "text")};
  int converted = 0, refused = 0;
  for (int round = 0; round < 240; ++round) {
    std::string bytes = originals[static_cast<std::size_t>(round) % originals.size()];
    const int changes = 1 + static_cast<int>(random() % 8);
    for (int i = 0; i < changes; ++i) bytes[4 + random() % (bytes.size() - 4)] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(16 + random() % bytes.size());
    try {
      EXPECT_LE(convert_in_worker(bytes).width, large_side_max);
      ++converted;
    } catch (const Failure& failure) {
      EXPECT_TRUE(failure.kind == Failure::Kind::invalid || failure.code == "UNSUPPORTED_MEDIA_TYPE") << failure.what();
      ++refused;
    }
  }
  EXPECT_GT(converted, 0);
  EXPECT_GT(refused, 0);
}

#ifndef GUILDHALL_SANITIZED

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The number of the filters that confine a process. In a container every process has some already.
std::string filters_of(const std::filesystem::path& process) {
  const std::string status = contents(process / "status"), name = "Seccomp_filters:\t";
  const std::size_t begin = status.find(name);
  return begin == std::string::npos ? "" : status.substr(begin, status.find('\n', begin) - begin);
}

// The worker waits for the picture after it has confined itself.
TEST(PictureWorkers, have_nothing_that_a_hostile_picture_could_use) {
  ::setenv("SECRET_OF_THE_TEST", "secret", 1);
  PictureProcess process({.memory_bytes_max = 300 << 20, .cpu_seconds_max = 7});
  const std::filesystem::path worker = "/proc/" + std::to_string(process.id());
  ASSERT_TRUE(
      test::eventually([&] { return !filters_of(worker).empty() && filters_of(worker) != filters_of("/proc/self"); }));
  EXPECT_NE(contents(worker / "status").find("Seccomp:\t2"), std::string::npos);
  EXPECT_EQ(contents(worker / "environ"), "");
  EXPECT_NE(contents(worker / "status").find("NoNewPrivs:\t1"), std::string::npos);
  const std::string limits = contents(worker / "limits");
  const auto limit = [&](const std::string& name) {
    std::istringstream line(limits.substr(limits.find(name) + name.size()));
    std::string soft;
    line >> soft;
    return soft;
  };
  EXPECT_EQ(limit("Max address space"), std::to_string(300 << 20));
  EXPECT_EQ(limit("Max cpu time"), "7");
  EXPECT_EQ(limit("Max file size"), "0");
  EXPECT_EQ(limit("Max core file size"), "0");
  EXPECT_EQ(limit("Max open files"), "3");
  std::size_t descriptors = 0;
  for (const auto& each : std::filesystem::directory_iterator(worker / "fd")) {
    ++descriptors;
    const std::string target = std::filesystem::read_symlink(each.path()).string();
    EXPECT_TRUE(target.starts_with("socket:") || target == "/dev/null") << target;
  }
  EXPECT_EQ(descriptors, 3u);
  EXPECT_EQ(process.convert(png_of(quarters(8, 8))).width, 8) << "it still works";
}

TEST(PictureWorkers, end_at_their_limits) {
  const std::string large = png_of(quarters(5'000, 5'000));
  EXPECT_EQ(refusal(large, {.memory_bytes_max = 100 << 20}), "PICTURE_UNREADABLE") << "100 MiB are needed for pixels";
  EXPECT_EQ(refusal(large, {.time_max = std::chrono::milliseconds(1)}), "PICTURE_UNREADABLE");
  EXPECT_EQ(refusal(large), "");
}

TEST(PictureWorkers, that_are_killed_refuse_the_picture) {
  PictureProcess process({});
  ::kill(process.id(), SIGKILL);
  try {
    process.convert(png_of(quarters(8, 8)));
    ADD_FAILURE();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, "PICTURE_UNREADABLE");
  }
}

#endif

TEST(PictureWorkers, that_cannot_be_started_are_reported_as_such) {
  const std::string program = std::exchange(picture_worker_program, "/no/such/program");
  EXPECT_EQ(refusal(png_of(quarters(8, 8))), "UNAVAILABLE");
  picture_worker_program = "/bin/true";
  EXPECT_EQ(refusal(png_of(quarters(8, 8))), "UNAVAILABLE");
  picture_worker_program = program;
}

}  // namespace
}  // namespace guildhall
