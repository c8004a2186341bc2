// The peers of the pressure solvers alone, a row each, on V-P1's problem.
#include "harness.h"
#include "peers.h"
#include "sphere_problem.h"

#include <cstdio>
#include <map>

namespace whorl::bench {

namespace {

// A size at which any peer is quick; larger ones are predicted from it.
constexpr int small_size = 64;

// Why the peer should not run on n³ cells, or nothing.
std::string too_slow(const Peer& peer, const std::map<int, PeerResult>& earlier, int n) {
  if (earlier.empty()) return {};
  const auto& [smaller_n, smaller] = *earlier.rbegin();
  const double seconds = predicted_seconds(peer, smaller.figures, smaller_n, n);
  if (seconds <= patience_s) return {};
  char text[96];
  std::snprintf(text, sizeof text, "skipped: would take about %.0f s, judging by %d^3", seconds, smaller_n);
  return text;
}

void add_row(Table& table, const std::string& title, const PeerResult& result, int n) {
  const SolverFigures& f = result.figures;
  const double cells = double(n) * n * n;
  table.add(title, {{"setup s", f.setup_s},
                    {"solve s", f.solve_s},
                    {"iterations", double(f.iterations)},
                    {"ns/cell", 1e9 * (f.setup_s + f.solve_s) / cells},
                    {"residual/1e-6", 1e6 * result.true_residual},
                    {"bytes/cell", double(f.peak_memory_bytes) / cells}});
}

}  // namespace

int poisson_peers(const Options& options) {
  std::vector<int> sizes = {small_size, 128};
  if (options.size)
    sizes = options.size > small_size ? std::vector{small_size, options.size} : std::vector{options.size};
  PeerLimits limits;
  if (!options.threads.empty()) limits.threads = options.threads.back();
  Table table("V-P1's problem to a residual of 1e-6");
  std::map<std::string, std::map<int, PeerResult>> results;
  for (const int n : sizes) {
    const Result<PoissonFile> problem = sphere_problem(n);
    if (!problem) {
      std::fprintf(stderr, "whorl-bench: %s\n", problem.error().message.c_str());
      return int(problem.error().code);
    }
    for (const Peer& peer : peers) {
      const std::string title = std::string(peer.title) + ", " + std::to_string(n) + "^3";
      std::string why_not = too_slow(peer, results[peer.name], n);
      if (why_not.empty()) {
        const Result<PeerResult> result = run_peer(peer, problem.value(), limits);
        if (result) {
          results[peer.name].emplace(n, result.value());
          add_row(table, title, result.value(), n);
        } else {
          why_not = result.error().message;
        }
      }
      if (!why_not.empty()) std::printf("%s: %s\n", title.c_str(), why_not.c_str());
    }
  }
  return table.write_json(options.json);
}

}  // namespace whorl::bench
