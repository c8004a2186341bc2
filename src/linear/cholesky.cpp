#include "linear/cholesky.h"

#include <cmath>

namespace whorl {

Cholesky::Cholesky(std::vector<double> matrix, std::size_t n) : factor_(std::move(matrix)), n_(n), ok_(true) {
  double* l = factor_.data();
  for (std::size_t j = 0; j < n && ok_; ++j) {
    double d = l[j * n + j];
    for (std::size_t k = 0; k < j; ++k) d -= l[j * n + k] * l[j * n + k];
    ok_ = d > 0;
    l[j * n + j] = std::sqrt(d);
    for (std::size_t i = j + 1; i < n; ++i) {
      double s = l[i * n + j];
      for (std::size_t k = 0; k < j; ++k) s -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = s / l[j * n + j];
    }
  }
}

void Cholesky::solve(std::vector<double>& x) const {
  const double* l = factor_.data();
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= l[i * n_ + k] * x[k];
    x[i] /= l[i * n_ + i];
  }
  for (std::size_t i = n_; i-- > 0;) {
    for (std::size_t k = i + 1; k < n_; ++k) x[i] -= l[k * n_ + i] * x[k];
    x[i] /= l[i * n_ + i];
  }
}

}  // namespace whorl
