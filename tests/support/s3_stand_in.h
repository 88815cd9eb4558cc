#pragma once

#include <map>
#include <mutex>
#include <string>

#include "support/http_receiver.h"

namespace guildhall::test {

// Storage that is compatible with S3, with one bucket. It computes the signature (AWS Signature Version 4) of every
// request with its own code, and refuses a wrong one with 403.
class S3StandIn {
 public:
  static constexpr const char* bucket = "backups";
  static constexpr const char* region = "eu-test-1";
  static constexpr const char* access_key = "the-access-key";
  static constexpr const char* secret_key = "the/secret+key";

  S3StandIn();

  std::string url() const { return server_.url(); }
  std::map<std::string, std::string> objects() const;  // by key
  void put(const std::string& key, const std::string& content);
  std::size_t unfinished_uploads() const;

  // Answers 503 to the next parts, or (with a negative number) to all.
  void refuse_parts(int count);

 private:
  ReceiverReply answer(const ReceivedRequest& request);
  ReceiverReply answer_signed(const ReceivedRequest& request);
  ReceiverReply list(const ReceivedRequest& request) const;
  ReceiverReply begin_or_complete(const ReceivedRequest& request, const std::string& key);
  ReceiverReply take_part(const ReceivedRequest& request);
  ReceiverReply read(const ReceivedRequest& request, const std::string& key) const;

  mutable std::mutex mutex_;
  std::map<std::string, std::string> objects_;
  std::map<std::string, std::map<int, std::string>> uploads_;  // the parts by number
  int refused_parts_ = 0;
  int uploads_begun_ = 0;
  HttpReceiver server_;  // last: its threads use the others
};

}  // namespace guildhall::test
