#include "linear/mic.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace whorl {

namespace {

constexpr double safety =
    0.25;  // below this part of the diagonal, the recurrence has gone wrong: start afresh

template <int D>
class Mic final : public Preconditioner<double, D> {
 public:
  Mic(Exec& ex, const PressureSystem<D>& system, double tau)
      : system_(system), inverse_(ex, system.topology), middle_(ex, system.topology) {
    const Topology<D>& topology = *system.topology;
    std::map<int, std::vector<int>> by_sum;
    for (int k = 0; k < topology.active_tiles(); ++k) {
      const int tile = topology.active_tile_set().tile(k);
      int sum = 0;
      for (int a = 0; a < D; ++a) sum += topology.tiles()[std::size_t(tile)][a];
      by_sum[sum].push_back(tile);
    }
    for (auto& [sum, tiles] : by_sum) fronts_.push_back(std::move(tiles));

    const FieldView<float, D> inverse = inverse_.view();
    const SystemView<D> view = system.view();
    const Sweep lower(system, -1), upper(system, +1);
    forward(ex, [=](const CellIndex<D>& i) {
      const double d = view.diagonal(i);
      double e = d;
      for (int a = 0; a < D; ++a) {
        const double link = lower.weight(i, a);
        if (link == 0) continue;
        const double scaled = link * inverse(i, a, -1);
        // What elimination of the low neighbour would link to this cell's other neighbours.
        CellIndex<D> below = lower.neighbour(i, a);
        double fill = 0;
        for (int b = 0; b < D; ++b)
          if (b != a) fill += upper.weight(below, b);
        e -= scaled * scaled + tau * scaled * fill * inverse(i, a, -1);
      }
      if (e < safety * d) e = d;
      inverse.store(i, d > 0 ? float(1 / std::sqrt(e)) : 0.f);
    });
  }

  double apply(Exec& ex, Field<double, D>& z, const Field<double, D>& r) override {
    const Zone zone(ex.profile(), "mic");
    const FieldView<const float, D> inverse = std::as_const(inverse_).view();
    const FieldView<double, D> q = middle_.view(), out = z.view();
    const FieldView<const double, D> in = r.view();
    const Sweep lower(system_, -1), upper(system_, +1);
    forward(ex, [=](const CellIndex<D>& i) {  // L q = r
      double t = in(i);
      for (int a = 0; a < D; ++a)
        if (const double link = lower.weight(i, a); link != 0) t += link * inverse(i, a, -1) * q(i, a, -1);
      q.store(i, t * inverse(i));
    });
    backward(ex, [=](const CellIndex<D>& i) {  // L^T z = q
      double t = q(i);
      for (int a = 0; a < D; ++a)
        if (const double link = upper.weight(i, a); link != 0) t += link * inverse(i) * out(i, a, +1);
      out.store(i, t * inverse(i));
    });
    return sum_rows<double>(ex, r.topology()->active_tile_set(),
                            [=](const RowIndex<D>& i) { return out(i) * in(i); });
  }

 private:
  // Links towards the low (-1) or high (+1) side, less those that wrap round a periodic domain.
  struct Sweep {
    SystemView<D> system;
    const Coord<D>* tiles;
    const int* table;
    int side;

    Sweep(const PressureSystem<D>& s, int towards)
        : system(s.view()),
          tiles(s.topology->tiles().data()),
          table(s.topology->tile_set().neighbours),
          side(towards) {}

    WHORL_INLINE double weight(const CellIndex<D>& i, int a) const {
      const double link = system.link(i, a, side);
      if (link == 0 || unsigned(i.at[a] + side) < unsigned(tile_side)) return link;
      const int next = i.neighbours[centre_of_neighbourhood<D> + side * neighbour_step<D>(a)];
      return tiles[next][a] == tiles[i.tile][a] + side ? link : 0.;
    }
    WHORL_INLINE CellIndex<D> neighbour(CellIndex<D> i, int a) const {
      i.at[a] += side;
      if (unsigned(i.at[a]) < unsigned(tile_side)) return i;
      i.tile = i.neighbours[centre_of_neighbourhood<D> + side * neighbour_step<D>(a)];
      i.neighbours = table + std::size_t(i.tile) * neighbourhood<D>;
      i.at[a] &= tile_side - 1;
      return i;
    }
  };

  template <class F>
  void visit(Exec& ex, const std::vector<int>& front, bool upward, const F& f) const {
    const int* table = system_.topology->tile_set().neighbours;
    ex.parallel_for(std::int64_t(front.size()), D == 3 ? 1 : 8, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const int tile = front[std::size_t(k)];
        for (int c = 0; c < tile_cells<D>; ++c) {
          CellIndex<D> i{tile, table + std::size_t(tile) * neighbourhood<D>, {}};
          int rest = upward ? c : tile_cells<D> - 1 - c;
          for (int a = D - 1; a >= 0; --a, rest /= tile_side) i.at[a] = rest % tile_side;
          f(i);
        }
      }
    });
  }
  template <class F>
  void forward(Exec& ex, const F& f) const {
    for (const auto& front : fronts_) visit(ex, front, true, f);
  }
  template <class F>
  void backward(Exec& ex, const F& f) const {
    for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) visit(ex, *front, false, f);
  }

  const PressureSystem<D>& system_;
  std::vector<std::vector<int>> fronts_;
  Field<float, D> inverse_;  // of the diagonal of L
  Field<double, D> middle_;
};

}  // namespace

template <int D>
std::unique_ptr<Preconditioner<double, D>> make_mic(Exec& ex, const PressureSystem<D>& system, double tau) {
  const Zone zone(ex.profile(), "make_mic");
  return std::make_unique<Mic<D>>(ex, system, tau);
}

template std::unique_ptr<Preconditioner<double, 2>> make_mic(Exec&, const PressureSystem<2>&, double);
template std::unique_ptr<Preconditioner<double, 3>> make_mic(Exec&, const PressureSystem<3>&, double);

}  // namespace whorl
