// A dense Cholesky factorisation, for the few hundred cells at the bottom of the pyramid.
#pragma once

#include <cstddef>
#include <vector>

namespace whorl {

class Cholesky {
 public:
  Cholesky() = default;
  // A symmetric positive definite matrix, row by row; false from ok() where it is not.
  Cholesky(std::vector<double> matrix, std::size_t n);

  bool ok() const { return ok_; }
  void solve(std::vector<double>& x) const;  // right side in, answer out

 private:
  std::vector<double> factor_;  // lower triangle
  std::size_t n_ = 0;
  bool ok_ = false;
};

}  // namespace whorl
