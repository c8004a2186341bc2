#include "stages/spout.h"

#include "base/rng.h"
#include "exec/reduce.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace whorl {

namespace {

// f(i) for the particles inside a shape, in tiles that it may reach into.
template <int D, class F>
void for_each_inside(const ParticleSet<D>& p, const Shape<D>& shape, double h, int tile, const F& f) {
  if (p.tile_begin(tile) == p.tile_end(tile)) return;
  Vec<double, D> corner;
  for (int a = 0; a < D; ++a) corner[a] = p.topology->tiles()[std::size_t(tile)][a] * tile_side;
  const double reach = 0.5 * std::sqrt(double(D)) * tile_side * h;
  if (shape.distance((corner + Vec<double, D>::filled(0.5 * tile_side)) * h) > reach) return;
  for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i) {
    Vec<double, D> x = corner;
    for (int a = 0; a < D; ++a) x[a] += double(p.position[std::size_t(a)][i]);
    if (shape.distance(x * h) < 0) f(i);
  }
}

// How far one gets from a place towards another before a solid is nearer than `skin`; not at all from within.
template <int D>
std::optional<Vec<double, D>> go_towards(const Vec<double, D>& from, const Vec<double, D>& to,
                                         std::span<const Solid<D>> solids, double skin, double h) {
  if (solids.empty()) return to;
  constexpr double least = 0.05, most = 0.5;  // cells at a time
  const double all = length(to - from);
  std::optional<Vec<double, D>> at;
  for (double gone = 0;;) {
    const Vec<double, D> x = gone < all ? from + (to - from) * (gone / all) : to;
    double clear = most * h;
    for (const Solid<D>& solid : solids) clear = std::min(clear, solid.shape.distance(x));
    if (clear < skin) return at;
    at = x;
    if (gone >= all) return at;
    gone += std::max(clear, least * h);
  }
}

}  // namespace

template <int D>
NewParticles<D> let_out(const Spout<D>& spout, Vec<double, D>& way, const Domain<D>& domain,
                        std::span<const Solid<D>> solids, double h, double skin, double dt,
                        std::uint64_t seed) {
  NewParticles<D> out;
  if (!(spout.end > spout.start)) return out;
  const Vec<double, D> before = way, gone = spout.velocity * (dt * (spout.end - spout.start));
  way = way + gone;
  const double spacing = 0.5 * h;
  const Bounds<D> bounds = spout.shape.bounds();
  Box<D> lattice;
  for (int a = 0; a < D; ++a) {
    const double lo = std::max(bounds.lo[a], h * domain.cells.lo[a]),
                 hi = std::min(bounds.hi[a], h * domain.cells.hi[a]);
    if (!(lo < hi)) return out;
    lattice.lo[a] = int(std::floor((lo - way[a] + std::min(gone[a], 0.)) / spacing)) - 1;
    lattice.hi[a] = int(std::ceil((hi - way[a] + std::max(gone[a], 0.)) / spacing)) + 1;
  }
  // In a long step some come in and go out again.
  const int parts = std::max(1, int(std::ceil(length(gone) / spacing)));
  const auto comes_in = [&](const Vec<double, D>& x) -> std::optional<Vec<double, D>> {
    bool was = spout.before.distance(x + before) < 0;
    for (int k = 1; k <= parts; ++k) {
      const Vec<double, D> now = x + before + gone * (double(k) / parts);
      const bool is = spout.shape.distance(now) < 0;
      if (is && !was) return now;
      was = is;
    }
    return {};
  };
  // Since they came in, in the part of the step after the spout was switched off.
  const Vec<double, D> since = spout.velocity * (dt * (1 - spout.end));
  for_each_coord(lattice, [&](const Coord<D>& at) {
    std::uint64_t key = 0;
    for (int a = 0; a < D; ++a) key = mix64(key, std::uint64_t(std::uint32_t(at[a])));
    Rng rng(seed, key);
    Vec<double, D> x;
    for (int a = 0; a < D; ++a) x[a] = spacing * (at[a] + double(rng.uniform()));
    const auto first = comes_in(x);
    if (!first) return;
    const auto last = go_towards<D>(*first, x + way + since, solids, skin * h, h);
    if (!last) return;
    const Vec<double, D> cell = *last * (1 / h);
    for (int a = 0; a < D; ++a)
      if (!domain.periodic(a) && !(cell[a] > domain.cells.lo[a] && cell[a] < domain.cells.hi[a])) return;
    out.position.push_back(cell);
    Vec<float, D> velocity;
    for (int a = 0; a < D; ++a) velocity[a] = float(spout.velocity[a]);
    out.velocity.push_back(velocity);
  });
  return out;
}

template <int D>
void push_out(Exec& ex, ParticleSet<D>& p, const Spout<D>& spout, double h) {
  ex.parallel_for(p.topology->tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for_each_inside(p, spout.shape, h, tile, [&](std::uint32_t i) {
        for (int a = 0; a < D; ++a) p.velocity[std::size_t(a)][i] = float(spout.velocity[a]);
        for (Buffer<float>& mode : p.modes) mode[i] = 0;
      });
  });
}

template <int D>
std::int64_t drain(Exec& ex, ParticleSet<D>& p, const Drain<D>& hole, double h, double dt,
                   std::uint64_t seed) {
  auto keep = ex.buffer<std::uint8_t>(std::size_t(p.size()));
  const float kept = float(std::exp(-hole.rate * dt));
  const std::int64_t gone = reduce(
      ex, p.topology->tile_count(), 8, std::int64_t(0),
      [&](std::int64_t begin, std::int64_t end) {
        std::int64_t count = 0;
        for (int tile = int(begin); tile < int(end); ++tile) {
          std::fill(keep.data() + p.tile_begin(tile), keep.data() + p.tile_end(tile), std::uint8_t(1));
          for_each_inside(p, hole.shape, h, tile, [&](std::uint32_t i) {
            if (Rng(seed, p.id[i]).uniform() < kept) return;
            keep[i] = 0;
            ++count;
          });
        }
        return count;
      },
      [](std::int64_t x, std::int64_t y) { return x + y; });
  if (gone > 0) keep_particles(ex, p, std::span<const std::uint8_t>(keep.data(), keep.size()));
  return gone;
}

#define WHORL_INSTANTIATE(D)                                                                          \
  template NewParticles<D> let_out(const Spout<D>&, Vec<double, D>&, const Domain<D>&,                \
                                   std::span<const Solid<D>>, double, double, double, std::uint64_t); \
  template void push_out(Exec&, ParticleSet<D>&, const Spout<D>&, double);                            \
  template std::int64_t drain(Exec&, ParticleSet<D>&, const Drain<D>&, double, double, std::uint64_t);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
