#include "harness.h"

#include "exec/tile_index.h"
#include "exec/usable_cores.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace whorl::bench {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<double> best_seconds(int rounds, const std::vector<std::function<void()>>& tasks) {
  std::vector<double> best(tasks.size(), std::numeric_limits<double>::infinity());
  for (int round = -1; round < rounds; ++round)
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      const double start = now();
      tasks[k]();
      const double seconds = now() - start;
      if (round >= 0) best[k] = std::min(best[k], seconds);
    }
  return best;
}

void Table::add(std::string name, Figures figures, Figures more) {
  if (lines_.empty()) {
    std::printf("%s\n%-44s", title_.c_str(), "");
    for (const auto& [key, value] : figures) std::printf("  %8s", key.c_str());
    std::printf("\n");
  }
  std::printf("%-44s", name.c_str());
  for (const auto& [key, value] : figures) {
    const int width = std::max(8, int(key.size()));
    if (value != 0 && std::abs(value) < 1e-3)
      std::printf("  %*.1e", width, value);
    else
      std::printf("  %*.*f", width, value < 10 ? 3 : value < 1e5 ? 1 : 0, value);
  }
  std::printf("\n");
  std::fflush(stdout);
  figures.insert(figures.end(), more.begin(), more.end());
  lines_.emplace_back(std::move(name), std::move(figures));
}

int write_file(const std::string& file, const std::string& text) {
  if (file.empty()) return 0;
  std::FILE* out = std::fopen(file.c_str(), "w");
  const bool written = out && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if ((!out || std::fclose(out) == 0) && written) return 0;
  std::fprintf(stderr, "whorl-bench: cannot write %s: %s\n", file.c_str(), std::strerror(errno));
  return 5;
}

int Table::write_json(const std::string& file) const {
  std::string text = "{\"title\": \"" + title_ + "\", \"lines\": [";
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    text += std::string(k ? "," : "") + "\n  {\"" + name_key_ + "\": \"" + lines_[k].first + "\"";
    for (const auto& [key, value] : lines_[k].second) {
      char number[32];
      std::snprintf(number, sizeof number, "%.9g", value);
      text += ", \"" + key + "\": " + number;
    }
    text += "}";
  }
  return write_file(file, text + "\n]}\n");
}

Table::Figures stage_times(const std::vector<Profile::Entry>& zones, double seconds, int steps) {
  Table::Figures times;
  double rest = seconds;
  for (const Profile::Entry& e : zones) {
    const auto depth = std::count(e.name.begin(), e.name.end(), '/');
    if (depth == 0 || depth > 2) continue;
    times.emplace_back(e.name.substr(e.name.find('/') + 1), 1e3 * e.seconds / steps);
    if (depth == 1) rest -= e.seconds;
  }
  times.emplace_back("other", 1e3 * rest / steps);
  return times;
}

void print_stages(const Table::Figures& stages) {
  double total = 0;
  for (const auto& [stage, ms] : stages)
    if (stage.find('/') == std::string::npos) total += ms;
  std::printf("    ms:");
  for (const auto& [stage, ms] : stages)
    if (ms >= 0.01 * total) std::printf(" %s %.*f", stage.c_str(), ms < 10 ? 2 : 1, ms);
  std::printf("\n");
}

int failed(const Error& error) {
  std::fprintf(stderr, "whorl-bench: %s\n", error.message.c_str());
  return int(error.code);
}

std::vector<int> thread_counts(const Options& options) {
  if (!options.threads.empty()) return options.threads;
  const int cores = usable_cores();
  return cores == 1 ? std::vector<int>{1} : std::vector<int>{1, cores};
}

std::string count_of_threads(int threads) {
  return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

int check_step_options(const Options& options, const char* benchmark) {
  if (options.size % tile_side != 0 || options.size > 512) {
    std::fprintf(stderr, "whorl-bench: --size must be a multiple of %d up to 512, not %d\n", tile_side,
                 options.size);
    return 2;
  }
  if (!options.only.empty() && options.only != "whorl") {
    std::fprintf(stderr, "whorl-bench: %s knows --only whorl, not '%s'\n", benchmark, options.only.c_str());
    return 2;
  }
  return 0;
}

std::vector<int> step_sizes(const Options& options) {
  return options.size ? std::vector{options.size} : std::vector{64, 128, 192};
}

}  // namespace whorl::bench
