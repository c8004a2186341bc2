#include "geometry/surface_pieces.h"

#include "exec/scan.h"
#include "exec/shapes.h"
#include "grid/retile.h"

#include <algorithm>
#include <cmath>

namespace whorl {

namespace {

constexpr double most_bend = 1;  // per cell: the grid knows nothing smaller than itself

enum class BeyondWalls { straight_on, mirrored };

// Values round a cell, in cells: two to each side.
template <int D>
class Patch {
 public:
  Patch(const Topology<D>& topology, const float* phi, int tile, const Coord<D>& at, double h,
        BeyondWalls walls = BeyondWalls::straight_on) {
    const int* neighbours = topology.tile_set().neighbours + std::size_t(tile) * neighbourhood<D>;
    const std::uint8_t* active = topology.view().active;
    bool known[count];
    bool all = true;
    int k = 0;
    for_each_coord(Box<D>{Coord<D>::filled(-reach), Coord<D>::filled(reach + 1)}, [&](const Coord<D>& step) {
      int place = 0;
      Coord<D> cell;
      for (int a = 0; a < D; ++a) {
        const int beyond = floor_div(at[a] + step[a], tile_side);
        cell[a] = at[a] + step[a] - beyond * tile_side;
        place = place * 3 + beyond + 1;
      }
      const std::size_t slot = std::size_t(neighbours[place]), offset = std::size_t(cell_offset<D>(cell));
      known[k] = active[slot * tile_rows<D> + offset / tile_side] >> (offset % tile_side) & 1;
      value_[k] = double(phi[slot * tile_cells<D> + offset]) / h;
      all = all && known[k];
      ++k;
    });
    if (all) return;
    if (walls == BeyondWalls::mirrored)
      mirror(known, topology, topology.tiles()[std::size_t(tile)] * tile_side + at);
    extend(known);
  }

  // The field and its slope at a point at most one cell from the centre along each axis (Catmull & Rom 1974).
  double sample(const Vec<double, D>& x, Vec<double, D>& slope) const {
    double weight[D][4], change[D][4];
    Coord<D> first;
    for (int a = 0; a < D; ++a) {
      const int below = x[a] < 0 ? -1 : 0;
      const double t = x[a] - below, tt = t * t, ttt = tt * t;
      first[a] = below - 1;
      const double w[4] = {-t + 2 * tt - ttt, 2 - 5 * tt + 3 * ttt, t + 4 * tt - 3 * ttt, ttt - tt};
      const double c[4] = {-1 + 4 * t - 3 * tt, 9 * tt - 10 * t, 1 + 8 * t - 9 * tt, 3 * tt - 2 * t};
      for (int k = 0; k < 4; ++k) weight[a][k] = 0.5 * w[k], change[a][k] = 0.5 * c[k];
    }
    double value = 0;
    slope = {};
    for_each_coord(Box<D>{{}, Coord<D>::filled(4)}, [&](const Coord<D>& tap) {
      const double v = at(first + tap);
      double product = v;
      for (int a = 0; a < D; ++a) product *= weight[a][tap[a]];
      value += product;
      for (int a = 0; a < D; ++a) {
        double part = v;
        for (int b = 0; b < D; ++b) part *= b == a ? change[b][tap[b]] : weight[b][tap[b]];
        slope[a] += part;
      }
    });
    return value;
  }

  // Second derivatives, from central differences at the cells around.
  double second_derivative(const Vec<double, D>& x, int a, int b) const {
    double result = 0;
    for (int corner = 0; corner < 1 << D; ++corner) {
      Coord<D> cell;
      double weight = 1;
      for (int c = 0; c < D; ++c) {
        const int below = x[c] < 0 ? -1 : 0, high = corner >> c & 1;
        cell[c] = below + high;
        weight *= high ? x[c] - below : 1 - (x[c] - below);
      }
      const Coord<D> p = Coord<D>::unit(a), q = Coord<D>::unit(b);
      result += weight *
                (a == b ? at(cell + p) - 2 * at(cell) + at(cell - p)
                        : 0.25 * (at(cell + p + q) - at(cell + p - q) - at(cell - p + q) + at(cell - p - q)));
    }
    return result;
  }

  // Of the surface near the centre, from fourth-order differences there: the curvature κ of the level through
  // the centre and, in 3D, its Gaussian one K, carried over to the parallel surface at the distance d,
  // (κ - 2 d K) / (1 - d κ + d² K).
  double curvature() const {
    Vec<double, D> slope;
    double second[D][D];
    for (int a = 0; a < D; ++a) {
      slope[a] = derivative([&](int step) { return at(Coord<D>::unit(a, step)); });
      for (int b = 0; b < a; ++b)
        second[a][b] = second[b][a] = derivative([&](int step) {
          return derivative(
              [&](int other) { return at(Coord<D>::unit(a, step) + Coord<D>::unit(b, other)); });
        });
      const auto v = [&](int step) { return at(Coord<D>::unit(a, step)); };
      second[a][a] = (16 * (v(1) + v(-1)) - (v(2) + v(-2)) - 30 * v(0)) / 12;
    }
    const double square = dot(slope, slope), size = std::sqrt(square);
    if (!(square > 1e-12)) return 0;
    double trace = 0, along = 0, gauss = 0;
    for (int a = 0; a < D; ++a) {
      trace += second[a][a];
      for (int b = 0; b < D; ++b) {
        along += slope[a] * second[a][b] * slope[b];
        if constexpr (D == 3) {  // the cofactors of the second derivatives
          const int a1 = (a + 1) % D, a2 = (a + 2) % D, b1 = (b + 1) % D, b2 = (b + 2) % D;
          gauss += slope[a] * slope[b] * (second[a1][b1] * second[a2][b2] - second[a1][b2] * second[a2][b1]);
        }
      }
    }
    const double level = (square * trace - along) / (square * size), d = at({}) / size;
    gauss /= square * square;
    return (level - 2 * d * gauss) / std::max(1 - d * level + d * d * gauss, 0.25);
  }

  double at(const Coord<D>& step) const { return value_[index(step)]; }

 private:
  static constexpr int reach = 2, side = 2 * reach + 1, count = ipow<D>(side);

  template <class Value>
  static double derivative(const Value& v) {
    return (8 * (v(1) - v(-1)) - (v(2) - v(-2))) / 12;
  }

  static int index(const Coord<D>& step) {
    int k = 0;
    for (int a = 0; a < D; ++a) k = k * side + step[a] + reach;
    return k;
  }

  // What lies beyond the walls of the domain, one axis after the other.
  void mirror(bool* known, const Topology<D>& topology, const Coord<D>& centre) {
    const Domain<D>& domain = topology.domain();
    const Box<D> all{Coord<D>::filled(-reach), Coord<D>::filled(reach + 1)};
    for (int a = 0; a < D; ++a)
      for (const int high : {0, 1}) {
        if (domain.sides[std::size_t(a)][std::size_t(high)] != Side::wall) continue;
        const int twice = 2 * ((high ? domain.cells.hi : domain.cells.lo)[a] - centre[a]) - 1;
        for_each_coord(all, [&](Coord<D> c) {
          const int k = index(c);
          if (high ? 2 * c[a] < twice : 2 * c[a] > twice) return;
          c[a] = twice - c[a];
          if (std::abs(c[a]) > reach || !known[index(c)]) return;
          value_[k] = value_[index(c)];
          known[k] = true;
        });
      }
  }

  // Straight on from the two cells before, along one axis after the other.
  void extend(bool* known) {
    const Box<D> all{Coord<D>::filled(-reach), Coord<D>::filled(reach + 1)};
    for (int distance = 1; distance <= reach; ++distance)
      for (int a = 0; a < D; ++a)
        for_each_coord(all, [&](const Coord<D>& c) {
          if (known[index(c)] || std::abs(c[a]) != distance) return;
          const Coord<D> back = Coord<D>::unit(a, c[a] < 0 ? 1 : -1);
          const int one = index(c + back), two = index(c + back + back);
          if (!known[one]) return;
          value_[index(c)] = known[two] ? 2 * value_[one] - value_[two] : value_[one];
          known[index(c)] = true;
        });
    for (int k = 0; k < count; ++k)
      if (!known[k]) value_[k] = value_[index({})];
  }

  double value_[count];
};

// The part of the way to the next cell at which the surface is crossed, for each axis the nearer side; 0
// where it is on neither. The sign says which side.
template <int D>
Vec<double, D> crossings(const Patch<D>& patch, const Topology<D>& topology, const CellIndex<D>& i) {
  Vec<double, D> crossed{};
  const double own = patch.at({});
  for (int a = 0; a < D; ++a)
    for (const int step : {-1, +1}) {
      const double other = patch.at(Coord<D>::unit(a, step));
      if (!topology.view().active_bits(i, a, step) || (own < 0) == (other < 0)) continue;
      const double part = std::max(own / (own - other), 1e-6);
      if (crossed[a] == 0 || part < std::abs(crossed[a])) crossed[a] = part * step;
    }
  return crossed;
}

// Newton's way to the surface along the slope, and along the surface to where the centre is straight above
// (Chopp 2001, §3). Returns whether it arrived.
template <int D>
bool find_closest(const Patch<D>& patch, Vec<double, D>& x, Vec<double, D>& slope) {
  x = {};
  for (int k = 0; k < 12; ++k) {
    const double value = patch.sample(x, slope), square = dot(slope, slope);
    if (!(square > 1e-12)) return false;
    const Vec<double, D> step =
        (x * -1.0) + slope * ((dot(x, slope) - value) / square);  // the centre is at zero
    for (int a = 0; a < D; ++a) x[a] = std::clamp(x[a] + step[a], -1., 1.);
    if (dot(step, step) < 1e-10) return true;
  }
  return false;
}

template <int D>
SurfacePiece<D> piece_of(const Patch<D>& patch, const Vec<double, D>& crossed, const Coord<D>& cell,
                         int tile) {
  constexpr double trust = 0.1;  // cells by which the cubics may disagree with straight lines between cells
  double nearest = 1;
  for (int a = 0; a < D; ++a)
    if (crossed[a] != 0) nearest = std::min(nearest, std::abs(crossed[a]));
  SurfacePiece<D> piece{cell, tile, {}, {}, {}};
  Vec<double, D> x, slope;
  if (find_closest(patch, x, slope) && length(x) < nearest + trust) {
    const double size = length(slope);
    double bend[D][D], square = 0;
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) {
        bend[a][b] = patch.second_derivative(x, a, b) / size;
        square += bend[a][b] * bend[a][b];
      }
    const double scale = std::min(1., most_bend / std::sqrt(std::max(square, 1e-30)));
    for (int a = 0; a < D; ++a) {
      piece.point[a] = float(x[a]);
      piece.normal[a] = float(slope[a] / size);
      for (int b = 0; b < D; ++b) piece.bend[a][b] = float(bend[a][b] * scale);
    }
    return piece;
  }
  // A kink, or more than one surface: the plane through the crossings.
  Vec<double, D> towards{};
  for (int a = 0; a < D; ++a)
    if (crossed[a] != 0) towards[a] = 1 / crossed[a];
  const double square = dot(towards, towards), sign = patch.at({}) < 0 ? 1 : -1;
  for (int a = 0; a < D; ++a) {
    piece.point[a] = float(towards[a] / square);
    piece.normal[a] = float(sign * towards[a] / std::sqrt(square));
  }
  return piece;
}

}  // namespace

template <int D>
SurfacePieces<D> surface_pieces(Exec& ex, const Field<float, D>& phi, double h) {
  const Zone zone(ex.profile(), "surface_pieces");
  const Topology<D>& topology = *phi.topology();
  const TileSet<D> tiles = topology.tile_set();
  const TopologyView<D> cells = topology.view();
  const FieldView<const float, D> value = phi.view();
  CellMask<D> next_to = cells_where<D>(ex, phi.topology(), [=](const RowIndex<D>& r) {
    const Lane<float> zero(0.f);
    unsigned crossed = 0;
    const unsigned inside = bits(value(r) < zero);
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, +1})
        crossed |= (inside ^ bits(value(r, a, step) < zero)) & cells.active_bits(r, a, step);
    return Lane<float>::mask_from_bits(crossed);
  });

  Buffer<std::uint32_t> first = ex.buffer<std::uint32_t>(std::size_t(tiles.count) + 1);
  for (int tile = 0; tile < tiles.count; ++tile) {
    const std::uint8_t* rows = next_to.rows.data() + std::size_t(tile) * tile_rows<D>;
    first[std::size_t(tile)] = 0;
    for (int row = 0; row < tile_rows<D>; ++row)
      first[std::size_t(tile)] += std::uint32_t(__builtin_popcount(rows[row]));
  }
  first[std::size_t(tiles.count)] = 0;
  const std::uint32_t total = exclusive_scan(ex, first.data(), first.data(), std::int64_t(first.size()));

  SurfacePieces<D> pieces{ex.buffer<SurfacePiece<D>>(total), Field<int, D>(ex, phi.topology(), no_piece)};
  const TopologyView<D> chosen = next_to.view();
  ex.parallel_for(tiles.count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile) {
      std::uint32_t k = first[std::size_t(tile)];
      if (k == first[std::size_t(tile) + 1]) continue;
      const Coord<D> corner = topology.tiles()[std::size_t(tile)] * tile_side;
      for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
        const CellIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, at};
        if (!chosen.active_bits(i)) return;
        const Patch<D> patch(topology, phi.data(), tile, at, h);
        pieces.list[k] = piece_of(patch, crossings(patch, topology, i), corner + at, tile);
        pieces.at.view().store(i, int(k));
        ++k;
      });
    }
  });
  return pieces;
}

template <int D>
double surface_curvature(const Field<float, D>& phi, const CellIndex<D>& cell, double h) {
  const Patch<D> patch(*phi.topology(), phi.data(), cell.tile, cell.at, h, BeyondWalls::mirrored);
  return std::clamp(patch.curvature(), -most_bend, most_bend) / h;
}

template double surface_curvature(const Field<float, 2>&, const CellIndex<2>&, double);
template double surface_curvature(const Field<float, 3>&, const CellIndex<3>&, double);
template SurfacePieces<2> surface_pieces(Exec&, const Field<float, 2>&, double);
template SurfacePieces<3> surface_pieces(Exec&, const Field<float, 3>&, double);

}  // namespace whorl
