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

}  // namespace

template <int D>
Result<void> check_memory(const Scene<D>& scene, const Locations& locations, std::uint64_t available) {
  if (!scene.domain || available == 0) return {};
  const Box<D> cells = grid_layout(scene).domain.cells;
  double needed = scene.solver == SolverKind::liquid
                      ? double(liquid_bytes_per_cell) * share_filled(scene)
                      : double(smoke_bytes_per_cell + quantities_of(scene).size() * quantity_bytes_per_cell);
  for (int a = 0; a < D; ++a) needed *= double(cells.hi[a]) - cells.lo[a];
  if (needed <= double(available)) return {};
  const double coarser = std::pow(double(available) / needed, 1.0 / D), gib = 1u << 30;
  const bool by_size = scene.grid.cell_size.has_value();
  const std::string key = by_size ? "grid.cell_size" : "grid.resolution";
  const std::string fits = by_size ? fmt::format("at least {:.3g} m", *scene.grid.cell_size / coarser)
                                   : fmt::format("at most {}", int(*scene.grid.resolution * coarser));
  return Error{
      ErrorCode::resources,
      fmt::format("{}: {}: the full domain may need {:.1f} GiB of memory, {:.1f} GiB are free; allowed: {}",
                  locations.of(key).text(), key, needed / gib, double(available) / gib, fits)};
}

template Result<void> check_memory(const Scene<2>&, const Locations&, std::uint64_t);
template Result<void> check_memory(const Scene<3>&, const Locations&, std::uint64_t);

}  // namespace whorl
