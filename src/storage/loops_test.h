#pragma once

#include <array>
#include <memory>

#include "support/engines.h"
#include "support/run_task.h"

namespace guildhall::test {

// A database that two loops use, on each engine. A test calls open_loops() when it has made its tables.
class LoopsOnEachEngine : public OnEachEngine {
 protected:
  struct Loop {
    LoopThread thread;
    std::unique_ptr<Database> db;
  };

  void open_loops() {
    for (Loop& loop : loops) loop.db = storage->open(loop.thread.context());
  }

  void reopen_with(StorageOptions options) {
    for (Loop& loop : loops) loop.db.reset();
    reopen(std::move(options));
    open_loops();
  }

  std::array<Loop, 2> loops;

  void TearDown() override {
    for (Loop& loop : loops) {
      loop.thread.stop();
      loop.db.reset();
    }
  }
};

}  // namespace guildhall::test
