#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "outbound/http_client.h"

// A bucket of storage that is compatible with S3. Everything throws std::runtime_error with a sentence for the
// operator. A request that fails for a reason that may pass is repeated a few times.
namespace guildhall {

// s3://bucket/prefix
struct S3Location {
  std::string bucket;
  std::string prefix;  // empty, or ending with a slash
  std::string name;    // the rest after the last slash; empty for a folder
};

bool is_s3_url(std::string_view text);

// Throws std::invalid_argument("must be …") for another text. Names may have letters, digits and `-._`.
S3Location parse_s3_url(std::string_view text);

struct S3Server {
  std::string endpoint;  // https://s3.example, without a slash at the end
  outbound::S3Credentials credentials;
  std::size_t part_bytes = 16 << 20;            // the memory that a transfer needs
  std::chrono::milliseconds retry_pause{1000};  // before the second attempt; then twice as long each time
};

struct S3Object {
  std::string name;  // without the prefix
  std::int64_t bytes = 0;
};

class S3Folder {
 public:
  S3Folder(S3Server server, S3Location location);

  std::string url(const std::string& name) const;  // s3://…, for people

  // The objects whose names begin with the text, sorted by name.
  std::vector<S3Object> list(std::string_view begins) const;

  // Uploads the file in parts and verifies the size. After a failure no part of it is left.
  void upload(const std::filesystem::path& file, const std::string& name) const;

  // Writes the object to a new file that only its owner can read.
  void download(const std::string& name, const std::filesystem::path& file) const;

  void remove(const std::string& name) const;

 private:
  outbound::Request request(std::string method, const std::string& name, std::string query) const;
  outbound::Reply send(const outbound::Request& request, std::string_view action) const;
  std::vector<std::string> upload_parts(const std::filesystem::path& file, const std::string& name,
                                        const std::string& upload) const;

  S3Server server_;
  S3Location location_;
};

}  // namespace guildhall
