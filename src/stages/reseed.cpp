#include "stages/reseed.h"

#include "base/rng.h"
#include "exec/reduce.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace whorl {

namespace {

template <int D>
inline constexpr std::uint32_t fewest = 1 << (D - 1);
template <int D>
inline constexpr std::uint32_t most = 3 * fewest<D>;
constexpr double depth = 1.5;  // cells below the surface

// The cells of a tile that lack particles, one entry for each that is wanted, and the particles too many.
template <int D>
struct Exchange {
  std::array<std::uint16_t, std::size_t(tile_cells<D>* int(fewest<D>))> wanted;
  std::array<std::uint32_t, std::size_t(tile_cells<D>* int(fewest<D>))> spare;
  std::size_t wanted_count = 0, spare_count = 0;

  // `active` has a byte a row: cells beyond the domain's walls see the liquid's image and have no particles,
  // nor have those of the `core`, which may be null.
  Exchange(const std::uint32_t* first, const float* phi, const std::uint8_t* active, const std::uint8_t* core,
           float deep) {
    const auto counts = [=](int cell) {
      const int row = cell / tile_side, k = cell % tile_side;
      return phi[cell] < deep && (active[row] >> k & 1) && !(core && (core[row] >> k & 1));
    };
    for (int cell = 0; cell < tile_cells<D>; ++cell) {
      if (!counts(cell)) continue;
      const std::uint32_t count = first[cell + 1] - first[cell];
      for (std::uint32_t k = count; k < fewest<D>; ++k) wanted[wanted_count++] = std::uint16_t(cell);
      for (std::uint32_t k = most<D>; k < count && spare_count < spare.size(); ++k)
        spare[spare_count++] = first[cell] + k;
    }
    // A clump goes on to any cell that is not full.
    for (int cell = 0; cell < tile_cells<D> && wanted_count < spare_count; ++cell) {
      if (!counts(cell)) continue;
      const std::uint32_t count = std::max(first[cell + 1] - first[cell], fewest<D>);
      for (std::uint32_t k = count; k < 2 * fewest<D> && wanted_count < wanted.size(); ++k)
        wanted[wanted_count++] = std::uint16_t(cell);
    }
  }
  std::size_t size() const { return std::min(wanted_count, spare_count); }
};

}  // namespace

template <int D>
std::int64_t reseed(Exec& ex, ParticleSet<D>& p, const Field<float, D>& surface,
                    const Field<float, D>& solids, const MacField<float, D>& velocity, double h,
                    std::uint64_t seed, const CellMask<D>& core) {
  const Zone zone(ex.profile(), "reseed");
  const Topology<D>& topology = *p.topology;
  const float near = float(0.5 * std::sqrt(double(D)) * h);
  return reduce(
      ex, topology.tile_count(), 8, std::int64_t(0),
      [&](std::int64_t begin, std::int64_t end) {
        std::int64_t moved = 0;
        for (int tile = int(begin); tile < int(end); ++tile) {
          if (p.tile_begin(tile) == p.tile_end(tile)) continue;
          const float* wall = solids.data() + std::size_t(tile) * tile_cells<D>;
          if (std::any_of(wall, wall + tile_cells<D>, [=](float d) { return d < near; })) continue;
          const std::uint32_t* first = p.first.data() + std::size_t(tile) * tile_cells<D>;
          const Exchange<D> exchange(first, surface.data() + std::size_t(tile) * tile_cells<D>,
                                     topology.active().data() + std::size_t(tile) * tile_rows<D>,
                                     core.topology ? &core.rows[std::size_t(tile) * tile_rows<D>] : nullptr,
                                     float(-depth * h));
          for (std::size_t k = 0; k < exchange.size(); ++k) {
            const std::uint32_t i = exchange.spare[k];
            const int cell = exchange.wanted[k];
            Rng rng(seed, p.id[i]);
            for (int a = 0; a < D; ++a) {
              const int at = cell / tile_stride<D>(a) % tile_side;
              p.position[std::size_t(a)][i] = place_in_cell(at, rng.uniform());
              p.velocity[std::size_t(a)][i] =
                  velocity[a].data()[std::size_t(tile) * tile_cells<D> + std::size_t(cell)];
            }
            if (first[cell] < first[cell + 1])
              for (Buffer<float>& q : p.others) q[i] = q[first[cell]];
          }
          moved += std::int64_t(exchange.size());
        }
        return moved;
      },
      [](std::int64_t x, std::int64_t y) { return x + y; });
}

template std::int64_t reseed(Exec&, ParticleSet<2>&, const Field<float, 2>&, const Field<float, 2>&,
                             const MacField<float, 2>&, double, std::uint64_t, const CellMask<2>&);
template std::int64_t reseed(Exec&, ParticleSet<3>&, const Field<float, 3>&, const Field<float, 3>&,
                             const MacField<float, 3>&, double, std::uint64_t, const CellMask<3>&);

}  // namespace whorl
