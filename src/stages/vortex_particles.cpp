#include "stages/vortex_particles.h"

#include "base/rng.h"
#include "grid/field_sampler.h"
#include "grid/trace.h"
#include "stages/box_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace whorl {

namespace {

constexpr float spent = 0.01f;  // of its strength: what is left has no effect to be seen

// The largest value of q (1 - q²)², at q² = 1/5.
constexpr double steepest = 0.28621670111997307;

// ---- moving

// The velocity at any place, in metres.
template <int D>
struct VelocityAt {
  std::array<HashSampler<D>, D> component;
  double h;

  VelocityAt(const MacField<float, D>& velocity, const Inflow<D>& inflow, double cell_size) : h(cell_size) {
    const Domain<D>& domain = velocity.topology()->domain();
    for (int a = 0; a < D; ++a)
      component[std::size_t(a)] =
          hash_sampler(velocity[a], velocity_boundary(domain, a, velocity[a].background(), inflow));
  }

  Vec<double, D> operator()(const Vec<double, D>& x) const {
    Coord<D> cell;
    Vec<float, D> d;  // from the middle of the cell
    for (int a = 0; a < D; ++a) {
      cell[a] = int(std::floor(x[a] / h));
      d[a] = float(x[a] / h - cell[a] - 0.5);
    }
    return convert<double>(sample_velocity<D>(component.data(), cell, at_centres, d));
  }
};

template <int D>
bool in_the_grid(const Topology<D>& topology, const Vec<double, D>& x, double h) {
  Coord<D> cell;
  for (int a = 0; a < D; ++a) {
    if (!(std::abs(x[a] / h) < Domain<D>::far_away)) return false;
    cell[a] = int(std::floor(x[a] / h));
  }
  return is_active(topology, cell);
}

template <class T>
void keep_only(std::vector<T>& list, const std::vector<char>& kept) {
  std::size_t n = 0;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (kept[k]) list[n++] = list[k];
  list.resize(n);
}

// ---- pushing

// A particle as a tile sees it.
template <int D>
struct NearVortex {
  Vec<double, D> center;  // in a periodic domain, of the image next to the tile
  Turn<float, D> swirl;
  float radius;
};

// The particles that reach each tile, in the order in which they were made.
template <int D>
struct VortexBins {
  std::vector<int> tiles;  // with any
  std::vector<int> first;  // [tile of the topology, and one more]
  std::vector<NearVortex<D>> near;
};

// The box round all tiles.
template <int D>
Box<D> extent(const Topology<D>& topology) {
  if (topology.tile_count() == 0) return {};
  Box<D> box{topology.tiles()[0], topology.tiles()[0]};
  for (const Coord<D>& tile : topology.tiles())
    for (int a = 0; a < D; ++a) {
      box.lo[a] = std::min(box.lo[a], tile[a]);
      box.hi[a] = std::max(box.hi[a], tile[a] + 1);
    }
  return box;
}

template <int D, class F>
void for_reached_tiles(const Topology<D>& topology, const VortexParticles<D>& particles, double h,
                       const F& f) {
  const Box<D> all = extent(topology);
  for (std::size_t p = 0; p < particles.size(); ++p) {
    const Vec<double, D>& x = particles.position[p];
    Box<D> tiles;  // with a face in reach
    for (int a = 0; a < D; ++a) {
      // A reach of a million cells must not cost so many tiles where there are none.
      const bool periodic = topology.domain().periodic(a);
      const auto tile_of = [&](double cell) {
        const double tile = std::floor(cell / tile_side);
        return int(periodic ? tile : std::clamp(tile, double(all.lo[a]), double(all.hi[a])));
      };
      const double reach = double(particles.radius[p]);
      tiles.lo[a] = tile_of(std::floor((x[a] - reach) / h) - 1);
      tiles.hi[a] = tile_of(std::ceil((x[a] + reach) / h) + tile_side);
    }
    for_each_coord(tiles, [&](const Coord<D>& tile) {
      const Coord<D> own = topology.domain().wrap_tile(tile);
      const int slot = topology.map().find(own);
      if (slot < 0) return;
      Vec<double, D> image = x;
      for (int a = 0; a < D; ++a) image[a] += (own[a] - tile[a]) * tile_side * h;
      f(slot, NearVortex<D>{image, particles.swirl[p], particles.radius[p]});
    });
  }
}

template <int D>
VortexBins<D> bin_vortices(const Topology<D>& topology, const VortexParticles<D>& particles, double h) {
  VortexBins<D> bins;
  bins.first.assign(std::size_t(topology.tile_count()) + 1, 0);
  for_reached_tiles(topology, particles, h,
                    [&](int slot, const NearVortex<D>&) { ++bins.first[std::size_t(slot) + 1]; });
  for (std::size_t tile = 1; tile < bins.first.size(); ++tile) {
    if (bins.first[tile] > 0) bins.tiles.push_back(int(tile) - 1);
    bins.first[tile] += bins.first[tile - 1];
  }
  bins.near.resize(std::size_t(bins.first.back()));
  std::vector<int> next = bins.first;
  for_reached_tiles(topology, particles, h, [&](int slot, const NearVortex<D>& vortex) {
    bins.near[std::size_t(next[std::size_t(slot)]++)] = vortex;
  });
  return bins;
}

template <int D>
struct PushRound {
  FacePush<D> push;
  const int* first;
  const NearVortex<D>* near;
  double h;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    for (int a = 0; a < D; ++a) {
      Real sum(0.f);
      for (int k = first[i.tile]; k < first[i.tile + 1]; ++k) {
        const Vec<Real, D> d = face_from<D>(near[k].center, push.cells, i, a, h) * Real(1 / near[k].radius);
        const Real left = Real(1.f) - dot(d, d);
        if (!any(left > Real(0.f))) continue;
        const Real window = max(left, Real(0.f));
        sum += window * window * cross_component<D>(near[k].swirl, d, a);
      }
      push.add(i, a, sum * Real(float(1 / steepest)));
    }
  }
};

// ---- making

template <int D>
Turn<float, D> random_swirl(Rng& rng, float length) {
  Turn<float, D> w;
  if constexpr (D == 3) {  // any direction is as likely as another (Archimedes)
    const float up = rng.uniform(-1, 1), angle = rng.uniform(0, float(2 * M_PI));
    const float round = std::sqrt(std::max(0.f, 1 - up * up));
    w = {round * std::cos(angle), up, round * std::sin(angle)};
  } else {
    w = {rng.uniform() < 0.5f ? -1.f : 1.f};
  }
  return w * length;
}

// A point of the source, half-way through the step, within its box of cells: of a skin, outside the solid
// that it is round. None where chance finds none.
template <int D>
std::optional<Vec<double, D>> random_place(Rng& rng, const SmokeSource<D>& source, double h, double dt) {
  const Shape<D> shape = source.shape_after(dt / 2);
  constexpr int tries = 256;
  for (int k = 0; k < tries; ++k) {
    Vec<double, D> x;
    for (int a = 0; a < D; ++a)
      x[a] = h * (source.cells.lo[a] + double(rng.uniform()) * (source.cells.hi[a] - source.cells.lo[a]));
    const double distance = shape.distance(x);
    if (source.skin > 0 ? distance >= 0 && distance < source.skin : distance < 0) return x;
  }
  return {};
}

}  // namespace

template <int D>
void move_vortices(Exec& ex, VortexParticles<D>& particles, const MacField<float, D>& velocity,
                   const Inflow<D>& inflow, double h, double dt) {
  if (particles.size() == 0) return;
  const Zone zone(ex.profile(), "move_vortices");
  const Topology<D>& topology = *velocity.topology();
  const VelocityAt<D> u(velocity, inflow, h);
  std::vector<char> kept(particles.size());
  for_points(ex, std::int64_t(particles.size()), [&](std::int64_t k) {
    const std::size_t p = std::size_t(k);
    const Vec<double, D> x = particles.position[p];
    const Vec<double, D> middle = x + u(x) * (dt / 2);
    Turn<float, D>& w = particles.swirl[p];
    const float fade = float(std::exp(-double(particles.decay[p]) * dt));
    particles.life[p] *= fade;
    if constexpr (D == 3)
      if (const double size = length(convert<double>(w)); size > 0) {
        // w · grad u is |w| times the change of u along w.
        const Vec<double, D> along = convert<double>(w) * (h / (2 * size));
        const Vec<double, D> change = (u(middle + along) - u(middle - along)) * (1 / h);
        w = w + convert<float>(change * (dt * size));
      }
    w = w * fade;
    const float most = particles.strength[p] * particles.life[p], now = length(w);
    if (now > most) w = w * (most / now);
    particles.position[p] = wrapped(x + u(middle) * dt, topology.domain(), h);
    kept[p] = particles.life[p] >= spent && now > 0 && in_the_grid(topology, particles.position[p], h);
  });
  if (std::find(kept.begin(), kept.end(), 0) == kept.end()) return;
  keep_only(particles.position, kept);
  keep_only(particles.swirl, kept);
  for (auto* list : {&particles.strength, &particles.life, &particles.radius, &particles.decay})
    keep_only(*list, kept);
}

template <int D>
void emit_vortices(VortexParticles<D>& particles, std::span<const SmokeSource<D>> sources, double h,
                   double dt, std::int64_t step) {
  for (std::size_t n = 0; n < sources.size(); ++n) {
    if (!sources[n].vortices) continue;
    const VortexSeeding& seeding = *sources[n].vortices;
    const std::uint64_t seed = mix64(std::uint64_t(seeding.seed), 0x766f72746578ull);
    const double wanted = seeding.rate * dt;
    const double chance = double(Rng(seed, n, std::uint64_t(step)).uniform());
    for (int k = int(std::floor(wanted + chance)); k > 0; --k) {
      Rng rng(seed, particles.made++);
      const std::optional<Vec<double, D>> place = random_place(rng, sources[n], h, dt);
      if (!place) continue;
      particles.position.push_back(*place);
      particles.swirl.push_back(random_swirl<D>(rng, float(seeding.acceleration)));
      particles.strength.push_back(float(seeding.acceleration));
      particles.life.push_back(1);
      particles.radius.push_back(float(seeding.radius));
      particles.decay.push_back(float(seeding.decay));
    }
  }
}

template <int D>
void add_vortices(Exec& ex, MacField<float, D>& velocity, const VortexParticles<D>& particles, double h,
                  double dt) {
  if (particles.size() == 0) return;
  const Zone zone(ex.profile(), "add_vortices");
  const Topology<D>& topology = *velocity.topology();
  const VortexBins<D> bins = bin_vortices(topology, particles, h);
  const TileSet<D> reached{topology.tile_set().neighbours, int(bins.tiles.size()), bins.tiles.data()};
  for_rows(ex, reached,
           PushRound<D>{
               {velocity.view(), {}, topology.view(), float(dt)}, bins.first.data(), bins.near.data(), h});
}

template <int D>
double max_vortex_push(const Topology<D>& topology, const VortexParticles<D>& particles, double h) {
  std::vector<double> sum(std::size_t(topology.tile_count()));  // of all that reach a tile
  for_reached_tiles(topology, particles, h, [&](int slot, const NearVortex<D>& vortex) {
    sum[std::size_t(slot)] += double(length(vortex.swirl));
  });
  return sum.empty() ? 0 : *std::max_element(sum.begin(), sum.end());
}

template void move_vortices(Exec&, VortexParticles<2>&, const MacField<float, 2>&, const Inflow<2>&, double,
                            double);
template void move_vortices(Exec&, VortexParticles<3>&, const MacField<float, 3>&, const Inflow<3>&, double,
                            double);
template void emit_vortices(VortexParticles<2>&, std::span<const SmokeSource<2>>, double, double,
                            std::int64_t);
template void emit_vortices(VortexParticles<3>&, std::span<const SmokeSource<3>>, double, double,
                            std::int64_t);
template void add_vortices(Exec&, MacField<float, 2>&, const VortexParticles<2>&, double, double);
template void add_vortices(Exec&, MacField<float, 3>&, const VortexParticles<3>&, double, double);
template double max_vortex_push(const Topology<2>&, const VortexParticles<2>&, double);
template double max_vortex_push(const Topology<3>&, const VortexParticles<3>&, double);

}  // namespace whorl
