#include "sim/plan_costs.h"

#include "scene/config.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace whorl {
namespace {

constexpr double video_share = 0.1;  // of the images

Written times(const Written& w, double n) { return {w.bytes * n, w.seconds * n, w.held * n, w.left * n}; }

Written each_of(const Written& all, double number) { return number > 0 ? times(all, 1 / number) : Written{}; }

// Of a frame, beyond what those of an empty one take.
Written beyond(const Written& all, const Written& empty) {
  return {std::max(all.bytes - empty.bytes, 0.), std::max(all.seconds - empty.seconds, 0.),
          std::max(all.held - empty.held, 0.), std::max(all.left - empty.left, 0.)};
}

// Cells at the surface of something that size.
double surface_of(double size, int dimension) { return std::pow(size, double(dimension - 1) / dimension); }

void add_times(Costs& costs, const Trial& trial, const StepRule& rule) {
  std::vector<std::size_t> full, empty;
  for (std::size_t k = 0; k < trial.frames.size(); ++k)
    (has_fluid(trial.frames[k], rule.liquid) ? full : empty).push_back(k);
  // The first has the system's memory to get; later ones say more.
  if (full.size() > 1) full.erase(full.begin());
  double work = 0, seconds = 0;
  for (const std::size_t k : full) {
    const FrameStatistics& frame = trial.frames[k];
    work += work_of(double(frame.active_cells), double(frame.particles), rule) * frame.substeps;
    seconds += trial.seconds[k];
  }
  if (work > 0) costs.step_seconds = seconds / work;
  for (const std::size_t k : empty) costs.empty_frame_seconds += trial.seconds[k] / double(empty.size());
}

// Of the simulation, in memory and in a checkpoint.
void add_weights(Costs& costs, const Trial& trial, const StepRule& rule) {
  const auto weight = [&](const FrameStatistics& frame) {
    return weight_of(double(frame.active_cells), double(frame.particles), rule.dimension);
  };
  double heaviest = 0;
  for (const FrameStatistics& frame : trial.frames) heaviest = std::max(heaviest, weight(frame));
  if (heaviest > 0) costs.memory = (trial.at_most - trial.before) / heaviest;
  if (trial.at_most > trial.before)
    costs.between = std::clamp((trial.between - trial.before) / (trial.at_most - trial.before), 0., 1.);
  // A little fluid that comes late may find its memory there, or have the system hand out far more in one go.
  if (!has_fluid(trial.frames.front(), rule.liquid) && has_fluid(trial, rule.liquid))
    costs.memory = std::clamp(costs.memory, 0.5, 3.);
  if (const double last = weight(trial.frames.back()); last > 0)
    costs.checkpoint = trial.checkpoint / last;
  else
    costs.empty_checkpoint = trial.checkpoint;
}

void add_files(Costs& costs, const Trial& trial, const StepRule& rule) {
  const FrameFiles& files = trial.files;
  const double size = trial.files_of > 0 ? size_of(trial.frames[std::size_t(trial.files_of - 1)], rule) : 0;
  const double surface = surface_of(size, rule.dimension);
  costs.files = {.of_size = each_of(files.of_size, size),
                 .of_surface = each_of(files.of_surface, surface),
                 .whitewater = each_of(files.whitewater, surface),
                 .images = files.images,
                 .exr = files.exr};
  if (size > 0) return;
  for (const Written& file : {files.of_size, files.of_surface, files.whitewater}) {
    costs.empty_files.bytes += file.bytes;
    costs.empty_files.seconds += file.seconds;
    costs.empty_files.held = std::max(costs.empty_files.held, file.held);
  }
}

}  // namespace

double weight_of(double cells, double particles, int dimension) {
  // A cell full of liquid has 2^D particles.
  constexpr double more = liquid_bytes_per_cell - smoke_bytes_per_cell;
  return cells * smoke_bytes_per_cell + particles * more / (1 << dimension);
}

double work_of(double cells, double particles, const StepRule& rule) {
  if (rule.at_surface) return weight_of(cells, particles, rule.dimension);
  return rule.liquid ? particles : cells;
}

Costs costs_of(const Trial& trial, const StepRule& rule) {
  Costs costs{.before = trial.before, .at_most = trial.at_most};
  add_times(costs, trial, rule);
  add_weights(costs, trial, rule);
  add_files(costs, trial, rule);
  return costs;
}

Costs costs_of(const Trial& first, const CoarseRun& coarse, const StepRule& rule) {
  StepRule rough = rule;
  rough.h *= coarse.factor;
  Trial fluid = coarse.trial;
  fluid.files.of_size = beyond(fluid.files.of_size, first.files.of_size);
  fluid.files.of_surface = beyond(fluid.files.of_surface, first.files.of_surface);
  fluid.files.whitewater = beyond(fluid.files.whitewater, first.files.whitewater);
  fluid.checkpoint = std::max(fluid.checkpoint - first.checkpoint, 0.);
  const Costs of_fluid = costs_of(fluid, rough);
  Costs costs = costs_of(first, rule);  // of an empty scene, and of its pictures
  costs.step_seconds = of_fluid.step_seconds;
  costs.memory = of_fluid.memory;
  costs.between = of_fluid.between;
  costs.checkpoint = of_fluid.checkpoint;
  costs.files.of_size = of_fluid.files.of_size;
  costs.files.of_surface = of_fluid.files.of_surface;
  costs.files.whitewater = of_fluid.files.whitewater;
  return costs;
}

RunPlan extrapolate(const Costs& costs, const Growth& growth, const StepRule& rule, int checkpoints) {
  RunPlan plan;
  double heaviest = 0;
  const FrameFiles& each = costs.files;
  for (std::size_t k = 0; k < growth.size.size(); ++k) {
    const double size = growth.size[k], surface = surface_of(size, rule.dimension);
    const double cells = growth.cells[k], particles = growth.particles[k];
    const double weight = weight_of(cells, particles, rule.dimension);
    heaviest = std::max(heaviest, weight);
    plan.most_cells = std::max(plan.most_cells, cells);
    plan.most_particles = std::max(plan.most_particles, particles);
    plan.steps += growth.steps[k];

    const PictureGrowth& picture = growth.pictures[k];
    plan.seconds += size > 0 ? costs.step_seconds * work_of(cells, particles, rule) * growth.steps[k]
                             : costs.empty_frame_seconds;
    plan.seconds += costs.empty_files.seconds + each.of_size.seconds * size +
                    (each.of_surface.seconds + each.whitewater.seconds) * surface +
                    (each.images.seconds + each.exr.seconds) * picture.times_seconds;
    plan.disk_bytes += costs.empty_files.bytes + each.of_size.bytes * size +
                       (each.of_surface.bytes + each.whitewater.bytes) * surface +
                       (each.images.bytes * (1 + video_share) + each.exr.bytes) * picture.times_bytes;
    // Files are written one after the other, but the mesh stays until the next frame, and a picture for both
    // of its.
    const double mesh = each.of_surface.left * surface;
    const double pictures = std::max(each.images.held, each.images.left + each.exr.held);
    const double files = std::max({each.of_surface.held * surface, each.of_size.held * size + mesh,
                                   each.whitewater.held * surface + mesh,
                                   pictures > 0 ? pictures + picture.more_held + mesh : 0});
    const double simulation = std::max(costs.at_most, costs.before + costs.memory * weight);
    const double between = costs.before + costs.between * (simulation - costs.before);
    plan.memory_bytes =
        std::max({plan.memory_bytes, simulation, between + std::max(files, costs.empty_files.held)});
  }
  plan.disk_bytes += checkpoints * (costs.empty_checkpoint + costs.checkpoint * heaviest);
  return plan;
}

}  // namespace whorl
