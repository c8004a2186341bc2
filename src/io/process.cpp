#include "io/process.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace whorl {

namespace {

// posix_spawn's two parameter blocks: where the child's streams go, and its process group.
class SpawnSettings {
 public:
  explicit SpawnSettings(int output) {
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&streams, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&streams, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&streams);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t streams;
  posix_spawnattr_t attributes;
};

// Until the other end is closed.
std::string read_all(int file) {
  std::string text;
  char part[4096];
  for (;;) {
    const ssize_t n = read(file, part, sizeof part);
    if (n > 0)
      text.append(part, std::size_t(n));
    else if (n == 0 || errno != EINTR)
      return text;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<ProcessOutcome> run_process(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  const auto cannot_start = [&](int reason) {
    return Error{ErrorCode::resources, fmt::format("cannot start {}: {}", words[0], std::strerror(reason))};
  };
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return cannot_start(errno);
  pid_t child = 0;
  const SpawnSettings settings(ends[1]);
  const int failed =
      posix_spawnp(&child, arguments[0], &settings.streams, &settings.attributes, arguments.data(), environ);
  close(ends[1]);
  ProcessOutcome outcome;
  if (failed == 0) {
    outcome.output = read_all(ends[0]);
    outcome.exit_code = wait_for(child);
  }
  close(ends[0]);
  if (failed != 0) return cannot_start(failed);
  return outcome;
}

}  // namespace whorl
