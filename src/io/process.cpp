#include "io/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fstream>
#include <new>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

// False where the other end is closed.
bool write_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(file, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= std::size_t(n);
  }
  return true;
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

namespace {

void limit(int resource, std::uint64_t most) {
  const rlimit both{most, most};
  setrlimit(resource, &both);
}

// Of memory, beyond what there is already, and of time: some to begin with, and more for a larger file.
void limit_reading(std::uint64_t file_bytes) {
  constexpr std::uint64_t least_memory = 256 << 20, memory_a_byte = 256;
  constexpr std::uint64_t least_seconds = 2, bytes_a_second = 1 << 20;
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  if (pages)
    limit(RLIMIT_AS,
          pages * std::uint64_t(sysconf(_SC_PAGESIZE)) + least_memory + memory_a_byte * file_bytes);
  const std::uint64_t seconds = least_seconds + file_bytes / bytes_a_second;
  limit(RLIMIT_CPU, seconds);
  alarm(unsigned(10 * seconds));  // should it wait for something
  limit(RLIMIT_CORE, 0);
}

// What the other side has to be told: a code, 0 for none, and a text.
[[noreturn]] void report(int output, int code, const std::string& text) {
  const bool written = write_all(output, reinterpret_cast<const char*>(&code), sizeof code) &&
                       write_all(output, text.data(), text.size());
  _exit(written ? 0 : 1);
}

[[noreturn]] void read_as_child(int output, std::uint64_t file_bytes,
                                const std::function<Result<std::string>()>& read) {
  setpgid(0, 0);                     // a Ctrl-C meant for Whorl does not cut it off,
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // but it does not outlive Whorl, whose locks it holds
  for (const int fault :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGXCPU, SIGALRM, SIGPIPE})
    std::signal(fault, SIG_DFL);
  if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  limit_reading(file_bytes);
  try {
    const Result<std::string> result = read();
    report(output, result ? 0 : int(result.error().code), result ? result.value() : result.error().message);
  } catch (const std::bad_alloc&) {
    report(output, int(ErrorCode::resources), "not enough memory");
  } catch (const std::exception& e) {
    report(output, int(ErrorCode::usage), e.what());
  }
}

}  // namespace

std::optional<Result<std::string>> read_apart(std::uint64_t file_bytes,
                                              const std::function<Result<std::string>()>& read) {
  const auto cannot_start = [] {
    return Error{ErrorCode::resources, fmt::format("cannot start a process: {}", std::strerror(errno))};
  };
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return cannot_start();
  const pid_t child = fork();
  if (child == 0) read_as_child(ends[1], file_bytes, read);
  const Error no_child = cannot_start();
  close(ends[1]);
  std::string text = child < 0 ? "" : read_all(ends[0]);
  close(ends[0]);
  if (child < 0) return no_child;
  int code = 0;
  if (wait_for(child) != 0 || text.size() < sizeof code) return {};
  std::memcpy(&code, text.data(), sizeof code);
  text.erase(0, sizeof code);
  if (code != 0) return Error{ErrorCode(code), text};
  return text;
}

}  // namespace whorl
