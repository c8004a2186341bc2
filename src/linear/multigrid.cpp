#include "linear/multigrid.h"

#include "linear/bottom_solver.h"
#include "linear/cycle.h"

namespace whorl {

namespace {

// Jacobi weights whose product of errors is small, at most 0.23, over the eigenvalues of D⁻¹A that a coarser
// grid cannot represent, 0.3 to 2; close to Chebyshev's (Adams et al. 2003), but for the first: it is one, so
// that the last sweep gives cells that air is next to what their neighbours ask for. What a coarser grid adds
// to them is wrong, by far where air is near their centre, and any of it left would be multiplied by their
// large diagonal.
constexpr float weights[] = {1, 1 / 1.87f, 1 / 0.47f};

template <int D>
class Multigrid final : public Preconditioner<float, D> {
 public:
  Multigrid(Exec& ex, const PressureSystem<D>& finest, const MultigridParams& params)
      : finest_(finest), other_(work_field<float>(ex, finest)) {
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
          x(work_field<float>(ex, level.system)),
          b(ex, level.system.topology),
          other(work_field<float>(ex, level.system)) {}
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
    first_two_sweeps(ex, s, x, b, weights[0], weights[1]);
    sweep(ex, s, other, x, b, weights[2]);
    std::swap(x, other);
    Grid& coarse = *grids_[level];
    restrict_residual(ex, coarse.b, s, x, b, coarse.level);
    cycle(ex, level + 1, coarse.x, coarse.other, coarse.b);
    prolong_add(ex, x, s, coarse.x, coarse.level);
    sweep(ex, s, other, x, b, weights[2]);
    sweep(ex, s, x, other, b, weights[1]);
    const double result = last_sweep(ex, s, other, x, b, weights[0]);
    std::swap(x, other);
    return result;
  }

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
