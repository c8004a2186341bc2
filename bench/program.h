// Other programs, run to their end or to the end of our patience.
#pragma once

#include "whorl/error.h"

#include <string>
#include <vector>

namespace whorl::bench {

struct Outcome {
  int exit_code = 0;
  bool timed_out = false;
  std::string output;  // the beginning of what it printed, errors included
};

// The first word is a path, or a name to be found by PATH. The program stays in our process group, so that a
// Ctrl-C ends it as well. An error: it could not be started; of code usage, it is not installed.
Result<Outcome> run_program(std::vector<std::string> words, double timeout_s);

// Where a file that is installed beside this program is; an error where it is not there.
Result<std::string> beside_this_program(const std::string& name);

}  // namespace whorl::bench
