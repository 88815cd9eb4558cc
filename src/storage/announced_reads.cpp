#include "storage/announced_reads.h"

namespace guildhall {
namespace {

class NoTransaction : public std::exception {};

// Keeps the reads that are announced. Everything else ends the function.
class AnnouncedReads : public Tx {
 public:
  using Tx::run;
  std::int64_t run(const Query& /*query*/, RowSink /*sink*/) override { throw NoTransaction(); }
  using Tx::later;
  void later(Query /*query*/, Refused /*refused*/) override { throw NoTransaction(); }
  void read_ahead(Query query) override { queries.push_back(std::move(query)); }
  bool has_single_writer() const override { return false; }

  std::vector<Query> queries;

 private:
  void run_script(std::string_view /*statements*/) override { throw NoTransaction(); }
  void lift_time_limits() override { throw NoTransaction(); }
};

}  // namespace

std::vector<Query> announced_reads(FunctionRef<void(Tx&)> announce) {
  AnnouncedReads reads;
  try {
    announce(reads);
  } catch (const NoTransaction&) {
    return {};
  }
  return std::move(reads.queries);
}

}  // namespace guildhall
