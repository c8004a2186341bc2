#include "linear/multigrid.h"

#include "linear/bottom_solver.h"
#include "linear/cycle.h"

#include <cmath>

namespace whorl {

namespace {

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

template <int D>
class Multigrid final : public Preconditioner<float, D> {
 public:
  Multigrid(Exec& ex, const PressureSystem<D>& finest, const MultigridParams& params)
      : weights_(chebyshev_weights(params.sweeps)),
        finest_(finest),
        other_(work_field<float>(ex, finest.topology)) {
    CHECK(params.sweeps >= 2, params.sweeps, " sweeps");
    AirSides<D> air;
    for (const PressureSystem<D>* last = &finest; last->topology->active_cells() > params.bottom_cells;
         last = &grids_.back()->level.system)
      grids_.push_back(std::make_unique<Grid>(ex, coarsen(ex, *last, air)));
    bottom_ = std::make_unique<BottomSolver<D>>(system(grids_.size()));
  }

  double apply(Exec& ex, Field<float, D>& z, const Field<float, D>& r) override {
    const Zone zone(ex.profile(), "multigrid");
    return cycle(ex, 0, z, other_, r);
  }

 private:
  struct Grid {
    CoarseSystem<D> level;
    Field<float, D> x, b, other;

    Grid(Exec& ex, CoarseSystem<D> l)
        : level(std::move(l)),
          x(work_field<float>(ex, level.system.topology)),
          b(ex, level.system.topology),
          other(work_field<float>(ex, level.system.topology)) {}
  };

  const PressureSystem<D>& system(std::size_t level) const {
    return level ? grids_[level - 1]->level.system : finest_;
  }

  // x ≈ A⁻¹ b on a level; returns x · b.
  double cycle(Exec& ex, std::size_t level, Field<float, D>& x, Field<float, D>& other,
               const Field<float, D>& b) {
    const PressureSystem<D>& s = system(level);
    if (level == grids_.size()) {
      x.fill(ex, 0);
      bottom_->solve(x, b);
      return level ? 0 : dot(ex, s, x, b);
    }
    const std::size_t sweeps = weights_.size();
    first_two_sweeps(ex, s, x, b, weights_[0], weights_[1]);
    for (std::size_t k = 2; k < sweeps; ++k, std::swap(x, other)) sweep(ex, s, other, x, b, weights_[k]);
    Grid& coarse = *grids_[level];
    restrict_residual(ex, coarse.b, s, x, b, coarse.level);
    cycle(ex, level + 1, coarse.x, coarse.other, coarse.b);
    prolong_add(ex, x, s, coarse.x, coarse.level);
    for (std::size_t k = sweeps - 1; k > 0; --k, std::swap(x, other)) sweep(ex, s, other, x, b, weights_[k]);
    const double result = last_sweep(ex, s, other, x, b, weights_[0]);
    std::swap(x, other);
    return result;
  }

  std::vector<float> weights_;
  const PressureSystem<D>& finest_;
  Field<float, D> other_;
  std::vector<std::unique_ptr<Grid>> grids_;  // coarser and coarser
  std::unique_ptr<BottomSolver<D>> bottom_;
};

}  // namespace

template <int D>
std::unique_ptr<Preconditioner<float, D>> make_multigrid(Exec& ex, const PressureSystem<D>& system,
                                                         const MultigridParams& params) {
  const Zone zone(ex.profile(), "make_multigrid");
  return std::make_unique<Multigrid<D>>(ex, system, params);
}

template std::unique_ptr<Preconditioner<float, 2>> make_multigrid(Exec&, const PressureSystem<2>&,
                                                                  const MultigridParams&);
template std::unique_ptr<Preconditioner<float, 3>> make_multigrid(Exec&, const PressureSystem<3>&,
                                                                  const MultigridParams&);

}  // namespace whorl
