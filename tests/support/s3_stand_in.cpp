#include "support/s3_stand_in.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/url.h"
#include "sandbox/party.h"

namespace guildhall::test {
namespace {

std::string hmac(const std::string& key, const std::string& message) {
  const Sha256 signature = HmacSha256(key).sign(message);
  return {signature.begin(), signature.end()};
}

// The value after `name` up to the next comma.
std::string part_of(const std::string& authorization, const std::string& name) {
  const std::size_t at = authorization.find(name);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size();
  return authorization.substr(begin, authorization.find(',', begin) - begin);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) c == separator ? void(parts.emplace_back()) : parts.back().push_back(c);
  return parts;
}

std::string sorted_query(const std::string& query) {
  if (query.empty()) return "";
  std::vector<std::string> fields = split(query, '&');
  for (std::string& field : fields) {
    if (field.find('=') == std::string::npos) field += '=';
  }
  std::sort(fields.begin(), fields.end());
  return fmt::format("{}", fmt::join(fields, "&"));
}

// Follows the steps in the documentation of AWS Signature Version 4.
std::string expected_signature(const ReceivedRequest& request, const std::string& signed_headers) {
  std::string canonical = fmt::format("{}\n{}\n{}\n", request.method, request.path, sorted_query(request.query));
  for (const std::string& name : split(signed_headers, ';')) {
    canonical += fmt::format("{}:{}\n", name, request.header(name));
  }
  canonical += fmt::format("\n{}\n{}", signed_headers, request.header("x-amz-content-sha256"));
  const std::string date = request.header("x-amz-date"), day = date.substr(0, 8);
  const std::string scope = fmt::format("{}/{}/s3/aws4_request", day, S3StandIn::region);
  std::string key = fmt::format("AWS4{}", S3StandIn::secret_key);
  for (const std::string& part : {day, std::string(S3StandIn::region), std::string("s3"), std::string("aws4_request")})
    key = hmac(key, part);
  return hex(hmac(key, fmt::format("AWS4-HMAC-SHA256\n{}\n{}\n{}", date, scope, hex(sha256(canonical)))));
}

bool is_signed(const ReceivedRequest& request) {
  const std::string authorization = request.header("authorization");
  const std::string signed_headers = part_of(authorization, "SignedHeaders=");
  const std::vector<std::string> names = split(signed_headers, ';');
  for (const std::string& name : names) {
    if (!request.headers.contains(name)) return false;
  }
  for (const char* needed : {"host", "x-amz-content-sha256", "x-amz-date"}) {
    if (std::find(names.begin(), names.end(), needed) == names.end()) return false;
  }
  return authorization.starts_with("AWS4-HMAC-SHA256 ") &&
         part_of(authorization, "Credential=").starts_with(fmt::format("{}/", S3StandIn::access_key)) &&
         request.header("x-amz-content-sha256") == hex(sha256(request.body)) &&
         part_of(authorization, "Signature=") == expected_signature(request, signed_headers);
}

ReceiverReply error(int status, const char* code) {
  return {.status = status,
          .body = fmt::format("<Error><Code>{}</Code><Message>No.</Message></Error>", code),
          .content_type = "application/xml"};
}

}  // namespace

S3StandIn::S3StandIn() {
  for (const char* method : {"GET", "PUT", "POST", "DELETE"}) {
    server_.on(method, "/*", [this](const ReceivedRequest& request) { return answer(request); });
  }
}

std::map<std::string, std::string> S3StandIn::objects() const {
  const std::lock_guard lock(mutex_);
  return objects_;
}

void S3StandIn::put(const std::string& key, const std::string& content) {
  const std::lock_guard lock(mutex_);
  objects_[key] = content;
}

std::size_t S3StandIn::unfinished_uploads() const {
  const std::lock_guard lock(mutex_);
  return uploads_.size();
}

void S3StandIn::refuse_parts(int count) {
  const std::lock_guard lock(mutex_);
  refused_parts_ = count;
}

ReceiverReply S3StandIn::answer(const ReceivedRequest& request) {
  if (!is_signed(request)) return error(403, "SignatureDoesNotMatch");
  const std::lock_guard lock(mutex_);
  return answer_signed(request);
}

ReceiverReply S3StandIn::answer_signed(const ReceivedRequest& request) {
  const std::string folder = fmt::format("/{}", bucket);
  if (request.path == folder && request.method == "GET") return list(request);
  if (!request.path.starts_with(folder + "/")) return error(404, "NoSuchBucket");
  const std::string key = request.path.substr(folder.size() + 1);
  if (request.method == "POST") return begin_or_complete(request, key);
  if (request.method == "PUT") return take_part(request);
  if (request.method == "GET") return read(request, key);
  const auto fields = sandbox::fields_in(request.query);
  fields.contains("uploadId") ? uploads_.erase(fields.at("uploadId")) : objects_.erase(key);
  return {.status = 204};
}

// Pages of two objects, so that every longer list needs several. The token has characters that must be encoded.
ReceiverReply S3StandIn::list(const ReceivedRequest& request) const {
  const auto fields = sandbox::fields_in(request.query);
  const std::string prefix = fields.at("prefix");
  const std::string after = fields.contains("continuation-token") ? fields.at("continuation-token").substr(3) : "";
  std::string xml = "<ListBucketResult>", last;
  int count = 0;
  for (const auto& [key, content] : objects_) {
    if (!key.starts_with(prefix) || key <= after) continue;
    if (++count > 2) {
      xml += fmt::format("<NextContinuationToken>+/={}</NextContinuationToken>", last);
      break;
    }
    xml += fmt::format("<Contents><Key>{}</Key><Size>{}</Size></Contents>", key, content.size());
    last = key;
  }
  return {.body = xml + "</ListBucketResult>", .content_type = "application/xml"};
}

ReceiverReply S3StandIn::begin_or_complete(const ReceivedRequest& request, const std::string& key) {
  const auto fields = sandbox::fields_in(request.query);
  if (fields.contains("uploads")) {
    const std::string id = fmt::format("upload/{}+=", ++uploads_begun_);
    uploads_[id] = {};
    return {.body = fmt::format("<InitiateMultipartUploadResult><UploadId>{}</UploadId></...>", id),
            .content_type = "application/xml"};
  }
  const auto upload = uploads_.find(fields.at("uploadId"));
  if (upload == uploads_.end()) return error(404, "NoSuchUpload");
  std::string content, expected = "<CompleteMultipartUpload>";
  for (const auto& [number, part] : upload->second) {
    content += part;
    expected += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>\"{}\"</ETag></Part>", number, hex(sha256(part)));
  }
  if (request.body != expected + "</CompleteMultipartUpload>") return error(400, "InvalidPart");
  objects_[key] = content;
  uploads_.erase(upload);
  return {.body = "<CompleteMultipartUploadResult/>", .content_type = "application/xml"};
}

ReceiverReply S3StandIn::take_part(const ReceivedRequest& request) {
  if (refused_parts_ != 0) {
    if (refused_parts_ > 0) --refused_parts_;
    return error(503, "SlowDown");
  }
  const auto fields = sandbox::fields_in(request.query);
  const auto upload = uploads_.find(fields.at("uploadId"));
  if (upload == uploads_.end()) return error(404, "NoSuchUpload");
  upload->second[std::stoi(fields.at("partNumber"))] = request.body;
  return {.headers = {{"ETag", fmt::format("\"{}\"", hex(sha256(request.body)))}}};
}

ReceiverReply S3StandIn::read(const ReceivedRequest& request, const std::string& key) const {
  const auto object = objects_.find(key);
  if (object == objects_.end()) return error(404, "NoSuchKey");
  const std::string range = request.header("range");  // bytes=0-99
  const std::size_t first = std::stoul(range.substr(6)), last = std::stoul(range.substr(range.find('-') + 1));
  return {.status = 206,
          .body = object->second.substr(first, last - first + 1),
          .content_type = "application/octet-stream"};
}

}  // namespace guildhall::test
