#pragma once

#include <string>
#include <string_view>

#include "features/media/picture_codec.h"
#include "features/media/picture_worker.h"

namespace guildhall {

// The binary whose hidden command converts pictures: this program. Tests, which are other programs, set the server's.
inline std::string picture_worker_program = "/proc/self/exe";

// A worker process (picture_worker.h). The destructor kills it if it still runs.
class PictureProcess {
 public:
  // Throws Failure unavailable if the process cannot be started.
  explicit PictureProcess(const PictureWorkerLimits& limits);
  PictureProcess(const PictureProcess&) = delete;
  PictureProcess& operator=(const PictureProcess&) = delete;
  ~PictureProcess();

  int id() const { return id_; }

  // Sends the picture and receives the result. Blocks for limits.time_max at most. Throws Failure: PICTURE_UNREADABLE,
  // PICTURE_TOO_LARGE, PICTURE_ANIMATED, and unavailable if the process could not be confined.
  ConvertedPicture convert(std::string_view bytes);

 private:
  bool send(std::string_view bytes);
  std::string receive();
  bool wait_until_ready(short events);
  int end();

  PictureWorkerLimits limits_;
  std::chrono::steady_clock::time_point deadline_;
  int id_ = -1;
  int socket_ = -1;
};

// Converts an upload in a worker process. Blocks, so call it on a worker pool's thread. Throws not_a_picture, and the
// failures of PictureProcess::convert.
ConvertedPicture convert_in_worker(std::string_view bytes, const PictureWorkerLimits& limits = {});

}  // namespace guildhall
