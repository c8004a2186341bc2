#include "stages/curl_noise.h"

#include "base/rng.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

constexpr int edge_side = tile_side + 1;         // edges of a tile along an axis, those of its high side too
constexpr int lattice_side = edge_side / 2 + 3;  // points of a lattice of at least two cells round a tile

// Quintic, so that the curl is smooth (Perlin 2002).
WHORL_INLINE constexpr double fade(double t) { return t * t * t * (t * (6 * t - 15) + 10); }
constexpr double fade_slope(double t) { return 30 * t * t * (t - 1) * (t - 1); }

// The mean square of the slope of the noise along an axis, for a lattice of size 1 and gradients whose
// components are independent and of variance 1/3. A point adds w (g · d), w = Π (1 - fade(|d_a|)); the mean
// over a cell of the squares of all its points' slopes is an integral over the cells round one point, and a
// product of integrals along the axes.
constexpr double mean_square_slope(int dimension) {
  constexpr int steps = 512;
  double own = 0, across = 0, steep = 0, lever = 0;
  for (int k = 0; k < steps; ++k) {
    const double d = (k + 0.5) / steps, w = 1 - fade(d), slope = -fade_slope(d);
    own += 2. / steps * (slope * d + w) * (slope * d + w);
    across += 2. / steps * w * w;
    steep += 2. / steps * slope * slope;
    lever += 2. / steps * w * w * d * d;
  }
  return dimension == 2 ? (own * across + steep * lever) / 3
                        : (own * across * across + 2 * steep * lever * across) / 3;
}

template <int D>
struct NoiseOctave {
  Vec<double, D> per_metre;  // points of the lattice
  Coord<D> period;           // points after which it repeats; 0: never
  std::uint64_t seed, epoch;
  float now, next;  // of the gradients of this epoch and the next
};

// Independent gradients, mixed as two sides of a right angle: their variance stays what it is.
template <int D>
NoiseOctave<D> noise_octave(const Turbulence& noise, int octave, const Domain<D>& domain, double h,
                            double size, double acceleration, double t) {
  NoiseOctave<D> o;
  double steepness = 0;  // Σ per_metre²
  for (int a = 0; a < D; ++a) {
    o.per_metre[a] = 1 / size;
    o.period[a] = 0;
    if (domain.periodic(a)) {
      // With a single point the corners of a cell of the lattice would be one.
      o.period[a] = std::max(2, int(domain.extent(a) * h / size));
      o.per_metre[a] = o.period[a] / (domain.extent(a) * h);
    }
    steepness += o.per_metre[a] * o.per_metre[a];
  }
  const double phase = t * noise.speed * std::exp2(2. / 3 * octave), epoch = std::floor(phase);
  const double angle = M_PI / 2 * fade(phase - epoch);
  const double amplitude = acceleration / std::sqrt((D - 1) * steepness * mean_square_slope(D));
  o.epoch = std::uint64_t(epoch);
  o.now = float(amplitude * std::cos(angle));
  o.next = float(amplitude * std::sin(angle));
  o.seed = mix64(std::uint64_t(noise.seed), std::uint64_t(octave));
  return o;
}

// In scratch memory, a tile at a time: where the edges are in the lattice, its gradients round the tile, and
// the potential.
template <int D>
struct CurlNoise {
  static constexpr int parts = D * (D - 1) / 2;  // of the potential: along each axis, in 2D along z
  static constexpr int edges = ipow<D>(edge_side), points = ipow<D>(lattice_side);

  struct Place {
    int cell;  // of the lattice, counted from the first one that the tile touches
    float t, fade;
  };
  struct Scratch {
    Place place[D][2][edge_side];  // of corners, and of the middles between them
    Vec<float, D> gradient[parts * points];
    float potential[parts * edges];
  };

  FacePush<D> push;
  NoiseOctave<D> octave[most_octaves];
  int octaves;
  Coord<D> origin;  // the cell that the lattice is counted from
  double h;

  WHORL_INLINE static constexpr bool along(int part, int axis) { return D == 3 && part == axis; }

  WHORL_INLINE int first_point(const NoiseOctave<D>& o, const Coord<D>& corner, int axis) const {
    return int(::floor(corner[axis] * h * o.per_metre[axis]));
  }

  WHORL_INLINE Place place(const NoiseOctave<D>& o, const Coord<D>& corner, int axis, int edge,
                           bool middle) const {
    const double x = (corner[axis] + edge + (middle ? 0.5 : 0.)) * h * o.per_metre[axis], whole = ::floor(x);
    return {int(whole) - first_point(o, corner, axis), float(x - whole), float(fade(x - whole))};
  }

  WHORL_INLINE Vec<float, D> gradient(const NoiseOctave<D>& o, Coord<D> point, int part) const {
    std::uint64_t id = std::uint64_t(part);
    for (int a = 0; a < D; ++a) {
      if (o.period[a]) point[a] = (point[a] % o.period[a] + o.period[a]) % o.period[a];
      id = mix64(id, std::uint64_t(point[a]));
    }
    const std::uint64_t now = Rng(o.seed, id, o.epoch).bits(), next = Rng(o.seed, id, o.epoch + 1).bits();
    Vec<float, D> g;
    for (int a = 0; a < D; ++a) {
      const auto part_of = [a](std::uint64_t bits) {
        return float(bits >> 21 * a & 0x1fffff) * 0x1p-20f - 1.f;  // in [-1, 1)
      };
      g[a] = o.now * part_of(now) + o.next * part_of(next);
    }
    return g;
  }

  // The potential along a row of edges. All that the row's other axes say of the points of the lattice along
  // it, weighted values and slopes, is worked out first.
  WHORL_INLINE void add_row(Scratch& s, int part, int row, int points_along) const {
    const Place* across[D];
    int first = 0, rest = row;
    for (int a = D - 2; a >= 0; --a, rest /= edge_side)
      across[a] = &s.place[a][along(part, a)][rest % edge_side];
    for (int a = 0; a < D - 1; ++a) first = (first + across[a]->cell) * lattice_side;
    float value[lattice_side], slope[lattice_side];
    for (int k = 0; k < points_along; ++k) {
      value[k] = slope[k] = 0;
      for (int corner = 0; corner < 1 << (D - 1); ++corner) {
        float weight = 1, sum = 0;
        int point = 0;
        for (int a = 0; a < D - 1; ++a) {
          const int up = corner >> a & 1;
          weight *= up ? across[a]->fade : 1 - across[a]->fade;
          point = (point + up) * lattice_side;
        }
        const Vec<float, D>& g = s.gradient[part * points + first + point + k];
        for (int a = 0; a < D - 1; ++a) sum += g[a] * (across[a]->t - float(corner >> a & 1));
        value[k] += weight * sum;
        slope[k] += weight * g[D - 1];
      }
    }
    float* out = s.potential + (part * edges + row * edge_side);
    for (int e = 0; e < edge_side; ++e) {
      const Place& p = s.place[D - 1][along(part, D - 1)][e];
      const float low = value[p.cell] + slope[p.cell] * p.t;
      const float high = value[p.cell + 1] + slope[p.cell + 1] * (p.t - 1);
      out[e] += low + p.fade * (high - low);
    }
  }

  template <class Group>
  WHORL_INLINE void operator()(const Group& group) const {
    Scratch& s = *group.template scratch<Scratch>();
    const Coord<D> corner = push.cells.tiles[group.tile()] * tile_side - origin;
    group.for_each(parts * edges, [&](int k) { s.potential[k] = 0; });
    for (int n = 0; n < octaves; ++n) {
      const NoiseOctave<D>& o = octave[n];
      group.for_each(D * 2, edge_side, [&](int k, int edge) {
        s.place[k / 2][k % 2][edge] = place(o, corner, k / 2, edge, k % 2 == 1);
      });
      Coord<D> first, count;
      for (int a = 0; a < D; ++a) {
        first[a] = first_point(o, corner, a);
        count[a] = place(o, corner, a, edge_side - 1, true).cell + 2;
      }
      group.for_each(parts, points, [&](int part, int k) {
        Coord<D> at;
        bool needed = true;
        for (int a = D - 1, rest = k; a >= 0; --a, rest /= lattice_side) {
          at[a] = rest % lattice_side;
          needed = needed && at[a] < count[a];
        }
        if (needed) s.gradient[part * points + k] = gradient(o, first + at, part);
      });
      group.sync();
      group.for_each(parts, edges / edge_side,
                     [&](int part, int row) { add_row(s, part, row, count[D - 1]); });
      group.sync();
    }
    group.for_cells([&](const auto& i) {
      for (int a = 0; a < D; ++a) push.add(i, a, circulation(s, i, a));
    });
  }

  // Round the low face along an axis, over its area.
  template <class Index>
  WHORL_INLINE auto circulation(const Scratch& s, const Index& i, int axis) const {
    using Real = typename Index::Real;
    const auto edge = [&](int part, const Coord<D>& at) {
      int k = 0;
      for (int a = 0; a < D; ++a) k = k * edge_side + at[a];
      return read<Real>(s.potential + (part * edges + k));
    };
    const auto step = [&](int part, int along_axis) {  // of a part of the potential, to the next edge
      return edge(part, i.at + Coord<D>::unit(along_axis)) - edge(part, i.at);
    };
    const Real per_cell(float(1 / h));
    if constexpr (D == 3) {
      const int b = (axis + 1) % 3, c = (axis + 2) % 3;
      return (step(c, b) - step(b, c)) * per_cell;
    } else {
      return step(0, 1 - axis) * (axis == 0 ? per_cell : -per_cell);
    }
  }
};

// What the octaves have of the strength, so that the sum of their squares is 1.
double octave_share(int octave, int octaves) {
  double sum = 0;
  for (int n = 0; n < octaves; ++n) sum += std::exp2(-2. / 3 * n);
  return std::exp2(-1. / 3 * octave) / std::sqrt(sum);
}

}  // namespace

template <int D>
void add_curl_noise(Exec& ex, const Topology<D>& topology, const FacePush<D>& push, const Turbulence& noise,
                    double strength, double h, double t) {
  const Domain<D>& domain = topology.domain();
  CurlNoise<D> kernel{push, {}, 0, {}, h};
  for (int a = 0; a < D; ++a) kernel.origin[a] = domain.periodic(a) ? domain.cells.lo[a] : 0;
  const int asked = std::clamp(noise.octaves, 1, most_octaves);
  for (int n = 0; n < asked; ++n) {
    const double size = noise.size * std::exp2(-n);
    if (size < 2 * h && n > 0) break;
    const double acceleration = strength * noise.acceleration * octave_share(n, asked);
    kernel.octave[kernel.octaves++] =
        noise_octave<D>(noise, n, domain, h, std::max(size, 2 * h), acceleration, t);
  }
  for_tiles(ex, topology.tile_set(), kernel, [](int) { return sizeof(typename CurlNoise<D>::Scratch); });
}

// Of 10^7 samples none was beyond 3.3 times the root mean square. (If all gradients round a place conspired,
// in 3D it could be 11 times that; no step is made shorter for it.)
double max_curl_noise(const Turbulence& noise) { return 5 * std::abs(noise.acceleration); }

template void add_curl_noise(Exec&, const Topology<2>&, const FacePush<2>&, const Turbulence&, double, double,
                             double);
template void add_curl_noise(Exec&, const Topology<3>&, const FacePush<3>&, const Turbulence&, double, double,
                             double);

}  // namespace whorl
