#include "cases/cylinder.h"
#include "stages/box_cells.h"
#include "stages/project.h"
#include "stages/sides.h"
#include "stages/solids.h"

#include <array>
#include <cmath>

namespace whorl {

namespace {

constexpr double radius = 0.7, half_side = 2;
const Vec<double, 2> centre{0.0137, -0.0219};

// Unit flow along x past the cylinder (Lamb, Hydrodynamics, §68).
Vec<double, 2> exact(const Vec<double, 2>& at) {
  const Vec<double, 2> x = at - centre;
  const double r2 = dot(x, x), k = radius * radius / (r2 * r2);
  return {1 - k * (x[0] * x[0] - x[1] * x[1]), -2 * k * x[0] * x[1]};
}
// Its potential, less that of the uniform flow.
double exact_potential(const Vec<double, 2>& at) {
  const Vec<double, 2> x = at - centre;
  return radius * radius * x[0] / dot(x, x);
}

struct Errors {
  double l1, worst, potential;
};

Errors errors_of_flow(Findings& found, int n, WallMode mode) {
  Exec ex;
  const double h = 2 * half_side / n;
  const auto place = [&](const Coord<2>& c, int location) {
    return sample_place(c, location, h) - Vec<double, 2>::filled(half_side);
  };
  // Open sides store their faces; these are then closed by hand, with the exact flow through them.
  const auto topology = Topology<2>::of_box(ex, box_domain<2>({{}, Coord<2>::filled(n)}, Side::open));
  Solid<2> cylinder;
  cylinder.shape = SphereShape<2>{centre + Vec<double, 2>::filled(half_side), radius};
  CutFaces<2> faces = cut_faces<2>(ex, topology, {&cylinder, 1}, &Solid<2>::shape, h, mode);
  MacField<float, 2> u(ex, topology);
  const auto for_faces = [&](const auto& f) {
    for (int a = 0; a < 2; ++a)
      for_each_coord(Box<2>{{}, Coord<2>::filled(n) + Coord<2>::unit(a)},
                     [&](const Coord<2>& c) { f(a, c); });
  };
  for_faces([&](int a, const Coord<2>& c) {
    const bool on_side = c[a] == 0 || c[a] == n;
    if (on_side) {
      // The mean of the exact flow over the face: u is a derivative of the stream function.
      Vec<double, 2> low = place(c, a), high = low;
      low[1 - a] -= h / 2, high[1 - a] += h / 2;
      const auto stream = [](const Vec<double, 2>& at) {
        const Vec<double, 2> x = at - centre;
        return x[1] * (1 - radius * radius / dot(x, x));
      };
      const double flux = (stream(high) - stream(low)) / h;
      faces.open[a].set(c, 0.f);
      u[a].set(c, float(a == 0 ? flux : -flux));
    } else {
      u[a].set(c, faces.open[a].get(c) > 0 && a == 0 ? 1.f : 0.f);
    }
  });
  const MacField<float, 2> open = faces.open.clone(ex);
  Field<double, 2> pressure(ex, topology);
  const SolveReport report = project(ex, u, pressure, pressure_system(ex, std::move(faces.open)), faces.walls,
                                     {.solver = {}, .solve = {.relative = 1e-10}}, h, 1.);
  found.require_solved(report.converged);

  Errors errors{};
  double count = 0, mean = 0, cells = 0;
  for_faces([&](int a, const Coord<2>& c) {
    const bool outside = !cylinder.shape.contains(sample_place(c, a, h));
    if (open[a].get(c) == 0 && !outside) return;
    const double error = std::abs(u[a].get(c) - exact(place(c, a))[a]);
    const double weight = open[a].get(c) == 0 ? 1 : open[a].get(c);  // one that voxels close counts in full
    errors.l1 += weight * error, count += weight;
    if (outside) errors.worst = worse(errors.worst, error);
  });
  errors.l1 /= count;
  const auto difference = [&](const Coord<2>& c) { return -pressure.get(c) - exact_potential(place(c, -1)); };
  const auto for_fluid = [&](const auto& f) {
    for_each_coord(Box<2>{{}, Coord<2>::filled(n)}, [&](const Coord<2>& c) {
      if (cylinder.shape.distance(sample_place(c, at_centres, h)) > 0) f(c);
    });
  };
  for_fluid([&](const Coord<2>& c) { mean += difference(c), cells += 1; });
  for_fluid([&](const Coord<2>& c) {
    errors.potential = worse(errors.potential, std::abs(difference(c) - mean / cells));
  });
  return errors;
}

std::array<Errors, 3> errors_at_64_128_256(Findings& found, WallMode mode) {
  return {errors_of_flow(found, 64, mode), errors_of_flow(found, 128, mode),
          errors_of_flow(found, 256, mode)};
}

double order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace

void flow_past_cut_cylinder(Findings& found) {
  const auto rows = errors_at_64_128_256(found, WallMode::cut);
  found.at_most("cut faces: L1 error of the velocity, N = 64", rows[0].l1, 5e-4);
  found.at_least("cut faces: its order from 64 to 128", order(rows[0].l1, rows[1].l1), 1.8);
  found.at_least("cut faces: its order from 128 to 256", order(rows[1].l1, rows[2].l1), 1.8);
  found.at_least("cut faces: order of the worst error, 128 to 256", order(rows[1].worst, rows[2].worst), 0.8);
  found.at_least("cut faces: order of the worst error, 64 to 256", order(rows[0].worst, rows[2].worst) / 2,
                 0.7);
  found.at_least("cut faces: order of the potential, 64 to 256",
                 order(rows[0].potential, rows[2].potential) / 2, 1.8);
  Plot plot{.title = "V-P2: flow past a cylinder, L1 error of the velocity",
            .x_label = "cells a side",
            .y_label = "error",
            .logarithmic = true};
  Series whorl{"Whorl", {}};
  for (int k = 0; k < 3; ++k) whorl.points.emplace_back(64 << k, rows[std::size_t(k)].l1);
  plot.series = {whorl, {"table", {{64, 3.3e-4}, {128, 8.2e-5}, {256, 2.0e-5}}, false}};
  found.plot("cylinder", std::move(plot));
}

void flow_past_voxel_cylinder(Findings& found) {
  const auto rows = errors_at_64_128_256(found, WallMode::voxel);
  for (int k = 0; k < 3; ++k)
    found.within("voxels: worst error, N = " + std::to_string(64 << k), rows[std::size_t(k)].worst, 1.9, 0.2);
  found.within("voxels: L1 error of the velocity, N = 64", rows[0].l1, 1.7e-2, 0.3e-2);
  found.at_most("voxels: its order from 64 to 256", order(rows[0].l1, rows[2].l1) / 2, 1.4);
}

}  // namespace whorl
