#include "linear/multigrid.h"

#include "linear/cholesky.h"
#include "linear/coarsen.h"

#include <cmath>

namespace whorl {

namespace {

using Real = Lane<float>;

// Jacobi weights whose product of errors is least over the eigenvalues of D⁻¹A that a coarser grid cannot
// represent (Chebyshev's polynomial on [least, most]; Adams et al. 2003). Those of D⁻¹A lie below 2.
std::vector<float> chebyshev_weights(int sweeps) {
  constexpr double least = 0.3, most = 2;
  std::vector<float> weights;
  for (int k = 0; k < sweeps; ++k) {
    const double root = std::cos(M_PI * (k + 0.5) / sweeps);
    weights.push_back(float(1 / (0.5 * (most + least) + 0.5 * (most - least) * root)));
  }
  return weights;
}

// The cells of the coarsest grid in a row, and its matrix factored.
template <int D>
class BottomSolver {
 public:
  explicit BottomSolver(const PressureSystem<D>& system) {
    const Topology<D>& topology = *system.topology;
    const std::size_t n = std::size_t(topology.active_cells());
    std::vector<int> number(std::size_t(topology.tile_count() + 1) * tile_cells<D>, -1);
    for (int k = 0; k < topology.active_tiles(); ++k) {
      const int tile = topology.active_tile_set().tile(k);
      for (int c = 0; c < tile_cells<D>; ++c)
        if (topology.active()[std::size_t(tile) * tile_rows<D> + std::size_t(c / tile_side)] >>
                c % tile_side &
            1) {
          number[std::size_t(tile) * tile_cells<D> + std::size_t(c)] = int(cells_.size());
          cells_.push_back(std::size_t(tile) * tile_cells<D> + std::size_t(c));
        }
    }
    std::vector<double> matrix(n * n);
    double trace = 0;
    const FieldView<const int, D> numbers(number.data());
    for (std::size_t row = 0; row < n; ++row) {
      const int tile = int(cells_[row] / tile_cells<D>);
      CellIndex<D> i{tile, topology.tile_set().neighbours + std::size_t(tile) * neighbourhood<D>, {}};
      for (int a = D - 1, rest = int(cells_[row] % tile_cells<D>); a >= 0; --a, rest /= tile_side)
        i.at[a] = rest % tile_side;
      matrix[row * n + row] += system.diagonal.view()(i);
      trace += system.diagonal.view()(i);
      for (int a = 0; a < D; ++a)
        for (const int step : {-1, +1}) {
          const int other = numbers(i, a, step);
          const auto weight = system.weight[a].view();
          if (other >= 0) matrix[row * n + std::size_t(other)] -= step < 0 ? weight(i) : weight(i, a, +1);
        }
    }
    // A constant too must cost something where nothing touches air, and a little never hurts.
    const double shift = system.touches_air ? 0 : trace / double(n) / double(n);
    for (double& entry : matrix) entry += shift;
    for (std::size_t row = 0; row < n; ++row) matrix[row * n + row] += 1e-7 * trace / double(n);
    factor_ = Cholesky(std::move(matrix), n);
    CHECK(factor_.ok(), "the bottom of the pyramid is not positive definite, ", n, " cells");
  }

  void solve(Field<float, D>& x, const Field<float, D>& b) {
    values_.resize(cells_.size());
    for (std::size_t k = 0; k < cells_.size(); ++k) values_[k] = b.data()[cells_[k]];
    factor_.solve(values_);
    for (std::size_t k = 0; k < cells_.size(); ++k) x.data()[cells_[k]] = float(values_[k]);
  }

 private:
  std::vector<std::size_t> cells_;  // places in the slab
  std::vector<double> values_;
  Cholesky factor_;
};

template <int D>
class Multigrid final : public Preconditioner<D> {
 public:
  Multigrid(Exec& ex, const PressureSystem<D>& finest, const MultigridParams& params)
      : weights_(chebyshev_weights(params.sweeps)) {
    grids_.push_back(Grid(ex, finest));
    while (grids_.back().system->topology->active_cells() > params.bottom_cells) {
      auto coarser = coarsen(ex, *grids_.back().system, levels_.empty() ? nullptr : &levels_.back()->air);
      if (!coarser) break;
      levels_.push_back(std::make_unique<CoarseSystem<D>>(std::move(*coarser)));
      grids_.push_back(Grid(ex, levels_.back()->system));
    }
    if (grids_.back().system->topology->active_cells() <= 4 * params.bottom_cells)
      bottom_ = std::make_unique<BottomSolver<D>>(*grids_.back().system);
  }

  void apply(Exec& ex, Field<double, D>& z, const Field<double, D>& r) override {
    const Zone zone(ex.profile(), "multigrid");
    // The cycle is linear: the residual is scaled to order one, so that floats hold it however small it is.
    const FieldView<const double, D> in = r.view();
    const TileSet<D> tiles = r.topology()->active_tile_set();
    const double size = max_rows<double>(ex, tiles, 1e-300, [=](const RowIndex<D>& i) { return abs(in(i)); });
    const FieldView<float, D> b = grids_[0].b.view();
    const Lane<double> down(1 / size), up(size);
    for_rows(ex, tiles, [=](const RowIndex<D>& i) { b.store(i, convert<Real>(in(i)*down)); });
    cycle(ex, 0);
    const FieldView<const float, D> x = std::as_const(grids_[0].x).view();
    const FieldView<double, D> out = z.view();
    for_rows(ex, tiles, [=](const RowIndex<D>& i) { out.store(i, convert<Lane<double>>(x(i)) * up); });
  }

 private:
  struct Grid {
    const PressureSystem<D>* system;
    Field<float, D> x, b, other;

    Grid(Exec& ex, const PressureSystem<D>& s)
        : system(&s), x(ex, s.topology), b(ex, s.topology), other(ex, s.topology) {}
  };

  void cycle(Exec& ex, std::size_t level) {
    Grid& g = grids_[level];
    if (level + 1 == grids_.size() && bottom_) return bottom_->solve(g.x, g.b);
    smooth_from_zero(ex, g);
    if (level + 1 < grids_.size()) {
      residual(ex, g);
      restrict_residual(ex, grids_[level + 1].b, g.other, *levels_[level]);
      cycle(ex, level + 1);
      prolong_add(ex, g.x, grids_[level + 1].x, *levels_[level]);
    }
    for (auto w = weights_.rbegin(); w != weights_.rend(); ++w) sweep(ex, g, *w);
  }

  void smooth_from_zero(Exec& ex, Grid& g) const {
    const FieldView<float, D> x = g.x.view();
    const FieldView<const float, D> b = std::as_const(g.b).view(), diagonal = g.system->diagonal.view();
    const Real first(weights_[0]), zero(0.f);
    for_rows(ex, g.system->topology->active_tile_set(), [=](const RowIndex<D>& i) {
      const Real d = diagonal(i);
      x.store(i, select(d > zero, first * b(i) / d, zero));
    });
    for (std::size_t k = 1; k < weights_.size(); ++k) sweep(ex, g, weights_[k]);
  }

  // x + ω D⁻¹ (b - A x), into the other array; then the two change places.
  void sweep(Exec& ex, Grid& g, float weight) const {
    const FieldView<float, D> out = g.other.view();
    const FieldView<const float, D> x = std::as_const(g.x).view(), b = std::as_const(g.b).view();
    const FieldView<const float, D> diagonal = g.system->diagonal.view();
    const ApplySystem<float, D> a_x = apply_system(*g.system, g.x);
    const Real omega(weight), zero(0.f);
    for_rows(ex, g.system->topology->active_tile_set(), [=](const RowIndex<D>& i) {
      const Real d = diagonal(i);
      out.store(i, select(d > zero, x(i) + omega * (b(i) - a_x(i)) / d, zero));
    });
    std::swap(g.x, g.other);
  }

  void residual(Exec& ex, Grid& g) const {
    const FieldView<float, D> out = g.other.view();
    const FieldView<const float, D> b = std::as_const(g.b).view();
    const TopologyView<D> cells = g.system->topology->view();
    const ApplySystem<float, D> a_x = apply_system(*g.system, g.x);
    for_rows(ex, g.system->topology->active_tile_set(), [=](const RowIndex<D>& i) {
      out.store(i, select(Real::mask_from_bits(cells.active_bits(i)), b(i) - a_x(i), Real(0.f)));
    });
  }

  std::vector<float> weights_;
  std::vector<std::unique_ptr<CoarseSystem<D>>> levels_;  // levels_[k] makes grid k + 1 of grid k
  std::vector<Grid> grids_;
  std::unique_ptr<BottomSolver<D>> bottom_;
};

}  // namespace

template <int D>
std::unique_ptr<Preconditioner<D>> make_multigrid(Exec& ex, const PressureSystem<D>& system,
                                                  const MultigridParams& params) {
  const Zone zone(ex.profile(), "make_multigrid");
  return std::make_unique<Multigrid<D>>(ex, system, params);
}

template std::unique_ptr<Preconditioner<2>> make_multigrid(Exec&, const PressureSystem<2>&,
                                                           const MultigridParams&);
template std::unique_ptr<Preconditioner<3>> make_multigrid(Exec&, const PressureSystem<3>&,
                                                           const MultigridParams&);

}  // namespace whorl
