#include "stages/particle_level_set.h"

#include "base/rng.h"
#include "exec/shapes.h"
#include "grid/field_sampler.h"
#include "grid/retile.h"
#include "stages/move_particles.h"
#include "stages/particle_lane.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace whorl {

namespace {

// φ at the markers, in cells.
template <int D>
struct SampleMarkersKernel {
  const std::uint32_t* first;  // [tile][cell]
  const float* position[D];
  float* out;
  SampleView<D> phi;
  BrickBox<D> box;
  float scale;

  template <class Group>
  void operator()(const Group& group) const {
    const std::uint32_t begin = first[std::size_t(group.tile()) * tile_cells<D>],
                        end = first[std::size_t(group.tile() + 1) * tile_cells<D>];
    if (begin == end) return;
    Brick<D> brick{group.template scratch<float>(), box};
    load_brick(group, brick, phi);
    for (std::uint32_t i = begin; i < end; i += lane_width) {
      const int count = int(std::min<std::uint32_t>(end - i, lane_width));
      Vec<Lane<float>, D> x;
      for (int a = 0; a < D; ++a) x[a] = read_some(position[a] + i, count);
      write_some(sample_component(brick, at_centres, x) * Lane<float>(scale), out + i, count);
    }
  }
};

template <int D>
Buffer<float> phi_at_markers(Exec& ex, const LevelSet<D>& s, double h) {
  const ParticleSet<D>& p = s.markers;
  Buffer<float> values = ex.buffer<float>(std::size_t(p.size()));
  const Crossing<D> stay(ex, p.topology, p.topology);
  const auto boundary = scalar_boundary(p.topology->domain(), s.phi.background(), s.phi.background());
  SampleMarkersKernel<D> kernel{p.first.data(),
                                {},
                                values.data(),
                                sample_view(s.phi, stay, boundary.outward()),
                                BrickBox<D>::around(Coord<D>::filled(1), Coord<D>::filled(1)),
                                float(1 / h)};
  for (int a = 0; a < D; ++a) kernel.position[a] = p.position[std::size_t(a)].data();
  const std::size_t scratch = sizeof(float) * std::size_t(kernel.box.cells());
  for_tiles<D>(ex, p.topology->tile_set(), kernel, [=](int) { return scratch; });
  return values;
}

// On the wrong side by more than its radius.
WHORL_INLINE bool escaped(float radius, float phi) { return (radius < 0 ? -phi : phi) < -std::abs(radius); }

// Calls f(cell of the tile, distance in cells) for the centres round each escaped marker near the tile, with
// its radius; cells of the tile only.
template <int D, class F>
void for_escaped_near(const ParticleSet<D>& p, const float* phi, int tile, const F& f) {
  const int* neighbours = p.topology->tile_set().neighbours + std::size_t(tile) * neighbourhood<D>;
  const float* radius = p.others[0].data();
  for (int place = 0; place < neighbourhood<D>; ++place) {
    const int from = neighbours[place];
    if (from == p.topology->tile_count()) continue;
    Coord<D> offset;
    for (int a = D - 1, rest = place; a >= 0; --a, rest /= 3) offset[a] = (rest % 3 - 1) * tile_side;
    for (std::uint32_t i = p.tile_begin(from); i < p.tile_end(from); ++i) {
      if (!escaped(radius[i], phi[i])) continue;
      Vec<float, D> x;
      Coord<D> below;
      for (int a = 0; a < D; ++a) {
        x[a] = p.position[std::size_t(a)][i] + float(offset[a]);
        below[a] = int(std::floor(x[a] - 0.5f));
      }
      for (int corner = 0; corner < corners<D>; ++corner) {
        Coord<D> cell;
        float square = 0;
        for (int a = 0; a < D; ++a) {
          cell[a] = below[a] + (corner >> a & 1);
          square += (x[a] - float(cell[a]) - 0.5f) * (x[a] - float(cell[a]) - 0.5f);
        }
        if (Box<D>{{}, Coord<D>::filled(tile_side)}.contains(cell)) f(cell, radius[i], std::sqrt(square));
      }
    }
  }
}

// φ next to escaped markers is what their spheres say: of those of the outside the largest value, of those of
// the inside the smallest, and of these two the one nearer to the surface (Enright et al. 2002, §3.4).
template <int D>
void correct(Exec& ex, LevelSet<D>& s, double h) {
  if (s.markers.size() == 0) return;
  const Buffer<float> phi = phi_at_markers(ex, s, h);
  const Topology<D>& topology = *s.phi.topology();
  ex.parallel_for(topology.tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    float plus[tile_cells<D>], minus[tile_cells<D>];
    for (int tile = int(begin); tile < int(end); ++tile) {
      float* out = s.phi.data() + std::size_t(tile) * tile_cells<D>;
      bool any = false;
      for_escaped_near(s.markers, phi.data(), tile, [&](const Coord<D>& cell, float radius, float distance) {
        if (!any)
          for (int k = 0; k < tile_cells<D>; ++k) plus[k] = minus[k] = out[k];
        any = true;
        const std::size_t k = std::size_t(cell_offset<D>(cell));
        if (radius > 0)
          plus[k] = std::max(plus[k], float(h) * (radius - distance));
        else
          minus[k] = std::min(minus[k], float(h) * (radius + distance));
      });
      for (int k = 0; any && k < tile_cells<D>; ++k)
        out[k] = std::abs(plus[k]) <= std::abs(minus[k]) ? plus[k] : minus[k];
    }
  });
}

// Spheres that touch the surface again; markers without a radius get their side, too.
template <int D>
void adjust_radii(Exec& ex, LevelSet<D>& s, double h, const LevelSetParams& params) {
  if (s.markers.size() == 0) return;
  const Buffer<float> phi = phi_at_markers(ex, s, h);
  float* radius = s.markers.others[0].data();
  for_points(ex, s.markers.size(), [=, phi = phi.data()](std::int64_t i) {
    const float sign = (radius[i] == 0 ? phi[i] : radius[i]) < 0 ? -1.f : 1.f;
    radius[i] = sign * std::clamp(sign * phi[i], params.least_radius, params.largest_radius);
  });
}

template <int D>
int markers_a_cell(const LevelSetParams& params) {
  return params.markers_a_cell > 0 ? params.markers_a_cell : D == 2 ? 36 : 64;
}

// Takes out markers far from the surface and those too many in a cell, but none that have escaped.
template <int D>
void thin_out(Exec& ex, LevelSet<D>& s, double h, const LevelSetParams& params) {
  ParticleSet<D>& p = s.markers;
  if (p.size() == 0) return;
  const Buffer<float> phi = phi_at_markers(ex, s, h);
  Buffer<std::uint8_t> keep = ex.buffer<std::uint8_t>(std::size_t(p.size()));
  const int most = 2 * markers_a_cell<D>(params);
  for_points(ex, std::int64_t(p.first.size()) - 1, [&](std::int64_t cell) {
    int kept = 0;
    for (std::uint32_t i = p.first[std::size_t(cell)]; i < p.first[std::size_t(cell) + 1]; ++i) {
      const bool near = double(std::abs(phi[i])) < params.band + 1 && kept < most;
      keep[i] = near || escaped(p.others[0][i], phi[i]);
      kept += keep[i];
    }
  });
  keep_particles(ex, p, std::span<const std::uint8_t>(keep.data(), keep.size()));
}

// Fills up cells of the band; not where markers have escaped, for there φ does not know its side.
template <int D>
void reseed(Exec& ex, LevelSet<D>& s, double h, const LevelSetParams& params) {
  thin_out(ex, s, h, params);
  ParticleSet<D>& p = s.markers;
  const TopologyPtr<D>& topology = s.phi.topology();
  if (p.size() > 0) put_on(ex, p, topology);
  const Buffer<float> phi = p.size() > 0 ? phi_at_markers(ex, s, h) : Buffer<float>();
  const int wanted = markers_a_cell<D>(params);
  std::vector<NewParticles<D>> made(std::size_t(topology->tile_count()));
  const TileSet<D> tiles = topology->tile_set();
  ex.parallel_for(tiles.count, 4, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
        const CellIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, at};
        const double distance = double(std::abs(std::as_const(s.phi).view()(i))) / h;
        if (!topology->view().active_bits(i) || distance >= params.band) return;
        std::uint32_t from = 0, to = 0;
        if (p.size() > 0) {
          const std::size_t cell = std::size_t(tile) * tile_cells<D> + std::size_t(i.offset());
          from = p.first[cell], to = p.first[cell + 1];
        }
        if (int(to - from) >= wanted) return;
        for (std::uint32_t k = from; k < to; ++k)
          if (escaped(p.others[0][k], phi[k])) return;
        const Coord<D> cell = topology->tiles()[std::size_t(tile)] * tile_side + at;
        std::uint64_t key = 0;
        for (int a = 0; a < D; ++a) key = mix64(key, std::uint64_t(std::uint32_t(cell[a])));
        Rng rng(params.seed, key, std::uint64_t(s.steps));
        for (int k = int(to - from); k < wanted; ++k) {
          Vec<double, D> x;
          for (int a = 0; a < D; ++a) x[a] = cell[a] + double(rng.uniform());
          made[std::size_t(tile)].position.push_back(x);
          made[std::size_t(tile)].velocity.push_back({});
        }
      });
  });
  NewParticles<D> all;
  for (const NewParticles<D>& some : made) {
    all.position.insert(all.position.end(), some.position.begin(), some.position.end());
    all.velocity.insert(all.velocity.end(), some.velocity.begin(), some.velocity.end());
  }
  if (p.others.empty()) p.others.push_back(ex.buffer<float>(0));
  add_particles(ex, p, topology->domain(), all);
  if (p.size() > 0) put_on(ex, p, topology);
  adjust_radii(ex, s, h, params);
}

// How far the slope of φ is from one near the surface.
template <int D>
float slope_error(Exec& ex, const Field<float, D>& phi, double h) {
  using Real = Lane<float>;
  const FieldView<const float, D> value = phi.view();
  const TopologyView<D> cells = phi.topology()->view();
  const Real near(float(3 * h)), scale(float(0.5 / h)), none(0.f);
  return max_rows<float>(ex, phi.topology()->active_tile_set(), 0.f, [=](const RowIndex<D>& r) {
    unsigned known = cells.active_bits(r) & bits(abs(value(r)) < near);
    Real square(0.f);
    for (int a = 0; a < D; ++a) {
      known &= cells.active_bits(r, a, -1) & cells.active_bits(r, a, +1);
      const Real slope = (value(r, a, +1) - value(r, a, -1)) * scale;
      square = square + slope * slope;
    }
    return select(Real::mask_from_bits(known), abs(sqrt(square) - Real(1.f)), none);
  });
}

template <int D>
bool wants_redistancing(Exec& ex, const Field<float, D>& phi, double h, const LevelSetParams& params) {
  return params.slope_tolerance == 0 || !(double(slope_error(ex, phi, h)) < params.slope_tolerance);
}

// Air that liquid has closed in is no bubble, for nothing presses it: its markers are of no use.
template <int D>
void give_up_lost_air(Exec& ex, LevelSet<D>& s, double h, const LevelSetParams& params) {
  ParticleSet<D>& p = s.markers;
  if (p.size() == 0 || params.given_up >= 1e9f) return;
  const Buffer<float> phi = phi_at_markers(ex, s, h);
  Buffer<std::uint8_t> keep = ex.buffer<std::uint8_t>(std::size_t(p.size()));
  for_points(ex, p.size(),
             [=, radius = p.others[0].data(), phi = phi.data(), out = keep.data()](std::int64_t i) {
               out[i] = radius[i] < 0 || phi[i] > -(radius[i] + params.given_up);
             });
  keep_particles(ex, p, std::span<const std::uint8_t>(keep.data(), keep.size()));
  if (p.size() > 0) put_on(ex, p, s.phi.topology());
}

// On tiles that may not have all the markers.
template <int D>
void put_markers_on(Exec& ex, ParticleSet<D>& p, const TopologyPtr<D>& topology) {
  if (p.size() == 0 || p.topology == topology) return;
  Buffer<std::uint8_t> keep = ex.buffer<std::uint8_t>(std::size_t(p.size()));
  ex.parallel_for(p.topology->tile_count(), 64, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile) {
      const bool stays = topology->map().find(p.topology->tiles()[std::size_t(tile)]) >= 0;
      std::fill(keep.begin() + p.tile_begin(tile), keep.begin() + p.tile_end(tile), std::uint8_t(stays));
    }
  });
  keep_particles(ex, p, std::span<const std::uint8_t>(keep.data(), keep.size()));
  if (p.size() > 0) put_on(ex, p, topology);
}

}  // namespace

template <int D>
LevelSet<D> make_level_set(Exec& ex, Field<float, D> phi, double h, const LevelSetParams& params) {
  LevelSet<D> s;
  s.phi = std::move(phi);
  s.phi.set_background(float(params.distance.width * h));
  if (wants_redistancing(ex, s.phi, h, params)) redistance(ex, s.phi, h, params.distance);
  if (params.markers) reseed(ex, s, h, params);
  return s;
}

template <int D>
void move_level_set(Exec& ex, LevelSet<D>& s, const MacField<float, D>& velocity, const Inflow<D>& inflow,
                    double h, double dt, const LevelSetParams& params) {
  const Zone zone(ex.profile(), "move_level_set");
  const TopologyPtr<D>& topology = velocity.topology();
  CHECK(s.phi.topology() == topology, "the velocity lives on another topology");
  const float air = s.phi.background();
  Field<float, D> moved;
  const Carried<D> carried{&s.phi, &moved, at_centres, scalar_boundary(topology->domain(), air, air)};
  advect<D>(ex, Crossing<D>(ex, topology, topology), {&velocity, inflow}, {&carried, 1}, float(dt / h),
            params.advection);
  s.phi = std::move(moved);

  put_markers_on(ex, s.markers, topology);
  move_particles<D>(ex, s.markers, velocity, inflow, {}, h, dt, {.order = params.advection.trace_order});
  sort_particles(ex, s.markers);
  put_markers_on(ex, s.markers, topology);

  give_up_lost_air(ex, s, h, params);
  correct(ex, s, h);
  if (wants_redistancing(ex, s.phi, h, params)) {
    redistance(ex, s.phi, h, params.distance);
    correct(ex, s, h);
  }
  adjust_radii(ex, s, h, params);
  ++s.steps;
  if (params.markers && params.reseed_every > 0 && s.steps % params.reseed_every == 0)
    reseed(ex, s, h, params);
}

template <int D>
void renew_markers(Exec& ex, LevelSet<D>& s, double h, const LevelSetParams& params) {
  if (params.markers) reseed(ex, s, h, params);
}

template <int D>
void take_out_markers(Exec& ex, LevelSet<D>& s,
                      const std::function<bool(const CellIndex<D>&, const Vec<double, D>&, float)>& gone) {
  ParticleSet<D>& p = s.markers;
  if (p.size() == 0) return;
  const TopologyPtr<D> topology = p.topology;
  const TileSet<D> tiles = topology->tile_set();
  Buffer<std::uint8_t> keep = ex.buffer<std::uint8_t>(std::size_t(p.size()));
  ex.parallel_for(tiles.count, 4, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i) {
        CellIndex<D> cell{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
        Vec<double, D> x;
        for (int a = 0; a < D; ++a) {
          const float at = p.position[std::size_t(a)][i];
          cell.at[a] = int(at);
          x[a] = topology->tiles()[std::size_t(tile)][a] * tile_side + double(at);
        }
        keep[i] = !gone(cell, x, p.others[0][i]);
      }
  });
  keep_particles(ex, p, std::span<const std::uint8_t>(keep.data(), keep.size()));
  if (p.size() > 0) put_on(ex, p, topology);
}

template <int D>
void put_on(Exec& ex, LevelSet<D>& s, const TopologyPtr<D>& topology) {
  if (s.phi.topology() != topology)
    s.phi = carry_over(ex, s.phi, Crossing<D>(ex, s.phi.topology(), topology));
  put_markers_on(ex, s.markers, topology);
}

#define WHORL_INSTANTIATE(D)                                                                               \
  template LevelSet<D> make_level_set(Exec&, Field<float, D>, double, const LevelSetParams&);              \
  template void move_level_set(Exec&, LevelSet<D>&, const MacField<float, D>&, const Inflow<D>&, double,   \
                               double, const LevelSetParams&);                                             \
  template void renew_markers(Exec&, LevelSet<D>&, double, const LevelSetParams&);                         \
  template void take_out_markers(                                                                          \
      Exec&, LevelSet<D>&, const std::function<bool(const CellIndex<D>&, const Vec<double, D>&, float)>&); \
  template void put_on(Exec&, LevelSet<D>&, const TopologyPtr<D>&);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
