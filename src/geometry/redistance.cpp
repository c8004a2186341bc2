#include "geometry/redistance.h"

#include "exec/shapes.h"
#include "geometry/surface_pieces.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

namespace whorl {

namespace {

constexpr float piece_reach =
    1;  // cells from its point for which a piece stands: more than half-way to the next

constexpr float least_distance = 1e-6f;  // cells: a zero would have no sign

struct PieceDistance {
  float distance;    // from a place to a piece
  float from_point;  // from the nearest place on the piece to its point
};

// How far x is from a piece, where v = x - point. Seen from behind, only the point itself counts.
template <int D>
WHORL_INLINE PieceDistance distance_to(const SurfacePiece<D>& piece, const Vec<float, D>& v, bool inside) {
  const float height = dot(v, piece.normal);
  if ((height < 0) != inside) return {length(v), piece_reach};
  const auto bend = [&](const Vec<float, D>& x) {
    Vec<float, D> y{};
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) y[a] += piece.bend[a][b] * x[b];
    return y;
  };
  Vec<float, D> w{};  // from the point to the nearest one of the quadric
  for (int k = 0; k < 3; ++k) {
    // Newton's step along the surface, towards where x is straight above …
    const Vec<float, D> slope = piece.normal + bend(w), rest = v - w;
    const Vec<float, D> step = rest - slope * (dot(rest, slope) / std::max(dot(slope, slope), 0.01f));
    const float turn = dot(step, bend(step)) / std::max(dot(step, step), 1e-12f);
    w = w + step * (1 / std::clamp(1 + height * turn, 0.5f, 4.f));
    // … not beyond the piece's end, and down to it.
    w = w - piece.normal * dot(w, piece.normal);
    const float size = length(w);
    if (size > piece_reach) w = w * (piece_reach / size);
    w = w - piece.normal * (0.5f * dot(w, bend(w)));
  }
  return {length(v - w), length(w)};
}

// What both methods work on: each cell looks for the piece whose point is nearest.
template <int D>
struct Distances {
  const Topology<D>& topology;
  const SurfacePiece<D>* pieces;
  Field<float, D>& distance;  // cells
  Field<int, D>& piece;       // where it comes from
  float width;

  // From a piece's point to the centre of a cell, the shorter way round.
  WHORL_INLINE Vec<float, D> way(const SurfacePiece<D>& from, const Coord<D>& cell) const {
    const Domain<D>& domain = topology.domain();
    Vec<float, D> v;
    for (int a = 0; a < D; ++a) {
      int steps = cell[a] - from.cell[a];
      if (domain.periodic(a)) {
        const int period = domain.extent(a);
        steps -= period * floor_div(2 * steps + period, 2 * period);
      }
      v[a] = float(steps) - from.point[a];
    }
    return v;
  }
};

template <int D>
bool is_next_to_surface(const SurfacePiece<D>& piece, const Coord<D>& cell) {
  return piece.cell == cell;
}

// A tile with the cells across its faces.
template <int D>
struct HaloedTile {
  static constexpr int side = tile_side + 2, cells = ipow<D>(side);
  float distance[cells];
  int piece[cells];

  static constexpr int stride(int axis) {
    int s = 1;
    for (int a = D - 1; a > axis; --a) s *= side;
    return s;
  }
  static int index(const Coord<D>& at) {
    int k = 0;
    for (int a = 0; a < D; ++a) k += (at[a] + 1) * stride(a);
    return k;
  }
};

// Fills it, and finds which cells are free to change: not those next to the surface.
template <int D>
void load(HaloedTile<D>& halo, bool* free, const Distances<D>& d, int tile) {
  const int* neighbours = d.topology.tile_set().neighbours + std::size_t(tile) * neighbourhood<D>;
  const TopologyView<D> cells = d.topology.view();
  const Coord<D> corner = cells.tiles[tile] * tile_side;
  const FieldView<const float, D> distance = std::as_const(d.distance).view();
  const FieldView<const int, D> piece = std::as_const(d.piece).view();
  for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
    const CellIndex<D> i{tile, neighbours, at};
    const int k = HaloedTile<D>::index(at);
    halo.distance[k] = distance(i);
    halo.piece[k] = piece(i);
    free[i.offset()] = cells.active_bits(i) &&
                       !(piece(i) != no_piece && is_next_to_surface(d.pieces[piece(i)], corner + at));
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, +1}) {
        if (at[a] != (step < 0 ? 0 : tile_side - 1)) continue;
        const bool there = cells.active_bits(i, a, step);
        halo.distance[k + step * HaloedTile<D>::stride(a)] = there ? distance(i, a, step) : d.width;
        halo.piece[k + step * HaloedTile<D>::stride(a)] = there ? piece(i, a, step) : no_piece;
      }
  });
}

// Solves in one tile for given values across its faces. Returns which of its faces, 2 · axis + high, have
// cells that changed.
template <int D>
unsigned sweep_tile(const Distances<D>& d, int tile, float* distance_out, int* piece_out) {
  const Coord<D> corner = d.topology.tiles()[std::size_t(tile)] * tile_side;
  const Box<D> own{{}, Coord<D>::filled(tile_side)};
  HaloedTile<D> halo;
  bool free[tile_cells<D>];
  load(halo, free, d, tile);
  bool changed[tile_cells<D>] = {};
  const auto update = [&](const Coord<D>& at) {
    const int offset = int(cell_offset<D>(at)), k = HaloedTile<D>::index(at);
    if (!free[offset]) return false;
    bool better = false;
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, +1}) {
        const int from = k + step * HaloedTile<D>::stride(a), p = halo.piece[from];
        // A neighbour's nearest point is at most one cell nearer to here than to it.
        if (p == no_piece || p == halo.piece[k] || halo.distance[from] - 1 >= halo.distance[k]) continue;
        const float found = length(d.way(d.pieces[p], corner + at));
        if (!(found < halo.distance[k])) continue;
        halo.distance[k] = found;
        halo.piece[k] = p;
        better = changed[offset] = true;
      }
    return better;
  };
  // Every update looks at all neighbours, so that a sweep without a change is the last one.
  bool again = true;
  for (unsigned order = 0; again; ++order) {
    again = false;
    for_each_coord(own, [&](Coord<D> at) {
      for (int a = 0; a < D; ++a)
        if (order >> a & 1) at[a] = tile_side - 1 - at[a];
      again = update(at) || again;
    });
  }

  unsigned faces = 0;
  for_each_coord(own, [&](const Coord<D>& at) {
    const int offset = int(cell_offset<D>(at)), k = HaloedTile<D>::index(at);
    distance_out[offset] = halo.distance[k];
    piece_out[offset] = halo.piece[k];
    for (int a = 0; a < D; ++a)
      for (const int high : {0, 1})
        if (changed[offset] && at[a] == high * (tile_side - 1)) faces |= 1u << (2 * a + high);
  });
  return faces;
}

// Rounds over the tiles whose surroundings have changed. In a round each reads what the round before has
// left, so the result does not depend on who is first.
template <int D>
void sweep(Exec& ex, const Distances<D>& d) {
  const TileSet<D> tiles = d.topology.tile_set();
  constexpr std::size_t cells = tile_cells<D>;
  std::vector<int> dirty;
  for (int tile = 0; tile < tiles.count; ++tile) {
    const int* piece = d.piece.data() + std::size_t(tile) * cells;
    if (std::any_of(piece, piece + cells, [](int p) { return p != no_piece; })) dirty.push_back(tile);
  }
  // A tile whose cells across a face hold pieces must look at them even if it has none itself.
  std::vector<unsigned> changed(std::size_t(tiles.count) + 1, 0);
  for (const int tile : dirty) changed[std::size_t(tile)] = (1u << 2 * D) - 1;
  const auto around_changes = [&] {
    std::vector<int> list;
    for (int tile = 0; tile < tiles.count; ++tile) {
      const int* neighbours = tiles.neighbours + std::size_t(tile) * neighbourhood<D>;
      bool touched = false;
      for (int a = 0; a < D; ++a)
        for (const int high : {0, 1}) {
          const int next = neighbours[centre_of_neighbourhood<D> + (high ? 1 : -1) * neighbour_step<D>(a)];
          touched = touched || (changed[std::size_t(next)] >> (2 * a + !high) & 1);
        }
      if (touched) list.push_back(tile);
    }
    return list;
  };
  std::vector<int> list = around_changes();
  list.insert(list.end(), dirty.begin(), dirty.end());
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  while (!list.empty()) {
    Buffer<float> distance = ex.buffer<float>(list.size() * cells);
    Buffer<int> piece = ex.buffer<int>(list.size() * cells);
    std::vector<unsigned> faces(list.size());
    ex.parallel_for(std::int64_t(list.size()), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::size_t k = std::size_t(begin); k < std::size_t(end); ++k)
        faces[k] = sweep_tile(d, list[k], distance.data() + k * cells, piece.data() + k * cells);
    });
    std::fill(changed.begin(), changed.end(), 0u);
    ex.parallel_for(std::int64_t(list.size()), 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::size_t k = std::size_t(begin); k < std::size_t(end); ++k) {
        const std::size_t tile = std::size_t(list[k]);
        std::copy_n(distance.data() + k * cells, cells, d.distance.data() + tile * cells);
        std::copy_n(piece.data() + k * cells, cells, d.piece.data() + tile * cells);
        changed[tile] = faces[k];
      }
    });
    list = around_changes();
  }
}

// From near to far; what is equally near, in the order of cells in memory.
template <int D>
void march(const Distances<D>& d) {
  const TileSet<D> tiles = d.topology.tile_set();
  const TopologyView<D> cells = d.topology.view();
  struct Front {
    float distance;
    std::int64_t cell;
    bool operator<(const Front& other) const {  // the queue has the largest on top
      return distance != other.distance ? distance > other.distance : cell > other.cell;
    }
  };
  std::priority_queue<Front> front;
  std::vector<std::uint8_t> done(d.distance.size(), 0);
  float* distance = d.distance.data();
  int* piece = d.piece.data();
  for (std::size_t k = 0; k < d.distance.size(); ++k)
    if (piece[k] != no_piece) front.push({distance[k], std::int64_t(k)});
  while (!front.empty()) {
    const Front now = front.top();
    front.pop();
    if (done[std::size_t(now.cell)]) continue;
    done[std::size_t(now.cell)] = 1;
    const int tile = int(now.cell / tile_cells<D>);
    CellIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
    for (int a = 0; a < D; ++a) i.at[a] = int(now.cell / tile_stride<D>(a)) & (tile_side - 1);
    const SurfacePiece<D>& own = d.pieces[piece[now.cell]];
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, +1}) {
        if (!cells.active_bits(i, a, step)) continue;
        const std::int64_t next = d.distance.view().stepped(i, a, step) - distance;
        if (done[std::size_t(next)] || (piece[next] != no_piece && distance[next] <= now.distance)) continue;
        Coord<D> cell = d.topology.tiles()[std::size_t(next / tile_cells<D>)] * tile_side;
        for (int b = 0; b < D; ++b) cell[b] += int(next / tile_stride<D>(b)) & (tile_side - 1);
        if (piece[next] != no_piece && is_next_to_surface(d.pieces[piece[next]], cell)) continue;
        const float found = length(d.way(own, cell));
        if (!(found < distance[next])) continue;
        distance[next] = found;
        piece[next] = piece[now.cell];
        front.push({found, next});
      }
  }
}

// Of the pieces round a cell's own, the nearest: neighbours may not have had it themselves, so it has not
// come by way of them.
template <int D>
int nearest_round(const Distances<D>& d, int piece, const Coord<D>& cell) {
  const int* at = d.piece.data();
  float least = length(d.way(d.pieces[piece], cell));
  for (int round = 0; round < 2; ++round) {
    const SurfacePiece<D>& from = d.pieces[piece];
    const int* neighbours = d.topology.tile_set().neighbours + std::size_t(from.tile) * neighbourhood<D>;
    const int start = piece;
    for_each_coord(Box<D>{Coord<D>::filled(-1), Coord<D>::filled(2)}, [&](const Coord<D>& step) {
      int place = 0;
      std::size_t offset = 0;
      for (int a = 0; a < D; ++a) {
        const int there = (from.cell[a] & (tile_side - 1)) + step[a];
        place = place * 3 + (there < 0 ? 0 : there < tile_side ? 1 : 2);
        offset = offset * tile_side + std::size_t(there & (tile_side - 1));
      }
      if (neighbours[place] == d.topology.tile_count()) return;
      const int other = at[std::size_t(neighbours[place]) * tile_cells<D> + offset];
      if (other == no_piece || other == piece) return;
      const float found = length(d.way(d.pieces[other], cell));
      if (found < least) least = found, piece = other;
    });
    if (piece == start) break;
  }
  return piece;
}

// To a cell from its piece, or from one that is nearer, if there may be one.
template <int D>
float distance_from(const Distances<D>& d, int piece, const Coord<D>& cell, bool inside) {
  const PieceDistance own = distance_to(d.pieces[piece], d.way(d.pieces[piece], cell), inside);
  if (own.from_point < 0.5f * piece_reach) return own.distance;
  const SurfacePiece<D>& nearest = d.pieces[nearest_round(d, piece, cell)];
  return distance_to(nearest, d.way(nearest, cell), inside).distance;
}

}  // namespace

template <int D>
void redistance(Exec& ex, Field<float, D>& phi, double h, const RedistanceParams& params) {
  const Zone zone(ex.profile(), "redistance");
  const TopologyPtr<D> topology = phi.topology();
  const float width = float(params.width), farthest = width + 1;  // points are further away than pieces
  SurfacePieces<D> pieces = surface_pieces(ex, phi, h);
  Field<float, D> distance(ex, topology, farthest);
  const auto point_distance = [to = distance.data(), at = pieces.at.data(),
                               list = pieces.list.data()](std::int64_t k) {
    if (at[k] != no_piece) to[k] = length(list[at[k]].point);
  };
  for_points(ex, std::int64_t(distance.size()), point_distance);

  const Distances<D> d{*topology, pieces.list.data(), distance, pieces.at, farthest};
  if (params.method == DistanceMethod::fast_sweeping)
    sweep(ex, d);
  else
    march(d);

  const TopologyView<D> cells = topology->view();
  const TileSet<D> tiles = topology->tile_set();
  const FieldView<float, D> value = phi.view();
  const FieldView<const int, D> piece_at = std::as_const(pieces.at).view();
  const Lane<float> far(float(h) * width), zero(0.f);
  ex.parallel_for(tiles.count, 4, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile) {
      const Coord<D> corner = cells.tiles[tile] * tile_side;
      for_rows_of_tile<D>(tiles, tile, [&](const RowIndex<D>& r) {
        const Lane<float> old = value(r);
        Lane<float> size = far;
        for (int k = 0; k < tile_side; ++k) {
          const int p = piece_at.own(r)[k];
          if (p == no_piece) continue;
          Coord<D> cell = corner + r.at;
          cell[D - 1] += k;
          const float found = is_next_to_surface(d.pieces[p], cell) ? length(d.pieces[p].point)
                                                                    : distance_from(d, p, cell, old[k] < 0);
          size.set(k, float(h) * std::clamp(found, least_distance, width));
        }
        const Lane<float> made = select(old < zero, -size, size);
        value.store(r, select(Lane<float>::mask_from_bits(cells.active_bits(r)), made, old));
      });
    }
  });
}

template void redistance(Exec&, Field<float, 2>&, double, const RedistanceParams&);
template void redistance(Exec&, Field<float, 3>&, double, const RedistanceParams&);

}  // namespace whorl
