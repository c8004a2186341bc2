#include "scene/memory_check.h"

#include "scene/quantities.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace whorl {

namespace {

// How much of the domain the boxes round the liquid at the start take, with some for what comes later; all up
// to the level that sides keep.
template <int D>
double share_filled(const Scene<D>& scene) {
  double share = 0.1;
  for (const FillConfig<D>& fill : scene.fill) {
    const Bounds<D> bounds = fill.shape.bounds();
    double part = 1;
    for (int a = 0; a < D; ++a) {
      const double lo = scene.domain->min[a], hi = scene.domain->max[a];
      part *= std::clamp((std::min(bounds.hi[a], hi) - std::max(bounds.lo[a], lo)) / (hi - lo), 0., 1.);
    }
    share += part;
  }
  const double floor = scene.domain->min[1], height = scene.domain->max[1] - floor;
  for (int a = 0; a < D; ++a)
    for (int end = 0; end < 2; ++end)
      if (const auto level = scene.domain->level_of(a, end))
        share = std::max(share, (*level - floor) / height);
  return std::min(share, 1.);
}

// Of the whole domain, in bytes.
template <int D>
double needed_memory(const Scene<D>& scene) {
  const Box<D> cells = grid_layout(scene).domain.cells;
  double needed = scene.solver == SolverKind::liquid
                      ? double(liquid_bytes_per_cell) * share_filled(scene)
                      : double(smoke_bytes_per_cell + quantities_of(scene).size() * quantity_bytes_per_cell);
  for (int a = 0; a < D; ++a) needed *= double(cells.hi[a]) - cells.lo[a];
  return needed;
}

// To three digits, and never down.
double rounded_up(double x) {
  const double digit = std::pow(10, std::floor(std::log10(x)) - 2);
  return std::ceil(x / digit) * digit;
}

// A size of cells that fits, as the scene says it; with some room, for what is free changes.
template <int D>
std::string size_that_fits(Scene<D> scene, double available) {
  constexpr double room = 0.95;
  const double coarser = std::pow(room * available / needed_memory(scene), 1.0 / D);
  const auto fits = [&] { return needed_memory(scene) <= room * available; };
  if (auto& size = scene.grid.cell_size) {
    size = rounded_up(*size / coarser);
    for (int k = 0; k < 100 && !fits(); ++k) size = rounded_up(*size * 1.01);  // cells are whole ones
    return fmt::format("at least {:.3g} m", *size);
  }
  auto& resolution = *scene.grid.resolution;
  resolution = std::max(1, int(resolution * coarser));
  while (resolution > 1 && !fits()) --resolution;
  return fmt::format("at most {}", resolution);
}

}  // namespace

template <int D>
Result<void> check_memory(const Scene<D>& scene, const Locations& locations, std::uint64_t available) {
  if (!scene.domain || available == 0) return {};
  const double needed = needed_memory(scene), gib = 1u << 30;
  if (needed <= double(available)) return {};
  const std::string key = scene.grid.cell_size ? "grid.cell_size" : "grid.resolution";
  return Error{
      ErrorCode::resources,
      fmt::format("{}: {}: the full domain may need {:.1f} GiB of memory, {:.1f} GiB are free; allowed: {}",
                  locations.of(key).text(), key, needed / gib, double(available) / gib,
                  size_that_fits(scene, double(available)))};
}

template Result<void> check_memory(const Scene<2>&, const Locations&, std::uint64_t);
template Result<void> check_memory(const Scene<3>&, const Locations&, std::uint64_t);

}  // namespace whorl
