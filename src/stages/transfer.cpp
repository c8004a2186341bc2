#include "stages/transfer.h"

#include "base/check.h"
#include "grid/field_sampler.h"
#include "stages/particle_lane.h"

#include <algorithm>

namespace whorl {

namespace {

// A cell more on each side than a tile has: what the particles of a tile reach.
constexpr int reached = tile_side + 2;
template <int D>
constexpr int reached_stride(int axis) {
  return axis == D - 1 ? 1 : reached * reached_stride<D>(axis + 1);
}

// Which mode, by the bits of its axes, stands at a place in the particles' list.
template <int D, int modes>
constexpr int mode_at(int place) {
  return modes == D ? 1 << place : place + 1;
}

// From the polynomial round a particle to its values at the corners.
template <int D>
WHORL_INLINE void evaluate_at_corners(float* c, const Vec<float, D>& t) {
  for (int b = 0; b < D; ++b)
    for (int k = 0; k < corners<D>; ++k)
      if (!(k >> b & 1)) {
        const float low = c[k], slope = c[k | 1 << b];
        c[k] = low - slope * t[b];
        c[k | 1 << b] = low + slope * (1 - t[b]);
      }
}

// And back.
template <int D, class Real>
WHORL_INLINE void modes_of_corners(Real* f, const Vec<Real, D>& t) {
  for (int b = 0; b < D; ++b)
    for (int k = 0; k < corners<D>; ++k)
      if (!(k >> b & 1)) {
        const Real rise = f[k | 1 << b] - f[k];
        f[k] = f[k] + t[b] * rise;
        f[k | 1 << b] = rise;
      }
}

template <int D, int modes>
struct ParticleView {
  const std::uint32_t* first;  // [tile][cell]
  const float* position[D];
  const float* velocity[D];
  const float* mode[D][modes > 0 ? modes : 1];

  explicit ParticleView(const ParticleSet<D>& p) : first(p.first.data()) {
    for (std::size_t a = 0; a < D; ++a) {
      position[a] = p.position[a].data();
      velocity[a] = p.velocity[a].data();
      for (std::size_t m = 0; m < modes; ++m) mode[a][m] = p.modes[a * modes + m].data();
    }
  }
  std::uint32_t begin(int tile) const { return first[std::size_t(tile) * tile_cells<D>]; }
  std::uint32_t end(int tile) const { return first[std::size_t(tile + 1) * tile_cells<D>]; }
};

// Adds up weight and weight · velocity of one tile's particles, side by side for each sample in reach.
template <int D, int modes>
WHORL_INLINE void scatter(const ParticleView<D, modes>& p, int tile, int component, float* sums) {
  constexpr int last = 1 << (D - 1);
  for (std::uint32_t i = p.begin(tile), end = p.end(tile); i < end; ++i) {
    Vec<float, D> x, whole, t;
    for (int b = 0; b < D; ++b) x[b] = p.position[b][i];
    split<D>(x, component, whole, t);
    float c[corners<D>] = {}, w[corners<D>];
    c[0] = p.velocity[component][i];
    for (int m = 0; m < modes; ++m) c[mode_at<D, modes>(m)] = p.mode[component][m][i];
    if (modes > 0)
      evaluate_at_corners<D>(c, t);
    else
      std::fill_n(c, corners<D>, c[0]);
    int index = 0;
    for (int b = 0; b < D; ++b) index += (int(whole[b]) + 1) * reached_stride<D>(b);
    for (int k = 0; k < corners<D>; ++k) {
      w[k] = 1;
      for (int b = 0; b < D; ++b) w[k] *= k >> b & 1 ? t[b] : 1 - t[b];
    }
    for (int k = 0; k < last; ++k) {  // the last axis, along which samples are neighbours in memory, aside
      int at = index;
      for (int b = 0; b < D - 1; ++b) at += (k >> b & 1) * reached_stride<D>(b);
      float* sum = sums + 2 * at;
      sum[0] += w[k];
      sum[1] += w[k] * c[k];
      sum[2] += w[k | last];
      sum[3] += w[k | last] * c[k | last];
    }
  }
}

// Adds one tile's sums to those of the tiles round it; those that do not exist go without.
template <int D>
void add_sums(const float* sums, const int* neighbours, int absent, float* weight, float* momentum) {
  Box<D> rows{Coord<D>::filled(-1), Coord<D>::filled(tile_side + 1)};
  rows.hi[D - 1] = 0;
  for_each_coord(rows, [&](const Coord<D>& row) {
    int place = 0, from = 0;
    std::ptrdiff_t to = 0;
    for (int a = 0; a < D - 1; ++a) {
      place = place * 3 + floor_div(row[a], tile_side) + 1;
      from += (row[a] + 1) * reached_stride<D>(a);
      to += std::ptrdiff_t(row[a] & (tile_side - 1)) * tile_stride<D>(a);
    }
    for (int column = 0; column < 3; ++column) {
      const int slot = neighbours[place * 3 + column];
      if (slot == absent) continue;
      const std::size_t start = std::size_t(slot) * tile_cells<D> + std::size_t(to);
      const float* sum = sums + 2 * (from + 1 + (column - 1) * tile_side);
      if (column == 1) {
        using Real = Lane<float>;
        float *const w = weight + start, *const m = momentum + start;
        const Real low = Real::load(sum), high = Real::load(sum + tile_side);
        (Real::load(w) + even_ones(low, high)).store(w);
        (Real::load(m) + odd_ones(low, high)).store(m);
        continue;
      }
      const int k = column == 0 ? tile_side - 1 : 0;  // the cell next to the tile
      weight[start + std::size_t(k)] += sum[2 * k];
      momentum[start + std::size_t(k)] += sum[2 * k + 1];
    }
  });
}

// Tiles in groups, no two of a group neighbours of each other: parity along each axis, and a third group
// where an odd number of tiles closes a circle.
template <int D>
std::vector<std::vector<int>> tiles_by_colour(const ParticleSet<D>& p) {
  const Domain<D>& domain = p.topology->domain();
  std::vector<std::vector<int>> colours(std::size_t(neighbourhood<D>));
  for (int tile = 0; tile < p.topology->tile_count(); ++tile) {
    if (p.tile_begin(tile) == p.tile_end(tile)) continue;
    int colour = 0;
    for (int a = 0; a < D; ++a) {
      const int at = p.topology->tiles()[std::size_t(tile)][a];
      const bool closes = domain.periodic(a) && at == domain.cells.hi[a] / tile_side - 1 &&
                          domain.extent(a) / tile_side % 2 == 1;
      colour = colour * 3 + (closes ? 2 : at & 1);
    }
    colours[std::size_t(colour)].push_back(tile);
  }
  std::erase_if(colours, [](const std::vector<int>& tiles) { return tiles.empty(); });
  return colours;
}

template <int D, int modes>
void scatter_all(Exec& ex, const ParticleSet<D>& p, FaceVelocity<D>& out) {
  const ParticleView<D, modes> view(p);
  const int absent = p.topology->tile_count();
  const int* neighbours = p.topology->tile_set().neighbours;
  constexpr int samples = ipow<D>(reached);
  for (const std::vector<int>& tiles : tiles_by_colour(p))
    ex.parallel_chunks(std::int64_t(tiles.size()), 1,
                       [&](std::int64_t begin, std::int64_t end, std::int64_t, int worker) {
                         auto* sums = static_cast<float*>(ex.scratch(worker, 2 * samples * sizeof(float)));
                         for (std::int64_t k = begin; k < end; ++k) {
                           const int tile = tiles[std::size_t(k)];
                           for (int a = 0; a < D; ++a) {
                             std::fill_n(sums, 2 * samples, 0.f);
                             scatter<D, modes>(view, tile, a, sums);
                             add_sums<D>(sums, neighbours + std::size_t(tile) * neighbourhood<D>, absent,
                                         out.weight[a].data(), out.velocity[a].data());
                           }
                         }
                       });
}

template <int D, int modes>
struct GatherKernel {
  ParticleView<D, modes> particles;
  SampleView<D> velocity[D], before[D];
  float* out[D];
  float* mode[D][modes > 0 ? modes : 1];
  float flip_part;
  bool flip;

  template <class Group>
  void operator()(const Group& group) const {
    const std::uint32_t begin = particles.begin(group.tile()), end = particles.end(group.tile());
    if (begin == end) return;
    const BrickBox<D> box = BrickBox<D>::around(Coord<D>::filled(1), Coord<D>::filled(1));
    float* data = group.template scratch<float>();
    for (int a = 0; a < D; ++a) {
      const Brick<D> brick{data, box}, old{data + box.cells(), box};
      load_brick(group, brick, velocity[a]);
      if (flip) load_brick(group, old, before[a]);
      for (std::uint32_t i = begin; i < end; i += lane_width)
        gather(brick, old, a, i, int(std::min<std::uint32_t>(end - i, lane_width)));
    }
  }

 private:
  using Real = Lane<float>;

  WHORL_INLINE void gather(const Brick<D>& brick, const Brick<D>& old, int component, std::uint32_t i,
                           int count) const {
    Vec<Real, D> x, whole, t;
    for (int b = 0; b < D; ++b) x[b] = read_some(particles.position[b] + i, count);
    split<D>(x, component, whole, t);
    const Lane<int> index = index_in(brick.box, whole);
    Real f[corners<D>];
    corner_values(brick, index, f);
    modes_of_corners<D>(f, t);
    Real v = f[0];
    if (flip) {
      Real g[corners<D>];
      corner_values(old, index, g);
      modes_of_corners<D>(g, t);
      v = v + Real(flip_part) * (read_some(particles.velocity[component] + i, count) - g[0]);
    }
    write_some(v, out[component] + i, count);
    for (int m = 0; m < modes; ++m) write_some(f[mode_at<D, modes>(m)], mode[component][m] + i, count);
  }
};

template <int D, int modes>
void gather_all(Exec& ex, ParticleSet<D>& p, const MacField<float, D>& velocity, const Inflow<D>& inflow,
                const MacField<float, D>* before, float flip_part) {
  const Crossing<D> stay(ex, p.topology, p.topology);
  GatherKernel<D, modes> kernel{ParticleView<D, modes>(p), {}, {}, {}, {}, flip_part, before != nullptr};
  for (int a = 0; a < D; ++a) {
    const Boundary<D> boundary =
        velocity_boundary(p.topology->domain(), a, velocity[a].background(), inflow).outward();
    kernel.velocity[a] = sample_view(velocity[a], stay, boundary);
    if (before) kernel.before[a] = sample_view((*before)[a], stay, boundary);
    kernel.out[a] = p.velocity[std::size_t(a)].data();
    for (int m = 0; m < modes; ++m) kernel.mode[a][m] = p.modes[std::size_t(a * modes + m)].data();
  }
  constexpr std::size_t scratch = 2 * sizeof(float) * ipow<D - 1>(reached) * 3 * tile_side;
  for_tiles<D>(ex, p.topology->tile_set(), kernel, [](int) { return scratch; });
}

// Calls f with the number of modes as a constant.
template <int D, class F>
void with_modes(TransferScheme scheme, const F& f) {
  switch (mode_count<D>(scheme)) {
    case 0:
      return f(std::integral_constant<int, 0>());
    case D:
      return f(std::integral_constant<int, D>());
    default:
      return f(std::integral_constant<int, (1 << D) - 1>());
  }
}

}  // namespace

template <int D>
void set_transfer(Exec& ex, ParticleSet<D>& p, TransferScheme scheme) {
  p.modes.resize(std::size_t(D * mode_count<D>(scheme)));
  for (Buffer<float>& mode : p.modes) {
    mode = ex.buffer<float>(std::size_t(p.size()));
    std::fill(mode.begin(), mode.end(), 0.f);
  }
}

template <int D>
FaceVelocity<D> particles_to_faces(Exec& ex, const ParticleSet<D>& p, TransferScheme scheme,
                                   const Vec<float, D>& background) {
  const Zone zone(ex.profile(), "particles_to_faces");
  FaceVelocity<D> out{MacField<float, D>(ex, p.topology), MacField<float, D>(ex, p.topology)};
  with_modes<D>(scheme, [&](auto modes) { scatter_all<D, modes>(ex, p, out); });
  for (int a = 0; a < D; ++a) {
    const FieldView<float, D> u = out.velocity[a].view();
    const FieldView<const float, D> w = std::as_const(out.weight[a]).view();
    for_rows(ex, p.topology->tile_set(), [=, none = background[a]](const RowIndex<D>& r) {
      const Lane<float> weight = w(r);
      u.store(r, select(weight > Lane<float>(0.f), u(r) / weight, Lane<float>(none)));
    });
    out.velocity[a].set_background(background[a]);
  }
  return out;
}

template <int D>
void faces_to_particles(Exec& ex, ParticleSet<D>& p, TransferScheme scheme,
                        const MacField<float, D>& velocity, const Inflow<D>& inflow,
                        const MacField<float, D>* before, float flip_part) {
  const Zone zone(ex.profile(), "faces_to_particles");
  CHECK((scheme == TransferScheme::flip) == (before != nullptr), "FLIP needs to know what was before");
  with_modes<D>(scheme,
                [&](auto modes) { gather_all<D, modes>(ex, p, velocity, inflow, before, flip_part); });
}

#define WHORL_INSTANTIATE(D)                                                                          \
  template void set_transfer(Exec&, ParticleSet<D>&, TransferScheme);                                 \
  template FaceVelocity<D> particles_to_faces(Exec&, const ParticleSet<D>&, TransferScheme,           \
                                              const Vec<float, D>&);                                  \
  template void faces_to_particles(Exec&, ParticleSet<D>&, TransferScheme, const MacField<float, D>&, \
                                   const Inflow<D>&, const MacField<float, D>*, float);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
