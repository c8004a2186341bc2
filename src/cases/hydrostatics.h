// V-P3: water at rest in a tank turned against the grid, its surface where it is, stays at rest.
#pragma once

#include "cases/findings.h"
#include "stages/box_cells.h"
#include "stages/project.h"
#include "stages/solids.h"

#include <cmath>

namespace whorl {

// The fastest water of twelve tanks after a hundred steps of gravity.
void water_at_rest_2d(Findings& found);
void water_at_rest_3d(Findings& found);

template <int D>
struct WaterTank {
  Exec ex;
  const double h = 0.05, g = 9.81, dt = 0.01;
  TopologyPtr<D> topology;
  Vec<double, D> up;  // against gravity
  PressureSystem<D> system;
  MacField<float, D> u;

  // `level`: how far the surface is from the middle, along `up`.
  WaterTank(int n, double turn_deg, double tilt, double level) {
    topology = Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall));
    const Vec<double, D> middle = Vec<double, D>::filled(0.5 * n * h + 0.013);
    Solid<D> walls;
    Angles<D> turn{};
    for (int k = 0; k < D * (D - 1) / 2; ++k) turn[k] = turn_deg * (k + 1);
    const Vec<double, D> half = Vec<double, D>::filled(0.3 * n * h);
    walls.shape = ComplementShape<D>{
        {TransformShape<D>{{BoxShape<D>{Vec<double, D>{} - half, half}}, middle, turn, 1}}};
    up = Vec<double, D>::unit(1);
    up[0] = std::tan(tilt);
    up = up * (1 / length(up));
    Field<float, D> surface(ex, topology, 1.f);
    for_each_coord(Box<D>{{}, Coord<D>::filled(n)}, [&](const Coord<D>& c) {
      surface.set(c, float(dot(sample_place(c, at_centres, h) - middle, up) - level));
    });
    CutFaces<D> faces = cut_faces<D>(ex, topology, {&walls, 1}, &Solid<D>::shape, h, WallMode::cut);
    system = pressure_system(ex, std::move(faces.open), std::move(surface));
    u = MacField<float, D>(ex, topology);
  }

  // The fastest face of the water after so many steps of gravity and projection.
  double speed_after(Findings& found, int steps, double relative) {
    Field<double, D> pressure(ex, topology);
    for (int k = 0; k < steps; ++k) {
      for (int a = 0; a < D; ++a)
        for (std::size_t c = 0; c < u[a].size(); ++c)
          if (system.open[a].data()[c] > 0) u[a].data()[c] -= float(g * dt * up[a]);
      const SolveReport report =
          project(ex, u, pressure, system, {}, {.solver = {}, .solve = {.relative = relative}}, h, dt);
      found.require_solved(report.converged);
    }
    double fastest = 0;
    for (int a = 0; a < D; ++a)
      for_each_coord(topology->domain().cells, [&](const Coord<D>& c) {
        const bool wet = system.surface.get(c) < 0 || system.surface.get(c - Coord<D>::unit(a)) < 0;
        if (wet && system.open[a].get(c) > 0) fastest = worse(fastest, std::abs(double(u[a].get(c))));
      });
    return fastest;
  }
};

}  // namespace whorl
