// A dam break (dam.h), step by step, and in Blender.
#include "blender.h"
#include "dam.h"
#include "harness.h"
#include "peers.h"
#include "stages/narrow_band.h"

#include <cmath>
#include <cstdio>

namespace whorl::bench {

namespace {

constexpr int cheap = 64;  // up to this many cells along a side a run is repeated
constexpr int rounds = 3;

std::string cube_name(int n, const char* kind, int threads) {
  return std::to_string(n) + "^3" + kind + ", " + count_of_threads(threads);
}

// What Blender takes for the simulation: without its files.
double simulation_seconds(const BlenderFigures& figures) {
  const BlenderFrame sum = sum_of_frames(figures);
  return sum.seconds - sum.write_seconds;
}

// The fastest of several runs of a cube that is small, the only one of others.
template <class Run, class Seconds>
auto fastest_run(int n, const Run& run, const Seconds& seconds) {
  auto best = run();
  for (int k = 1; best && n <= cheap && k < rounds; ++k) {
    auto again = run();
    if (!again || seconds(again.value()) < seconds(best.value())) best = std::move(again);
  }
  return best;
}

class Bench {
 public:
  Bench()
      : table_("A dam break at CFL 4, 8 particles a cell; all steps of some frames of 1/60 s after one") {}

  // `full`: the same run with particles everywhere, or null for that one.
  Result<DamFigures> whorl(const DamRun& run, const DamFigures* full = nullptr) {
    const Result<DamFigures> figures = fastest_run(
        run.n, [&] { return run_dam(run); }, [](const DamFigures& f) { return f.seconds; });
    if (!figures) return figures;
    const DamFigures& f = figures.value();
    const Table::Figures stages = stage_times(f.stages, f.seconds, f.steps);
    Row row{f.steps, f.particle_steps, f.seconds, f.peak_bytes, full};
    row.more = {{"active_cells", f.cell_steps / f.steps}, {"iterations", double(f.iterations) / f.steps}};
    for (const auto& [stage, ms] : stages) row.more.emplace_back(stage + "_ms", ms);
    row.more.emplace_back("centre_m", f.centre);
    row.more.emplace_back("front_m", f.front);
    add("whorl " + cube_name(run.n, full ? " narrow band" : "", run.threads), run, row);
    print_stages(stages);
    return figures;
  }

  // Says why there are no figures where there are none, and tries no larger cube after that.
  void blender(BlenderScene scene, const DamRun& run, const DamFigures& ours, bool asked_for) {
    if (no_blender_) return;
    const bool full = scene == BlenderScene::dam_full;
    const std::string name = cube_name(run.n, full ? " full" : "", run.threads);
    Smaller& smaller = smaller_[full];
    const double expected = smaller.seconds_per_frame * (run.frames + run.warm_up) *
                            (smaller.n ? std::pow(double(run.n) / smaller.n, growth) : 0);
    if (expected > patience_s && !asked_for) {
      std::printf("Blender, %s: skipped, would take about %.0f s; --size %d runs it\n", name.c_str(),
                  expected, run.n);
      return;
    }
    const std::vector<double> lengths(std::size_t(run.warm_up + run.frames), dam_frame);
    const auto simulate = [&] {
      return run_blender({scene, run.n, run.threads, lengths, run.warm_up, 3600});
    };
    const Result<BlenderFigures> figures = fastest_run(run.n, simulate, simulation_seconds);
    no_blender_ = !figures;
    if (no_blender_) {
      std::printf("Blender, %s: %s\n", name.c_str(), figures.error().message.c_str());
      return;
    }
    const BlenderFigures& f = figures.value();
    const BlenderFrame sum = sum_of_frames(f);
    const double to_ms = 1e3 / sum.steps;
    smaller = {run.n, sum.seconds / run.frames};
    Row row{sum.steps, sum.steps * sum.particles, simulation_seconds(f), f.bytes};
    row.ours = &ours;
    row.more = {{"write_ms", to_ms * sum.write_seconds},
                {"step_ms", to_ms * sum.step_seconds},
                {"pressure_ms", to_ms * sum.pressure_seconds},
                {"iterations", double(f.iterations)},
                {"relative_residual", f.residual},
                {"water_cells", f.amount},
                {"centre_m", f.centre}};
    add("blender " + name, run, row);
    std::printf(
        "    ms: Mantaflow's step %.1f, its pressure %.1f; writing the cache %.1f (left out above); %d "
        "iterations to a residual of %.1e\n",
        to_ms * sum.step_seconds, to_ms * sum.pressure_seconds, to_ms * sum.write_seconds, f.iterations,
        f.residual);
  }

  int write(const std::string& file) const { return table_.write_json(file); }

 private:
  static constexpr double growth = 4;  // of a frame's time with the cells along a side: steps are shorter too
  struct Smaller {                     // cube that Blender has been run on
    int n = 0;
    double seconds_per_frame = 0;
  };
  struct Row {
    int steps;
    double particle_steps, seconds, held;
    const DamFigures* ours = nullptr;  // what it is compared with, or null for the one that others are
    Table::Figures more{};
  };
  void add(const std::string& name, const DamRun& run, Row& row) {
    const double times_whorl = row.ours ? row.seconds / row.ours->seconds : 1;
    const double steps_whorl = row.ours ? double(row.steps) / row.ours->steps : 1;
    row.more.insert(row.more.begin(), {{"threads", double(run.threads)}, {"frames", double(run.frames)}});
    table_.add(name,
               {{"cells", std::pow(double(run.n), 3)},
                {"particles", row.particle_steps / row.steps},
                {"steps", double(row.steps)},
                {"ms_per_step", 1e3 * row.seconds / row.steps},
                {"mparticle_steps_per_s", 1e-6 * row.particle_steps / row.seconds},
                {"seconds_per_simulated_second", row.seconds / (run.frames * dam_frame)},
                {"peak_bytes", row.held},
                {"step x whorl", times_whorl / steps_whorl},
                {"x whorl", times_whorl}},
               row.more);
  }

  Table table_;
  Smaller smaller_[2];
  bool no_blender_ = false;
};

}  // namespace

int liquid(const Options& options) {
  if (const int code = check_step_options(options, "liquid")) return code;
  const std::vector<int> threads = thread_counts(options);
  Bench bench;
  for (const int n : step_sizes(options))
    for (std::size_t k = 0; k < threads.size(); ++k) {
      const bool most = k + 1 == threads.size();
      if (!most && n > largest_on_fewer_threads) continue;
      const DamRun run{.n = n, .threads = threads[k], .frames = n > largest_on_fewer_threads ? 10 : 20};
      const Result<DamFigures> ours = bench.whorl(run);
      if (!ours) return failed(ours.error());
      if (!most) continue;
      DamRun band = run;
      band.band = BandParams{}.width;
      if (const Result<DamFigures> narrow = bench.whorl(band, &ours.value()); !narrow)
        return failed(narrow.error());
      if (options.only == "whorl") continue;
      for (const BlenderScene scene : {BlenderScene::dam, BlenderScene::dam_full})
        bench.blender(scene, run, ours.value(), options.size == n);
    }
  return bench.write(options.json);
}

}  // namespace whorl::bench
