#include "program.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace whorl::bench {

namespace {

using Clock = std::chrono::steady_clock;

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

}  // namespace

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
  if (failed)
    return Error{failed == ENOENT ? ErrorCode::usage : ErrorCode::resources,
                 "cannot start " + words[0] + ": " + std::strerror(failed)};

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

Result<std::string> beside_this_program(const std::string& name) {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::filesystem::path file = self.parent_path() / name;
  if (failed || !std::filesystem::exists(file, failed))
    return Error{ErrorCode::usage, "no " + name + " beside this program"};
  return file.string();
}

}  // namespace whorl::bench
