#include "exec/usable_cores.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace whorl {

namespace {

// Of those that taskset or a batch system leaves us; 0 where it cannot be told.
int allowed_cores() {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return 0;
}

}  // namespace

int cores_of_quota(const std::string& limit) {
  std::istringstream words(limit);
  long long quota = 0, period = 0;
  if (!(words >> quota >> period) || quota <= 0 || period <= 0) return 0;
  return int(std::min<long long>((quota + period - 1) / period, 1 << 20));
}

int usable_cores() {
  int cores = allowed_cores();
  if (cores == 0) cores = int(std::thread::hardware_concurrency());
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string limit;
  if (std::getline(file, limit))
    if (const int most = cores_of_quota(limit); most > 0) cores = std::min(cores, most);
  return std::max(1, cores);
}

}  // namespace whorl
