// Other processes: another program, with no shell in between, so that any name goes through as it is; and a
// piece of this one, for libraries that cannot be trusted with a damaged file.
#pragma once

#include "whorl/error.h"

#include <cstdint>
#include <functional>
#include <optional>
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

// What `read` makes of a file of this many bytes, in a copy of this process that ends with it: nothing else
// that it does is seen here. Nothing where it crashed, or took far more memory or time than such a file is
// worth. It must not use threads, and what it says on stderr is lost.
std::optional<Result<std::string>> read_apart(std::uint64_t file_bytes,
                                              const std::function<Result<std::string>()>& read);

}  // namespace whorl
