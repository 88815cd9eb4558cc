#include <iostream>

#include "cli/command_line.h"
#include "features/media/picture_worker.h"

int main(int argc, char** argv) {
  // Before anything else: this process reads a picture that may be hostile.
  if (argc > 1 && argv[1] == guildhall::picture_worker_command) return guildhall::run_picture_worker(argc, argv);
  try {
    return guildhall::run_command_line(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "guildhall: " << error.what() << "\n";
    return 1;
  }
}
