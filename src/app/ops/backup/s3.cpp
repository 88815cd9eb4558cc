#include "app/ops/backup/s3.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "app/ops/progress.h"
#include "base/private_file.h"
#include "base/url.h"

namespace guildhall {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view scheme = "s3://";
constexpr std::size_t parts_max = 10'000;  // of one upload
constexpr int attempts_max = 5;
constexpr std::chrono::minutes request_time_max{5};
constexpr std::size_t pages_max = 1'000;  // of a list, with 1,000 objects each

bool is_name(std::string_view text) {
  return !text.empty() && text != "." && text != ".." && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
  });
}

// The text between <tag> and </tag>, for each occurrence. The values that are read here need no decoding of entities,
// except for the quotation marks around an ETag, which is passed on as it is.
std::vector<std::string> values_of(std::string_view xml, std::string_view tag) {
  const std::string begin = fmt::format("<{}>", tag), end = fmt::format("</{}>", tag);
  std::vector<std::string> values;
  for (std::size_t at = xml.find(begin); at != std::string_view::npos; at = xml.find(begin, at)) {
    at += begin.size();
    const std::size_t stop = xml.find(end, at);
    if (stop == std::string_view::npos) break;
    values.emplace_back(xml.substr(at, stop - at));
  }
  return values;
}

std::string value_of(std::string_view xml, std::string_view tag) {
  const std::vector<std::string> values = values_of(xml, tag);
  return values.empty() ? "" : values.front();
}

bool may_pass(const outbound::Reply& reply) {
  return reply.status == 0 || reply.status == 429 || reply.status >= 500;
}

std::string reason_of(const outbound::Reply& reply) {
  if (reply.status == 0) return reply.error;
  const std::string code = value_of(reply.body, "Code"), message = value_of(reply.body, "Message");
  return fmt::format("status {}{}{}{}{}", reply.status, code.empty() ? "" : ", ", code, message.empty() ? "" : ": ",
                     message);
}

}  // namespace

bool is_s3_url(std::string_view text) {
  return text.starts_with(scheme);
}

S3Location parse_s3_url(std::string_view text) {
  const auto wrong = [] { return std::invalid_argument("must be s3://bucket/prefix with letters, digits and -._/"); };
  if (!is_s3_url(text)) throw wrong();
  text.remove_prefix(scheme.size());
  S3Location location;
  location.bucket = text.substr(0, text.find('/'));
  text.remove_prefix(std::min(text.size(), location.bucket.size() + 1));
  if (!is_name(location.bucket)) throw wrong();
  for (std::size_t slash = text.find('/'); slash != std::string_view::npos; slash = text.find('/')) {
    if (!is_name(text.substr(0, slash))) throw wrong();
    location.prefix += text.substr(0, slash + 1);
    text.remove_prefix(slash + 1);
  }
  location.name = text;
  if (!text.empty() && !is_name(text)) throw wrong();
  return location;
}

S3Folder::S3Folder(S3Server server, S3Location location) : server_(std::move(server)), location_(std::move(location)) {
  if (server_.credentials.access_key.empty() || server_.credentials.secret_key.empty()) {
    throw std::runtime_error("BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_KEY are needed for s3://.");
  }
}

std::string S3Folder::url(const std::string& name) const {
  return fmt::format("{}{}/{}{}", scheme, location_.bucket, location_.prefix, name);
}

// The parameters of `query` must be sorted by name, because curl signs them in the given order.
outbound::Request S3Folder::request(std::string method, const std::string& name, std::string query) const {
  const std::string path = name.empty() ? "" : "/" + location_.prefix + name;
  return {.method = std::move(method),
          .url = fmt::format("{}/{}{}{}{}", server_.endpoint, location_.bucket, path, query.empty() ? "" : "?", query),
          .headers = {{"Content-Type", "application/octet-stream"}},
          .total_ms_max = request_time_max,
          .reply_bytes_max = server_.part_bytes + (4 << 20),
          .s3 = server_.credentials};
}

outbound::Reply S3Folder::send(const outbound::Request& request, std::string_view action) const {
  std::chrono::milliseconds pause = server_.retry_pause;
  outbound::Reply reply = outbound::send_now(request);
  for (int attempt = 1; attempt < attempts_max && may_pass(reply); ++attempt) {
    std::this_thread::sleep_for(pause);
    pause *= 2;
    reply = outbound::send_now(request);
  }
  if (reply.ok()) return reply;
  throw std::runtime_error(
      fmt::format("{} of s3://{} at {} has failed: {}.", action, location_.bucket, server_.endpoint, reason_of(reply)));
}

std::vector<S3Object> S3Folder::list(std::string_view begins) const {
  const std::string prefix = location_.prefix + std::string(begins);
  std::vector<S3Object> objects;
  std::string token;
  for (std::size_t page = 0; page < pages_max; ++page) {
    const std::string xml =
        send(request(
                 "GET", "",
                 fmt::format("{}list-type=2&prefix={}",
                             token.empty() ? "" : "continuation-token=" + url_encode(token) + "&", url_encode(prefix))),
             "Listing the objects")
            .body;
    for (const std::string& content : values_of(xml, "Contents")) {
      const std::string key = value_of(content, "Key"), size = value_of(content, "Size");
      if (!key.starts_with(prefix) || size.empty()) continue;
      objects.push_back({key.substr(location_.prefix.size()), std::stoll(size)});
    }
    token = value_of(xml, "NextContinuationToken");
    if (token.empty()) break;
  }
  std::sort(objects.begin(), objects.end(), [](const S3Object& a, const S3Object& b) { return a.name < b.name; });
  return objects;
}

std::vector<std::string> S3Folder::upload_parts(const fs::path& path, const std::string& name,
                                                const std::string& upload) const {
  const auto size = static_cast<std::size_t>(fs::file_size(path));
  const std::size_t part_bytes = std::max(server_.part_bytes, size / parts_max + 1);
  std::ifstream file(path, std::ios::binary);
  Progress progress("uploading", static_cast<std::int64_t>(size), Progress::Unit::bytes);
  std::vector<std::string> tags;
  for (std::size_t at = 0; at < size; at += part_bytes) {
    outbound::Request part =
        request("PUT", name, fmt::format("partNumber={}&uploadId={}", tags.size() + 1, url_encode(upload)));
    part.body.resize(std::min(part_bytes, size - at));
    if (!file.read(part.body.data(), static_cast<std::streamsize>(part.body.size()))) {
      throw std::runtime_error(fmt::format("{} cannot be read.", path.string()));
    }
    outbound::Reply reply = send(part, "The upload");
    tags.push_back(reply.headers["etag"]);
    progress.add(std::ssize(part.body));
  }
  return tags;
}

void S3Folder::upload(const fs::path& file, const std::string& name) const {
  const std::string upload = value_of(send(request("POST", name, "uploads="), "The upload").body, "UploadId");
  const std::string query = "uploadId=" + url_encode(upload);
  try {
    outbound::Request complete = request("POST", name, query);
    complete.body = "<CompleteMultipartUpload>";
    int number = 0;
    for (const std::string& tag : upload_parts(file, name, upload)) {
      complete.body += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", ++number, tag);
    }
    complete.body += "</CompleteMultipartUpload>";
    const outbound::Reply reply = send(complete, "The upload");
    // A failure after the reply has begun has status 200, too.
    if (!value_of(reply.body, "Code").empty()) throw std::runtime_error("The upload has failed: " + reason_of(reply));
  } catch (...) {
    outbound::send_now(request("DELETE", name, query));
    throw;
  }
  const std::vector<S3Object> stored = list(name);
  if (stored.empty() || stored.front().bytes != static_cast<std::int64_t>(fs::file_size(file))) {
    throw std::runtime_error(fmt::format("{} is not complete.", url(name)));
  }
}

void S3Folder::download(const std::string& name, const fs::path& path) const {
  const std::vector<S3Object> found = list(name);
  if (found.empty() || found.front().name != name) throw std::runtime_error(fmt::format("There is no {}.", url(name)));
  PrivateFile file(path);
  Progress progress("downloading", found.front().bytes, Progress::Unit::bytes);
  while (progress.done() < found.front().bytes) {
    outbound::Request range = request("GET", name, "");
    range.headers.emplace_back("Range",
                               fmt::format("bytes={}-{}", progress.done(),
                                           progress.done() + static_cast<std::int64_t>(server_.part_bytes) - 1));
    const outbound::Reply reply = send(range, "The download");
    if (reply.status != 206 || reply.body.empty()) throw std::runtime_error("The download has failed: no range.");
    file.write(reply.body);
    progress.add(std::ssize(reply.body));
  }
  file.finish();
}

void S3Folder::remove(const std::string& name) const {
  send(request("DELETE", name, ""), "Deleting an object");
}

}  // namespace guildhall
