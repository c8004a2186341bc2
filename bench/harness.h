// What the benchmarks share: options, timing side by side, and a table that is also JSON.
#pragma once

#include "base/profile.h"
#include "whorl/error.h"

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

double now();  // s, of a clock that only goes forward

// Runs every task once to warm up, then all of them in turn, `rounds` times; the best seconds of each.
// In turn, so that a busy moment of a shared machine falls on all alike.
std::vector<double> best_seconds(int rounds, const std::vector<std::function<void()>>& tasks);

// Writes a file that was asked for, if it has a name. 0, or the exit code after saying why not.
int write_file(const std::string& file, const std::string& text);

// One line a measurement, a column a figure; a figure that a line lacks prints as nothing.
class Table {
 public:
  using Figures = std::vector<std::pair<std::string, double>>;
  explicit Table(std::string title, std::string name_key = "name")
      : title_(std::move(title)), name_key_(std::move(name_key)) {}

  // Prints it, with the column heads before the first; `more` goes to the file alone.
  void add(std::string name, Figures figures, Figures more = {});
  int write_json(const std::string& file) const;  // as write_file

 private:
  std::string title_, name_key_;
  std::vector<std::pair<std::string, Figures>> lines_;
};

// One, and as many as there are cores, unless the user said otherwise.
std::vector<int> thread_counts(const Options& options);
std::string count_of_threads(int threads);  // "1 thread", "2 threads"

// Of benchmarks of whole steps, whose peer is Blender: above this many cells along a side, fewer threads than
// all take minutes and say nothing new.
inline constexpr int largest_on_fewer_threads = 128;
// 0 if --size is whole tiles and --only nothing or whorl, or the exit code after saying what is wrong.
int check_step_options(const Options& options, const char* benchmark);
std::vector<int> step_sizes(const Options& options);

// "project", "project/pcg" … and the milliseconds that each took a step, from the zones of `steps` steps that
// took `seconds`; of deeper zones no more is said than their parents' time. "other" is what lies between
// zones.
Table::Figures stage_times(const std::vector<Profile::Entry>& zones, double seconds, int steps);
void print_stages(const Table::Figures& stages);  // those of at least 1%, on a line

int failed(const Error& error);  // the exit code, after saying why

int stencil(const Options& options);
int advect(const Options& options);
int poisson(const Options& options);
int sparse(const Options& options);
int smoke(const Options& options);
int liquid(const Options& options);
int diffuse(const Options& options);
#if WHORL_HAVE_CUDA
int cuda(const Options& options);
#endif

}  // namespace whorl::bench
