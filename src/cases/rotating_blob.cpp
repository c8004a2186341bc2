#include "cases/rotating_blob.h"
#include "stages/advect.h"
#include "stages/flow_map.h"

#include <cmath>

namespace whorl {

namespace {

constexpr int sizes[] = {64, 128, 256};

double gaussian(double x, double y) {
  const double sigma = 0.06, dx = x - 0.5, dy = y - 0.75;
  return std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma));
}

// Relative L2 error after one turn on an N × N grid, CFL 0.9 at half a side from the centre.
double error_after_one_turn(int n, const AdvectionParams& params, int map_steps) {
  Exec ex;
  const Box<2> square{{0, 0}, {n, n}}, around{{-16, -16}, {n + 16, n + 16}};
  const auto topology = Topology<2>::of_box(ex, {}, around);
  MacField<float, 2> velocity(ex, topology);  // one radian a unit of time, in cells
  Field<float, 2> q(ex, topology), moved;
  for_each_coord(around, [&](const Coord<2>& c) {
    velocity[0].set(c, -(float(c[1]) + 0.5f - 0.5f * float(n)));
    velocity[1].set(c, float(c[0]) + 0.5f - 0.5f * float(n));
  });
  const auto exact = [&](const Coord<2>& c) { return gaussian((c[0] + 0.5) / n, (c[1] + 0.5) / n); };
  for_each_coord(square, [&](const Coord<2>& c) { q.set(c, float(exact(c))); });

  const int steps = int(std::ceil(2 * M_PI * n / 1.8));
  const Crossing<2> stay(ex, topology, topology);
  FlowMap<2> map;
  FlowMap<2>* const maps[] = {&map};
  for (int k = 0; k < steps; ++k) {
    Carried<2> carried{&q, &moved, at_centres, scalar_boundary<2>({}, 0.f, 0.f)};
    if (map_steps > 0) {
      if (map.empty() || map.steps >= map_steps) {
        std::vector<Field<float, 2>> start;
        start.push_back(std::move(q));
        map = start_map<2>(ex, std::move(start));
      }
      extend_maps<2>(ex, maps, stay, {&velocity, {}}, float(2 * M_PI / steps));
      carried.in = &map.start[0];
      carry_by_map<2>(ex, map, {&carried, 1}, params);
      std::swap(q, moved);
      continue;
    }
    advect<2>(ex, stay, {&velocity, {}}, {&carried, 1}, float(2 * M_PI / steps), params);
    std::swap(q, moved);
  }
  double difference = 0, size = 0;
  for_each_coord(square, [&](const Coord<2>& c) {
    difference += std::pow(q.get(c) - exact(c), 2);
    size += std::pow(exact(c), 2);
  });
  return std::sqrt(difference / size);
}

struct Scheme {
  const char* name;
  AdvectionParams params;
  double table[3];
};

constexpr auto sl = AdvectionScheme::semi_lagrangian;
constexpr auto mc = AdvectionScheme::maccormack;
const Scheme schemes[] = {
    {"semi-Lagrangian", {.scheme = sl}, {.651, .487, .326}},
    {"MacCormack", {.scheme = mc, .limiter = Limiter::none}, {.301, .091, .023}},
    {"MacCormack clamped", {.scheme = mc, .limiter = Limiter::clamp}, {.289, .091, .023}},
    {"MacCormack reverting", {.scheme = mc, .limiter = Limiter::revert}, {.302, .100, .026}},
    {"BFECC", {.scheme = AdvectionScheme::bfecc, .limiter = Limiter::none}, {.081, .018, .0041}},
    {"Catmull-Rom", {.scheme = sl, .interpolation = Interpolation::catmull_rom}, {.075, .017, .0041}},
    {"monotone cubic", {.scheme = sl, .interpolation = Interpolation::monotone_cubic}, {.130, .035, .0089}},
};

std::string what(const char* name, int k) { return std::string(name) + ", N = " + std::to_string(sizes[k]); }

}  // namespace

void rotating_blob(Findings& found) {
  Plot plot{.title = "V-B1: a blob after one turn, relative L2 error",
            .x_label = "cells a side",
            .y_label = "error",
            .logarithmic = true};
  Series table{"table", {}, false};
  for (const Scheme& scheme : schemes) {
    Series line{scheme.name, {}};
    for (int k = 0; k < 3; ++k) {
      const double error = error_after_one_turn(sizes[k], scheme.params, 0);
      found.near(what(scheme.name, k), error, scheme.table[k], 0.1);
      line.points.emplace_back(sizes[k], error);
      table.points.emplace_back(sizes[k], scheme.table[k]);
    }
    plot.series.push_back(line);
  }
  plot.series.push_back(table);
  found.plot("rotating_blob", std::move(plot));
}

void rotating_blob_by_maps(Findings& found) {
  constexpr double most[] = {.006, .001, .00025};
  for (int k = 0; k < 3; ++k)
    found.at_most(what("maps", k),
                  error_after_one_turn(sizes[k], {.limiter = Limiter::none}, FlowMapParams{}.scalar_steps),
                  most[k]);
}

}  // namespace whorl
