#include "sim/liquid_paths.h"

#include "exec/reduce.h"
#include "exec/shapes.h"
#include "exec/sort.h"
#include "sim/cached_frame.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

constexpr double farthest_off = 2;  // cells between where velocities lead and where a particle is

// The places in `table`, in the order of ids.
std::vector<std::uint32_t> by_id(Exec& ex, const ParticleTable& table) {
  Buffer<std::uint64_t> id = ex.buffer<std::uint64_t>(table.id.size());
  Buffer<std::uint32_t> which = ex.buffer<std::uint32_t>(table.id.size());
  std::copy(table.id.begin(), table.id.end(), id.begin());
  for (std::size_t i = 0; i < which.size(); ++i) which[i] = std::uint32_t(i);
  sort_by_key(ex, id, which);
  return {which.begin(), which.end()};
}

}  // namespace

LiquidPaths::LiquidPaths(Exec& ex, const GridLayout<3>& layout, const WhitewaterSource& earlier,
                         const WhitewaterSource& later, double seconds)
    : layout_(layout), cells_(seconds / layout.cell_size), paths_(later.liquid.id.size()) {
  const ParticleTable &before = earlier.liquid, &after = later.liquid;
  const std::vector<std::uint32_t> known = by_id(ex, before);
  const double h = layout.cell_size;
  const auto make_path = [&](std::size_t i) {
    Path path{{},
              (after.position[i] - layout.origin) * (1 / h),
              after.velocity[i],
              after.velocity[i],
              later.rate[i],
              later.rate[i]};
    path.from = path.to - convert<double>(path.end) * cells_;
    const auto found = std::lower_bound(known.begin(), known.end(), after.id[i],
                                        [&](std::uint32_t k, std::uint64_t id) { return before.id[k] < id; });
    if (found == known.end() || before.id[*found] != after.id[i]) return path;
    const Vec<double, 3> x = (before.position[*found] - layout.origin) * (1 / h);
    const Vec<float, 3>& v = before.velocity[*found];
    Vec<double, 3> way = path.to - x, off;
    for (int a = 0; a < 3; ++a) {
      if (layout.domain.periodic(a))  // the nearest image
        way[a] -= layout.domain.extent(a) * std::round(way[a] / layout.domain.extent(a));
      off[a] = way[a] - 0.5 * double(v[a] + path.end[a]) * cells_;
    }
    if (length(off) > farthest_off) return path;
    path.from = path.to - way;
    path.start = v;
    path.start_rate = earlier.rate[*found];
    return path;
  };
  fastest_ = reduce(
      ex, std::int64_t(paths_.size()), 4096, 0.,
      [&](std::int64_t begin, std::int64_t end) {
        double most = 0;
        for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i) {
          paths_[i] = make_path(i);
          most = std::max({most, double(length(paths_[i].start)), double(length(paths_[i].end))});
        }
        return most;
      },
      [](double x, double y) { return std::max(x, y); });

  NewParticles<3> start;
  for (const Path& path : paths_) {
    Vec<double, 3> x = path.from;
    for (int a = 0; a < 3; ++a) {
      const double lo = layout.domain.cells.lo[a], hi = layout.domain.cells.hi[a];
      if (!layout.domain.periodic(a)) x[a] = std::clamp(x[a], lo, std::nextafter(hi, lo));
    }
    start.position.push_back(x);
    start.velocity.push_back(path.start);
  }
  put_on(ex, liquid_, Topology<3>::of_tiles(ex, layout.domain, {}));  // there may be no liquid
  add_particles(ex, liquid_, layout.domain, start);
}

// Hermite's cubic.
Vec<double, 3> LiquidPaths::place(const Path& path, double s) const {
  const double to = s * s * (3 - 2 * s), start = s * (1 - s) * (1 - s), end = -s * s * (1 - s);
  Vec<double, 3> x = path.from * (1 - to) + path.to * to;
  for (int a = 0; a < 3; ++a) x[a] += cells_ * (start * double(path.start[a]) + end * double(path.end[a]));
  return x;
}

void LiquidPaths::go_to(Exec& ex, double part) {
  constexpr double most = tile_side - 1;  // as far as the order of tiles can follow at once
  if (liquid_.size() == 0) return;
  const Domain<3>& domain = layout_.domain;
  ex.parallel_for(liquid_.topology->tile_count(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for (std::uint32_t i = liquid_.tile_begin(tile); i < liquid_.tile_end(tile); ++i) {
        const Path& path = paths_[liquid_.id[i]];
        const Vec<double, 3> x = place(path, part);
        for (int a = 0; a < 3; ++a) {
          const int corner = liquid_.topology->tiles()[std::size_t(tile)][a] * tile_side;
          float& local = liquid_.position[std::size_t(a)][i];
          double way = x[a] - (corner + double(local));
          if (domain.periodic(a)) way -= domain.extent(a) * std::round(way / domain.extent(a));
          double to = double(local) + std::clamp(way, -most, most);
          if (!domain.periodic(a))
            to = std::clamp(to, double(domain.cells.lo[a] - corner),
                            double(domain.cells.hi[a] - corner) - 1e-5);
          local = float(to);
          liquid_.velocity[std::size_t(a)][i] = path.start[a] + float(part) * (path.end[a] - path.start[a]);
        }
      }
  });
  part_ = part;
  sort_particles(ex, liquid_);
}

Buffer<float> LiquidPaths::rates(Exec& ex) const {
  Buffer<float> rates = ex.buffer<float>(std::size_t(liquid_.size()));
  for_points(ex, liquid_.size(), [&](std::int64_t i) {
    const Path& path = paths_[liquid_.id[std::size_t(i)]];
    rates[std::size_t(i)] = path.start_rate + float(part_) * (path.end_rate - path.start_rate);
  });
  return rates;
}

}  // namespace whorl
