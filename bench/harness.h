// What the benchmarks share: options, timing side by side, and a table that is also JSON.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace whorl::bench {

struct Options {
  int size = 0;              // 0: the benchmark's own
  std::vector<int> threads;  // empty: one, and one a core
  std::string json;          // a file, or empty
  std::string svg;           // of a plot, where the benchmark has one
  std::string only;          // one of the solvers that are compared, or empty for all
};

// Runs every task once to warm up, then all of them in turn, `rounds` times; the best seconds of each.
// In turn, so that a busy moment of a shared machine falls on all alike.
std::vector<double> best_seconds(int rounds, const std::vector<std::function<void()>>& tasks);

// One line a measurement, a column a figure; a figure that a line lacks prints as nothing.
class Table {
 public:
  using Figures = std::vector<std::pair<std::string, double>>;
  explicit Table(std::string title, std::string name_key = "name")
      : title_(std::move(title)), name_key_(std::move(name_key)) {}

  // Prints it, with the column heads before the first; `more` goes to the file alone.
  void add(std::string name, Figures figures, Figures more = {});
  int write_json(const std::string& file) const;  // 0, or the exit code after saying why not

 private:
  std::string title_, name_key_;
  std::vector<std::pair<std::string, Figures>> lines_;
};

// One, and as many as there are cores, unless the user said otherwise.
std::vector<int> thread_counts(const Options& options);

int stencil(const Options& options);
int advect(const Options& options);
int poisson(const Options& options);
int sparse(const Options& options);
int smoke(const Options& options);
int diffuse(const Options& options);
#if WHORL_HAVE_CUDA
int cuda(const Options& options);
#endif

}  // namespace whorl::bench
