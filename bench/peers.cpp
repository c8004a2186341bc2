#include "peers.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace whorl::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int max_runs = 4;

struct Outcome {
  int exit_code = 0;
  bool timed_out = false;
  std::string output;
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

// Open MPI refuses to run as root, or with more ranks than it sees cores, unless told. Other MPIs take no
// notice of these.
std::vector<std::string> environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) variables.emplace_back(*variable);
  for (const char* more : {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                           "OMPI_MCA_rmaps_base_oversubscribe=1"})
    variables.emplace_back(more);
  return variables;
}

// None if it ran past the deadline.
std::optional<int> wait_until(pid_t child, Clock::time_point deadline) {
  for (;;) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (Clock::now() > deadline) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

std::string read_from_start(std::FILE* file) {
  std::rewind(file);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

// It stays in our process group, so that a Ctrl-C ends it as well.
Result<Outcome> run_program(std::vector<std::string> words, double timeout_s) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(std::tmpfile(), std::fclose);
  if (!output) return Error{ErrorCode::resources, std::string("no temporary file: ") + std::strerror(errno)};
  std::vector<std::string> variables = environment();
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_adddup2(&streams, fileno(output.get()), stream);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0].c_str(), &streams, nullptr, pointers(words).data(),
                                  pointers(variables).data());
  posix_spawn_file_actions_destroy(&streams);
  if (failed) return Error{ErrorCode::resources, "cannot start " + words[0] + ": " + std::strerror(failed)};

  Outcome outcome;
  const auto in = [](double s) { return Clock::now() + std::chrono::microseconds(std::int64_t(1e6 * s)); };
  std::optional<int> code = wait_until(child, in(timeout_s));
  if (!code) {
    outcome.timed_out = true;
    kill(child, SIGTERM);  // mpirun passes it on to its ranks
    code = wait_until(child, in(5));
  }
  if (!code) {
    kill(child, SIGKILL);
    code = wait_until(child, Clock::time_point::max());
  }
  outcome.exit_code = *code;
  outcome.output = read_from_start(output.get());
  return outcome;
}

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
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::filesystem::path program = self.parent_path() / ("whorl-peer-" + std::string(peer.name));
  if (failed || !std::filesystem::exists(program, failed))
    return Error{ErrorCode::usage,
                 "not built (cmake --preset release -DWHORL_PEERS=ON; see bench/README.md)"};
  return program.string();
}

Result<SolverFigures> solve_once(const Peer& peer, const PoissonFile& problem, AnswerFile& answer,
                                 double tolerance, const PeerLimits& limits) {
  const Result<std::string> program = program_of(peer);
  if (!program) return program.error();
  const int cores = std::max(1, int(std::thread::hardware_concurrency()));
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
