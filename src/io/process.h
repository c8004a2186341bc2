// Running another program: no shell in between, so any name goes through as it is.
#pragma once

#include "whorl/error.h"

#include <string>
#include <vector>

namespace whorl {

struct ProcessOutcome {
  int exit_code = 0;   // 128 + the signal's number where one ended it
  std::string output;  // what it wrote to stdout and stderr
};

// Finds words[0] on PATH and waits for its end. It reads nothing, and is in a process group of its own: a
// Ctrl-C meant for Whorl does not cut it off. ErrorCode::resources where it cannot be started.
Result<ProcessOutcome> run_process(const std::vector<std::string>& words);

}  // namespace whorl
