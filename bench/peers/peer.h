// What the peers share. A peer is a program of its own around one solver of other people's:
//
//   whorl-peer-NAME PROBLEM ANSWER TOLERANCE THREADS
//
// It solves the problem in PROBLEM until ‖b - A x‖₂ ≤ TOLERANCE ‖b‖₂, as near to that as the solver's own
// stop rule comes, and writes x and its figures to ANSWER. Exit 0, or a line on stderr that says why not.
#pragma once

#include "poisson_file.h"

#include <chrono>
#include <cstdint>

namespace whorl::bench {

struct PeerJob {
  PoissonFile problem;
  AnswerFile answer;
  double tolerance;
  int threads;
};
Result<PeerJob> peer_job(int argc, char** argv);

// The line on stderr; returns the exit status.
int give_up(const char* peer, const std::string& why);

// The most memory that was resident at once in this process.
std::int64_t peak_memory_bytes();

class Stopwatch {
 public:
  // Since it was made, or since the last call.
  double lap() {
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace whorl::bench
