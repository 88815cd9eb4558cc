#include <filesystem>
#include <gtest/gtest.h>
#include <random>

#include "features/media/media_folder.h"
#include "features/media/media_store.h"
#include "storage/columns.h"
#include "support/pictures.h"
#include "support/shop.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::png_of, test::quarters;

HttpReply upload(HttpClient& client, const std::string& product, const std::string& bytes,
                 const std::string& type = "image/png", test::HttpHeaders headers = {}) {
  headers.emplace_back("Content-Type", type);
  return client.send("PUT", "/api/data/product/" + product + "/image", bytes, headers);
}

std::int64_t number_of(test::TestServer& server, const Sql& sql) {
  std::int64_t found = 0;
  server.storage().read_now([&](Tx& tx) { tx.run({&sql, {}}, [&](const Row& row) { found = row.integer(0); }); });
  return found;
}

std::int64_t stored_files(test::TestServer& server) {
  static const Sql sql("SELECT COUNT(*) FROM media_files WHERE tenant_id = 'default'");
  return number_of(server, sql);
}

// The bytes that are counted for the tenant, minus those of its files: always 0.
std::int64_t miscounted_bytes(test::TestServer& server) {
  static const Sql sql(
      "SELECT CAST((SELECT COALESCE(SUM(bytes), 0) FROM media_usage WHERE tenant_id = 'default')"
      " - (SELECT COALESCE(SUM(bytes), 0) FROM media_files WHERE tenant_id = 'default') AS bigint)");
  return number_of(server, sql);
}

class ProductPictures : public test::OnEachPair {
 protected:
  test::CheckedClient shop = server.admin();
  const std::string product = test::product_with_stock(shop, "MUG", 3);
  const std::string path = "/api/data/product/" + product;
};
INSTANTIATE_TEST_SUITE_P(Pairs, ProductPictures, test::engines, test::engine_name);

TEST_P(ProductPictures, are_shown_by_the_product_and_served_for_ever) {
  EXPECT_TRUE(shop.get(path).is_null("/image"));
  const std::map<std::string, std::string> uploads{{"image/png", png_of(quarters(1600, 800))},
                                                   {"image/jpeg", test::jpeg_of(quarters(1600, 800))},
                                                   {"image/webp", test::webp_of(quarters(1600, 800))}};
  for (const auto& [type, bytes] : uploads) {
    const HttpReply stored = upload(shop, product, bytes, type);
    ASSERT_EQ(stored.status, 200) << stored.body;
    EXPECT_EQ(stored.integer("/image/width"), 1280);
    EXPECT_EQ(stored.integer("/image/height"), 640);
    EXPECT_EQ(shop.get(path).body, stored.body);
    for (const auto& [url, width] : {std::pair("/image/url", 1280), std::pair("/image/thumbnailUrl", 320)}) {
      const HttpReply served = HttpClient(server.port()).get(stored.text(url));
      ASSERT_EQ(served.status, 200);
      EXPECT_EQ(served.header("content-type"), "image/webp");
      EXPECT_EQ(served.header("cache-control"), "public, max-age=31536000, immutable");
      EXPECT_EQ(served.header("x-content-type-options"), "nosniff");
      EXPECT_EQ(served.header("content-security-policy"), "default-src 'none'");
      EXPECT_EQ(test::pixels_of_webp(served.body).width, width);
      EXPECT_EQ(test::corners(test::pixels_of_webp(served.body)), "RGBW");
    }
  }
  EXPECT_EQ(stored_files(server), 2) << "those of the replaced pictures are deleted";
  EXPECT_EQ(miscounted_bytes(server), 0);
}

TEST_P(ProductPictures, are_not_sent_again_to_a_client_that_has_them) {
  const HttpReply stored = upload(shop, product, png_of(quarters(100, 100)));
  const std::string url = stored.text("/image/url");
  HttpClient anybody(server.port());
  const HttpReply served = anybody.get(url);
  const HttpReply unchanged = anybody.get(url, {{"If-None-Match", served.header("etag")}});
  EXPECT_EQ(unchanged.status, 304);
  EXPECT_EQ(unchanged.body, "");
  EXPECT_EQ(unchanged.header("etag"), served.header("etag"));
  EXPECT_EQ(anybody.get(url, {{"If-None-Match", "\"other\""}}).status, 200);
  test::RawConnection raw(server.port());
  raw.send("HEAD " + url + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string head = raw.receive_until_closed();
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200")) << head;
  EXPECT_NE(head.find("Content-Length: " + std::to_string(served.body.size())), std::string::npos) << head;
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << "no body";
}

TEST_P(ProductPictures, are_deleted_with_their_paths) {
  const std::string first = upload(shop, product, png_of(quarters(90, 90))).text("/image/url");
  EXPECT_EQ(shop.del(path + "/image").status, 204);
  EXPECT_EQ(shop.get(first).status, 404);
  EXPECT_TRUE(shop.get(path).is_null("/image"));
  EXPECT_EQ(shop.del(path + "/image").status, 204) << "there is none any more";
  const std::string second = upload(shop, product, png_of(quarters(90, 90))).text("/image/url");
  EXPECT_NE(first, second) << "a path is never used again";
  EXPECT_EQ(shop.del(path).status, 204);
  EXPECT_EQ(shop.get(second).status, 404);
  EXPECT_EQ(stored_files(server), 0);
  EXPECT_EQ(miscounted_bytes(server), 0);
}

TEST_P(ProductPictures, are_refused_with_a_precise_status) {
  const std::string good = png_of(quarters(20, 20));
  EXPECT_EQ(upload(shop, product, good, "application/json").status, 415);
  EXPECT_EQ(upload(shop, product, good, "image/gif").status, 415);
  EXPECT_EQ(upload(shop, product, "GIF89a", "image/png").status, 415);
  EXPECT_EQ(upload(shop, product, "", "image/png").status, 415);
  EXPECT_EQ(upload(shop, product, good, "image/webp").status, 200) << "the content decides";
  EXPECT_EQ(upload(shop, product, good.substr(0, 60)).code(), "PICTURE_UNREADABLE");
  EXPECT_EQ(upload(shop, product, test::png_that_claims(30'000, 30'000)).code(), "PICTURE_TOO_LARGE");
  EXPECT_EQ(upload(shop, product, test::webp_of(quarters(20, 20), "", true)).code(), "PICTURE_ANIMATED");
  EXPECT_EQ(upload(shop, "no-such-product", good).status, 404);
  EXPECT_EQ(upload(shop, product, good, "image/png", {{"If-Match", "\"77\""}}).status, 412);
  HttpClient separate(shop);  // the server closes the connection after a body that is too large
  const HttpReply too_large = upload(separate, product, std::string(picture_bytes_max + 1, 'x'));
  EXPECT_EQ(too_large.status, 413);
  EXPECT_EQ(too_large.integer("/maxBytes"), static_cast<std::int64_t>(picture_bytes_max));
  EXPECT_EQ(upload(shop, product, std::string(picture_bytes_max, 'x')).status, 415) << "not too large, but no picture";
  const std::string note = R"({"description":")" + std::string(300'000, 'x') + "\"}";
  EXPECT_EQ(HttpClient(shop).patch(path, note).status, 413) << "other bodies keep their limit";
  EXPECT_EQ(shop.get(path).integer("/image/width"), 20) << "nothing of that has changed the picture";
}

TEST_P(ProductPictures, are_read_only_in_the_product_itself) {
  const std::string before = upload(shop, product, png_of(quarters(20, 20))).text("/image/url");
  EXPECT_EQ(shop.patch(path, R"({"name":"Cup","image":null})").text("/image/url"), before);
  EXPECT_TRUE(test::created(shop, "product", R"({"name":"a","sku":"b","priceCents":1,"image":{"url":"/x"}})") != "");
}

TEST_P(ProductPictures, need_the_permission_to_write_in_the_same_shop) {
  const std::string good = png_of(quarters(20, 20));
  const std::string url = upload(shop, product, good).text("/image/url");
  auto reader = server.member("default", "data.read");
  auto nobody = server.client();
  server.add_tenant("another");
  auto other = server.admin("another");
  EXPECT_EQ(upload(reader, product, good).status, 403);
  EXPECT_EQ(reader.del(path + "/image").status, 403);
  EXPECT_EQ(upload(nobody, product, good).status, 401);
  EXPECT_EQ(nobody.del(path + "/image").status, 401);
  EXPECT_EQ(upload(other, product, good).status, 404);
  EXPECT_EQ(other.del(path + "/image").status, 404);
  EXPECT_EQ(shop.get(path).text("/image/url"), url);
  EXPECT_EQ(nobody.get(url).status, 200) << "whoever has the address may see it";
}

// The same picture in two shops has nothing in common that would show it.
TEST_P(ProductPictures, of_two_shops_cannot_be_compared) {
  server.add_tenant("another");
  auto other = server.admin("another");
  const std::string twin = test::product_with_stock(other, "MUG", 3);
  const std::string bytes = png_of(quarters(20, 20));
  const HttpReply mine = upload(shop, product, bytes), theirs = upload(other, twin, bytes);
  EXPECT_NE(mine.text("/image/url"), theirs.text("/image/url"));
  EXPECT_NE(mine.text("/image/thumbnailUrl"), mine.text("/image/url"));
  EXPECT_NE(shop.get(mine.text("/image/url")).header("etag"), shop.get(theirs.text("/image/url")).header("etag"));
  EXPECT_EQ(other.del("/api/data/product/" + twin).status, 204);
  EXPECT_EQ(shop.get(mine.text("/image/url")).status, 200) << "not shared";
}

TEST_P(ProductPictures, are_recorded_in_the_audit_trail) {
  const std::string url = upload(shop, product, png_of(quarters(20, 20))).text("/image/url");
  const HttpReply trail = shop.get("/api/admin/audit?subject=product&subjectId=" + product);
  EXPECT_NE(trail.body.find(url), std::string::npos) << trail.body;
}

TEST_P(ProductPictures, end_with_their_shop) {
  server.add_tenant("closing");
  auto other = server.admin("closing");
  const std::string item = test::product_with_stock(other, "MUG", 3);
  const std::string url = upload(other, item, png_of(quarters(20, 20))).text("/image/url");
  ASSERT_EQ(shop.get(url).status, 200);
  auto platform = server.member("default", "PlatformAdmin");
  ASSERT_EQ(platform.del("/api/data/tenant/closing").status, 204);
  EXPECT_EQ(shop.get(url).status, 404);
  static const Sql sql("SELECT COUNT(*) FROM media_files WHERE tenant_id = 'closing'");
  EXPECT_EQ(number_of(server, sql), 2);
  server.write([](Tx& tx) { EXPECT_TRUE(delete_media_of_tenants(tx, 2)); });
  server.write([](Tx& tx) { EXPECT_TRUE(delete_media_of_tenants(tx, 2)); });
  server.write([](Tx& tx) { EXPECT_FALSE(delete_media_of_tenants(tx, 2)); });
  EXPECT_EQ(number_of(server, sql), 0);
}

// Uploads at the same time leave one picture, and its files only.
TEST_P(ProductPictures, that_are_replaced_at_the_same_time_leave_no_file) {
  std::vector<std::thread> threads;
  std::atomic<int> stored = 0;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, client = HttpClient(shop), i]() mutable {
      if (upload(client, product, png_of(quarters(20 + i, 20))).status == 200) ++stored;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stored, 6);
  EXPECT_EQ(stored_files(server), 2);
  EXPECT_EQ(miscounted_bytes(server), 0);
  EXPECT_EQ(shop.get(shop.get(path).text("/image/url")).status, 200);
}

// Damaged pictures end with a status of their own, and the server goes on.
TEST_P(ProductPictures, that_are_damaged_do_not_hurt_the_server) {
  std::mt19937 random(3);
  const std::vector<std::string> originals{png_of(quarters(30, 30)), test::jpeg_of(quarters(30, 30)),
                                           test::webp_of(quarters(30, 30))};
  for (int i = 0; i < 30; ++i) {
    std::string bytes = originals[static_cast<std::size_t>(i) % 3];
    for (int j = 0; j < 5; ++j) bytes[random() % bytes.size()] = static_cast<char>(random());
    const int status = upload(shop, product, bytes).status;
    EXPECT_TRUE(status == 200 || status == 400 || status == 415) << status;
  }
  EXPECT_EQ(upload(shop, product, originals[0]).status, 200);
}

class LimitedPictures : public ::testing::TestWithParam<test::Engine> {};
INSTANTIATE_TEST_SUITE_P(Pairs, LimitedPictures, test::engines, test::engine_name);

TEST_P(LimitedPictures, have_a_total_size_in_each_shop) {
  test::TestServer server(GetParam(), {{"MEDIA_TENANT_MIB_MAX", "1"}});
  auto shop = server.admin();
  test::Pixels noise = quarters(900, 900);
  std::mt19937 random(1);
  for (std::uint8_t& byte : noise.rgba) byte = static_cast<std::uint8_t>(random() | 0x80);
  for (std::size_t i = 3; i < noise.rgba.size(); i += 4) noise.rgba[i] = 255;
  const std::string bytes = test::jpeg_of(noise);
  std::vector<std::string> products;
  HttpReply last;
  for (int i = 0; i < 10 && (products.empty() || last.status == 200); ++i) {
    products.push_back(test::product_with_stock(shop, fmt::format("P{}", i), 1));
    last = upload(shop, products.back(), bytes, "image/jpeg");
  }
  EXPECT_EQ(last.status, 409) << last.body;
  EXPECT_EQ(last.code(), "PICTURE_STORAGE_FULL");
  EXPECT_GT(products.size(), 2u);
  EXPECT_TRUE(shop.get("/api/data/product/" + products.back()).is_null("/image"));
  EXPECT_EQ(upload(shop, products.front(), bytes, "image/jpeg").status, 200) << "one of the same size can be replaced";
  server.add_tenant("another");
  auto other = server.admin("another");
  EXPECT_EQ(upload(other, test::product_with_stock(other, "P", 1), bytes, "image/jpeg").status, 200);
  EXPECT_EQ(miscounted_bytes(server), 0);
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

TEST_P(LimitedPictures, are_stored_in_a_folder_if_the_operator_names_one) {
  test::TemporaryFolder folder;
  const std::filesystem::path media = folder.path / "media";
  test::TestServer server(GetParam(), {{"MEDIA_DIR", media.string()}});
  auto shop = server.admin();
  const std::string product = test::product_with_stock(shop, "MUG", 1);
  const HttpReply first = upload(shop, product, png_of(quarters(40, 20)));
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(test::pixels_of_webp(shop.get(first.text("/image/url")).body).width, 40);
  ASSERT_EQ(files_in(media).size(), 2u);
  for (const auto& file : files_in(media)) {
    EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0600));
    EXPECT_EQ(std::filesystem::status(file.parent_path()).permissions(), std::filesystem::perms(0700));
  }
  static const Sql sql("SELECT COUNT(*) FROM media_files WHERE content IS NOT NULL");
  EXPECT_EQ(number_of(server, sql), 0);

  const HttpReply second = upload(shop, product, png_of(quarters(60, 20)));
  EXPECT_EQ(shop.get(first.text("/image/url")).status, 404) << "at once, although its file is still there";
  EXPECT_EQ(files_in(media).size(), 4u);
  const auto known = [&](const std::string& id) {
    bool found = false;
    server.storage().read_now([&](Tx& tx) { found = has_media_file(tx, id); });
    return found;
  };
  const MediaFolder swept(media);
  for (std::size_t i = 0; i < 64; ++i) swept.sweep_subfolder(i, known, std::chrono::hours(1));
  EXPECT_EQ(files_in(media).size(), 4u) << "young files are kept";
  for (std::size_t i = 0; i < 64; ++i) swept.sweep_subfolder(i, known, std::chrono::seconds(0));
  EXPECT_EQ(files_in(media).size(), 2u);
  EXPECT_EQ(shop.get(second.text("/image/url")).status, 200);
  for (const auto& file : files_in(media)) std::filesystem::remove(file);
  EXPECT_EQ(shop.get(second.text("/image/url")).status, 404) << "a missing file";
}

}  // namespace
}  // namespace guildhall
