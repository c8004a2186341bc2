#include "peers.h"

#include "exec/usable_cores.h"
#include "program.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

namespace whorl::bench {

namespace {

constexpr int max_runs = 4;

// The peer's own line amid what mpirun says, or else the first.
std::string reason_in(const Outcome& outcome) {
  const std::string mark = "whorl-peer-";
  std::size_t begin = outcome.output.find(mark);
  if (begin != std::string::npos) begin = outcome.output.find(": ", begin);
  begin = begin == std::string::npos ? outcome.output.find_first_not_of("-\n") : begin + 2;
  if (begin == std::string::npos) return "exit status " + std::to_string(outcome.exit_code);
  return outcome.output.substr(begin, outcome.output.find('\n', begin) - begin);
}

Result<std::string> program_of(const Peer& peer) {
  Result<std::string> program = beside_this_program("whorl-peer-" + std::string(peer.name));
  if (!program)
    return Error{ErrorCode::usage,
                 "not built (cmake --preset release -DWHORL_PEERS=ON; see bench/README.md)"};
  return program;
}

Result<SolverFigures> solve_once(const Peer& peer, const PoissonFile& problem, AnswerFile& answer,
                                 double tolerance, const PeerLimits& limits) {
  const Result<std::string> program = program_of(peer);
  if (!program) return program.error();
  const int cores = usable_cores();
  const std::string threads = std::to_string(limits.threads > 0 ? limits.threads : cores);
  char tolerance_text[32];
  std::snprintf(tolerance_text, sizeof tolerance_text, "%.6g", tolerance);
  std::vector<std::string> words;
  if (peer.mpi) words = {"mpirun", "-n", threads};
  words.insert(words.end(), {program.value(), problem.path(), answer.path(), tolerance_text, threads});

  const Result<Outcome> outcome = run_program(std::move(words), limits.timeout_s);
  if (!outcome) return outcome.error();
  if (outcome.value().timed_out) {
    char text[64];
    std::snprintf(text, sizeof text, "stopped: not done in %g s", limits.timeout_s);
    return Error{ErrorCode::diverged, text};
  }
  if (outcome.value().exit_code != 0) return Error{ErrorCode::diverged, reason_in(outcome.value())};
  return answer.figures();
}

}  // namespace

Result<PeerResult> run_peer(const Peer& peer, const PoissonFile& problem, const PeerLimits& limits) {
  Result<AnswerFile> answer = AnswerFile::temporary(problem.n());
  if (!answer) return answer.error();
  std::optional<PeerResult> kept;
  PeerResult result;
  result.asked_tolerance = limits.tolerance;
  for (int run = 0; run < max_runs; ++run) {
    const Result<SolverFigures> figures =
        solve_once(peer, problem, answer.value(), result.asked_tolerance, limits);
    if (!figures) return kept ? Result<PeerResult>(*kept) : figures.error();
    result.figures = figures.value();
    result.true_residual = true_residual(problem, answer.value().x());
    const bool met = result.true_residual <= limits.tolerance;
    if (kept) return met ? result : *kept;
    if (met && (peer.two_norm || result.true_residual > 0.25 * limits.tolerance)) return result;
    if (met) kept = result;
    result.asked_tolerance *= std::max((met ? 0.7 : 0.9) * limits.tolerance / result.true_residual, 0.01);
  }
  if (kept) return *kept;
  char text[64];
  std::snprintf(text, sizeof text, "its residual stays at %.2g", result.true_residual);
  return Error{ErrorCode::diverged, text};
}

double predicted_seconds(const Peer& peer, const SolverFigures& smaller, int smaller_n, int n) {
  const double ratio = double(n) / smaller_n;
  return smaller.setup_s * std::pow(ratio, 3) + smaller.solve_s * std::pow(ratio, peer.solve_growth);
}

}  // namespace whorl::bench
