// Whole steps of a plume (plume.h): on every cell of its box, on a grid that follows the smoke, and in
// Blender.
#include "bandwidth.h"
#include "blender.h"
#include "harness.h"
#include "peers.h"
#include "plume.h"

#include <cstdio>

namespace whorl::bench {

namespace {

std::string box_name(int n, const char* kind, int threads) {
  return std::to_string(n) + "x" + std::to_string(2 * n) + "x" + std::to_string(n) + kind + ", " +
         count_of_threads(threads);
}

class Bench {
 public:
  Bench() : table_("A step of smoke at CFL 2, pressure to 1e-4; the fastest of 20 after 20") {}

  // `dense` is what the row is compared with, or null for the one that others are.
  Result<PlumeFigures> whorl(const PlumeRun& run, double bandwidth, const PlumeFigures* dense) {
    const Result<PlumeFigures> figures = run_plume(run);
    if (!figures) return figures;
    const PlumeFigures& f = figures.value();
    const double moved = plume_bytes_per_cell(f.iterations), bound = 1e9 * moved / bandwidth;
    Row row{f.cells, run.threads, f.iterations, f.seconds, f.mean_seconds, f.peak_bytes};
    row.moved = moved;
    row.bound = bound;
    if (dense) row.times_whorl = f.seconds / dense->seconds;
    const Table::Figures stages = stage_times(f.stages, f.seconds, 1);
    for (const auto& [stage, ms] : stages) row.more.emplace_back(stage + "_ms", ms);
    row.more.insert(row.more.end(), {{"displacement", f.displacement}, {"centre_m", f.centre}});
    add("whorl " + box_name(run.n, run.sparse ? " sparse" : "", run.threads), row);
    print_stages(stages);
    return figures;
  }

  // Says why there are no figures where there are none, and tries no larger box after that.
  void blender(const PlumeRun& run, const PlumeFigures& ours, bool asked_for) {
    if (no_blender_) return;
    const std::string name = box_name(run.n, "", run.threads);
    const double cells = 2. * run.n * run.n * run.n;
    const double expected = blender_seconds_per_cell_ * cells * double(ours.lengths.size() + 1);
    if (expected > patience_s && !asked_for) {
      std::printf("Blender, %s: skipped, would take about %.0f s; --size %d runs it\n", name.c_str(),
                  expected, run.n);
      return;
    }
    const Result<BlenderFigures> figures =
        run_blender({BlenderScene::plume, run.n, run.threads, ours.lengths, run.warm_up, 3600});
    no_blender_ = !figures;
    if (no_blender_) {
      std::printf("Blender, %s: %s\n", name.c_str(), figures.error().message.c_str());
      return;
    }
    const BlenderFigures& f = figures.value();
    const BlenderFrame fastest = fastest_frame(f), sum = sum_of_frames(f);
    const double frames = double(f.frames.size());
    const double simulation = fastest.seconds - fastest.write_seconds;
    blender_seconds_per_cell_ = sum.seconds / frames / cells;
    Row row{cells,  run.threads, f.iterations, simulation, (sum.seconds - sum.write_seconds) / frames,
            f.bytes};
    row.times_whorl = simulation / ours.seconds;
    row.more = {{"frame_ms", 1e3 * fastest.seconds},
                {"write_ms", 1e3 * fastest.write_seconds},
                {"step_ms", 1e3 * fastest.step_seconds},
                {"pressure_ms", 1e3 * fastest.pressure_seconds},
                {"relative_residual", f.residual},
                {"displacement", f.displacement},
                {"centre_m", f.centre},
                {"step_x_whorl", fastest.step_seconds / ours.seconds}};
    add("blender " + name, row);
    std::printf(
        "    ms: frame %.1f, of which writing the cache %.1f (left out above), Mantaflow's step %.1f, its "
        "pressure %.1f; residual %.1e\n",
        1e3 * fastest.seconds, 1e3 * fastest.write_seconds, 1e3 * fastest.step_seconds,
        1e3 * fastest.pressure_seconds, f.residual);
  }

  int write(const std::string& file) const { return table_.write_json(file); }

 private:
  struct Row {
    double cells;
    int threads, iterations;
    double seconds, mean_seconds, held;
    double moved = 0, bound = 0;  // zero: not known
    double times_whorl = 1;       // its time over that of the dense row
    Table::Figures more{};
  };
  void add(const std::string& name, Row& row) {
    const double ns = 1e9 * row.seconds / row.cells;
    row.more.insert(row.more.begin(), {{"threads", double(row.threads)},
                                       {"moved_bytes_per_cell", row.moved},
                                       {"mean_ns_per_cell", 1e9 * row.mean_seconds / row.cells}});
    table_.add(name,
               {{"cells", row.cells},
                {"iterations", double(row.iterations)},
                {"ms", 1e3 * row.seconds},
                {"ns_per_cell", ns},
                {"bound_ns_per_cell", row.bound},
                {"x bound", row.bound > 0 ? ns / row.bound : 0},
                {"bytes_per_cell", row.held / row.cells},
                {"x whorl", row.times_whorl}},
               row.more);
  }

  Table table_;
  double blender_seconds_per_cell_ = 0;
  bool no_blender_ = false;
};

}  // namespace

int smoke(const Options& options) {
  if (const int code = check_step_options(options, "smoke")) return code;
  const std::vector<int> threads = thread_counts(options);
  std::vector<double> bandwidth;
  for (const int count : threads) {
    Exec ex({.threads = count});
    bandwidth.push_back(bytes_per_second(ex));
    std::printf("triad %.1f GB/s, %s\n", 1e-9 * bandwidth.back(), count_of_threads(count).c_str());
  }
  Bench bench;
  for (const int n : step_sizes(options))
    for (std::size_t k = 0; k < threads.size(); ++k) {
      const bool most = k + 1 == threads.size();
      if (!most && n > largest_on_fewer_threads) continue;
      PlumeRun run{.n = n, .threads = threads[k]};
      const Result<PlumeFigures> dense = bench.whorl(run, bandwidth[k], nullptr);
      if (!dense) return failed(dense.error());
      if (!most) continue;
      run.sparse = true;
      const Result<PlumeFigures> sparse = bench.whorl(run, bandwidth[k], &dense.value());
      if (!sparse) return failed(sparse.error());
      if (options.only != "whorl") bench.blender(run, dense.value(), options.size == n);
    }
  return bench.write(options.json);
}

}  // namespace whorl::bench
