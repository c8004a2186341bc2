#include "cases/heat_kernel.h"
#include "stages/conserve.h"
#include "stages/diffuse.h"
#include "stages/sides.h"

#include <cmath>

namespace whorl {

namespace {

struct Scheme {
  const char* name;
  DiffusionScheme scheme;
};
constexpr Scheme schemes[] = {{"implicit", DiffusionScheme::implicit_euler},
                              {"Crank-Nicolson", DiffusionScheme::crank_nicolson},
                              {"explicit", DiffusionScheme::explicit_euler}};

template <int D>
double variance(const Field<float, D>& q, const Vec<double, D>& middle, int axis) {
  double sum = 0, spread = 0;
  for_each_coord(q.topology()->domain().cells, [&](const Coord<D>& c) {
    const double x = c[axis] + 0.5 - middle[axis];
    sum += q.get(c);
    spread += q.get(c) * x * x;
  });
  return spread / sum;
}

// The error at the end of a wave that fades exactly at this rate.
double error_of_fading(Findings& found, DiffusionScheme scheme, int steps) {
  Exec ex;
  const int n = 64;
  const Domain<2> domain = box_domain<2>({{}, Coord<2>::filled(n)}, Side::periodic);
  const auto topology = Topology<2>::of_box(ex, domain);
  const MacField<float, 2> open = open_fraction(ex, topology);
  const double k = 2 * M_PI / n, rate = 2 * (2 - 2 * std::cos(k)), strength = 60;
  Field<float, 2> q(ex, topology);
  for_each_coord(domain.cells, [&](const Coord<2>& c) {
    q.set(c, float(std::cos(k * (c[0] + 0.5)) * std::cos(k * (c[1] + 0.5))));
  });
  const float start = q.get({0, 0});
  for (int s = 0; s < steps; ++s)
    found.require_solved(
        diffuse(ex, q, open, strength, 1., 1. / steps, {.scheme = scheme, .tolerance = 1e-8}).converged);
  return std::abs(q.get({0, 0}) / start - std::exp(-rate * strength));
}

}  // namespace

template <int D>
void heat_kernel(Findings& found) {
  Exec ex;
  const int n = D == 2 ? 96 : 56;
  const double h = 0.1, kappa = 0.3, sigma = 3, t = 0.06;
  const double growth = 2 * kappa * t / (h * h);  // 3.6 cells²
  const Domain<D> domain = box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall);
  const auto topology = Topology<D>::of_box(ex, domain);
  const MacField<float, D> open = open_fraction(ex, topology);
  Vec<double, D> middle;
  for (int a = 0; a < D; ++a) middle[a] = n / 2. + 0.3 * a;
  for (const Scheme& scheme : schemes)
    for (const int steps : {1, 8}) {
      Field<float, D> q(ex, topology);
      for_each_coord(domain.cells, [&](const Coord<D>& c) {
        double r2 = 0;
        for (int a = 0; a < D; ++a) r2 += std::pow(c[a] + 0.5 - middle[a], 2);
        q.set(c, float(std::exp(-r2 / (2 * sigma * sigma))));
      });
      const double before = amount(ex, q), from = variance(q, middle, 0);
      for (int k = 0; k < steps; ++k)
        found.require_solved(diffuse(ex, q, open, kappa, h, t / steps, {.scheme = scheme.scheme}).converged);
      double worst = 0;
      for (int a = 0; a < D; ++a)
        worst = worse(worst, std::abs((variance(q, middle, a) - from) / growth - 1));
      const std::string what = std::to_string(D) + "D, " + scheme.name + ", " + std::to_string(steps) +
                               (steps == 1 ? " step" : " steps");
      found.at_most(what + ", variance off by", worst, 0.01);
      found.require("diffusion keeps the amount", std::abs(amount(ex, q) - before) <= 1e-6 * before);
    }
}

void orders_of_diffusion(Findings& found) {
  for (const int order : {1, 2}) {
    const Scheme& scheme = schemes[order - 1];
    const double coarse = error_of_fading(found, scheme.scheme, 8),
                 fine = error_of_fading(found, scheme.scheme, 16);
    found.near(std::string("order in time, ") + scheme.name, std::log2(coarse / fine), order, 0.1);
  }
}

void diffusion(Findings& found) {
  heat_kernel<2>(found);
  heat_kernel<3>(found);
  orders_of_diffusion(found);
}

template void heat_kernel<2>(Findings&);
template void heat_kernel<3>(Findings&);

}  // namespace whorl
