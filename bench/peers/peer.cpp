#include "peer.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <sys/prctl.h>

namespace whorl::bench {

Result<PeerJob> peer_job(int argc, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left to read the answer
  if (argc != 5) return Error{ErrorCode::usage, "wanted PROBLEM ANSWER TOLERANCE THREADS"};
  const double tolerance = std::strtod(argv[3], nullptr);
  const int threads = std::atoi(argv[4]);
  if (!(tolerance > 0) || threads < 1)
    return Error{ErrorCode::usage, "TOLERANCE and THREADS must be positive"};
  Result<PoissonFile> problem = PoissonFile::open(argv[1]);
  if (!problem) return problem.error();
  Result<AnswerFile> answer = AnswerFile::open(argv[2], problem.value().n());
  if (!answer) return answer.error();
  return PeerJob{std::move(problem).value(), std::move(answer).value(), tolerance, threads};
}

int give_up(const char* peer, const std::string& why) {
  std::fprintf(stderr, "whorl-peer-%s: %s\n", peer, why.c_str());
  return 1;
}

// Not getrusage: its figure outlives exec, so it would be that of a larger parent.
std::int64_t peak_memory_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (std::int64_t kib = 0; word == "VmHWM:" && status >> kib) return kib * 1024;
  return 0;
}

}  // namespace whorl::bench
