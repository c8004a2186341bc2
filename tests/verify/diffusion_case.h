// A scalar or a component of momentum diffused by a matrix that is written out in full, by the rules that
// stages/diffuse.h states and coordinates alone.
#pragma once

#include "linear/cholesky.h"
#include "stages/diffuse.h"
#include "stages/sides.h"

#include <functional>
#include <map>
#include <vector>

namespace whorl {

// What one side of an unknown sees: another unknown, or a value that is held.
template <int D>
struct DenseSide {
  double link = 0, conductance = 0, value = 0;
  Coord<D> next;
};

// (I + strength A) q = q_old + strength Σ conductance · value
template <int D>
class DenseDiffusion {
 public:
  explicit DenseDiffusion(const std::vector<Coord<D>>& places) : places_(places) {
    for (const Coord<D>& c : places) order_.emplace(key(c), order_.size());
  }

  std::vector<double> solve(double strength, const std::function<double(const Coord<D>&)>& old,
                            const std::function<DenseSide<D>(const Coord<D>&, int axis, int step)>& side) {
    const std::size_t n = places_.size();
    std::vector<double> matrix(n * n), x(n);
    for (std::size_t k = 0; k < n; ++k) {
      matrix[k * n + k] += 1;
      x[k] = old(places_[k]);
      for (int a = 0; a < D; ++a)
        for (const int step : {-1, +1}) {
          const DenseSide<D> s = side(places_[k], a, step);
          matrix[k * n + k] += strength * (s.link + s.conductance);
          x[k] += strength * s.conductance * s.value;
          if (s.link > 0) matrix[k * n + order_.at(key(s.next))] -= strength * s.link;
        }
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < k; ++j) EXPECT_NEAR(matrix[k * n + j], matrix[j * n + k], 1e-12);
    const Cholesky factor(std::move(matrix), n);
    EXPECT_TRUE(factor.ok());
    factor.solve(x);
    return x;
  }

 private:
  static std::vector<int> key(const Coord<D>& c) {
    std::vector<int> k;
    for (int a = 0; a < D; ++a) k.push_back(c[a]);
    return k;
  }
  std::vector<Coord<D>> places_;
  std::map<std::vector<int>, std::size_t> order_;
};

}  // namespace whorl
