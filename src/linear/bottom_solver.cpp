#include "linear/bottom_solver.h"

#include <cmath>

namespace whorl {

namespace {

// Where nothing touches air a constant is free: it gets a price, one region at a time, so that the matrix can
// be factored and the answer's mean is the right side's.
void price_constants(std::vector<double>& matrix, std::size_t n) {
  std::vector<int> seen(n);
  for (std::size_t first = 0; first < n; ++first) {
    if (seen[first]) continue;
    std::vector<std::size_t> region{first};
    seen[first] = 1;
    double to_air = 0, diagonal = 0;
    for (std::size_t k = 0; k < region.size(); ++k) {
      const std::size_t row = region[k];
      for (std::size_t j = 0; j < n; ++j) {
        const double entry = matrix[row * n + j];
        to_air += entry;
        if (entry < 0 && !seen[j]) seen[j] = 1, region.push_back(j);
      }
      diagonal += matrix[row * n + row];
    }
    if (to_air > 1e-6 * diagonal) continue;
    const double price = diagonal / double(region.size() * region.size());
    for (const std::size_t i : region)
      for (const std::size_t j : region) matrix[i * n + j] += price;
  }
}

}  // namespace

template <int D>
BottomSolver<D>::BottomSolver(const PressureSystem<D>& system) {
  const Topology<D>& topology = *system.topology;
  const SystemView<D> view = system.view();
  const TileSet<D> tiles = topology.active_tile_set();
  const auto index = [&](std::size_t place) {
    const int tile = int(place / tile_cells<D>);
    CellIndex<D> i{tile, tiles.neighbours + std::size_t(tile) * neighbourhood<D>, {}};
    for (int a = D - 1, rest = int(place % tile_cells<D>); a >= 0; --a, rest /= tile_side)
      i.at[a] = rest % tile_side;
    return i;
  };
  std::vector<int> number(std::size_t(topology.tile_count() + 1) * tile_cells<D>, -1);
  for (int k = 0; k < tiles.count; ++k)
    for (int c = 0; c < tile_cells<D>; ++c) {
      const std::size_t place = std::size_t(tiles.tile(k)) * tile_cells<D> + std::size_t(c);
      if (view.diagonal(index(place)) <= 0) continue;
      number[place] = int(cells_.size());
      cells_.push_back(place);
    }
  const std::size_t n = cells_.size();
  const FieldView<const int, D> numbers(number.data());
  std::vector<double> matrix(n * n);
  for (std::size_t row = 0; row < n; ++row) {
    const CellIndex<D> i = index(cells_[row]);
    matrix[row * n + row] += view.diagonal(i);
    for (int a = 0; a < D; ++a)
      for (const int step : {-1, +1})
        if (const int other = numbers(i, a, step); other >= 0)
          matrix[row * n + std::size_t(other)] -= view.link(i, a, step);
  }
  price_constants(matrix, n);
  for (std::size_t row = 0; row < n; ++row) matrix[row * n + row] *= 1 + 1e-7;
  factor_ = Cholesky(std::move(matrix), n);
  CHECK(factor_.ok(), "the bottom of the pyramid is not positive definite, ", n, " cells");
}

template <int D>
void BottomSolver<D>::solve(Field<float, D>& x, const Field<float, D>& b) {
  values_.resize(cells_.size());
  for (std::size_t k = 0; k < cells_.size(); ++k) values_[k] = b.data()[cells_[k]];
  factor_.solve(values_);
  for (std::size_t k = 0; k < cells_.size(); ++k) x.data()[cells_[k]] = float(values_[k]);
}

template class BottomSolver<2>;
template class BottomSolver<3>;

}  // namespace whorl
