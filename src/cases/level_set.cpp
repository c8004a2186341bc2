#include "cases/level_set.h"
#include "base/rng.h"
#include "stages/move_particles.h"
#include "stages/particle_level_set.h"
#include "stages/particle_surface.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace whorl {

namespace {

constexpr int margin = 16;  // cells round the box

struct Case {
  Exec ex;
  int n;
  double h;
  TopologyPtr<2> topology;
  MacField<float, 2> velocity;
  LevelSet<2> surface;
  Field<float, 2> start;
  LevelSetParams params;
  ParticleSet<2> particles;  // in the place of the level set, where there are any

  // Without params, by particles, four a cell.
  template <class Distance>
  Case(int cells, double size, const std::optional<LevelSetParams>& p, const Distance& distance)
      : n(cells), h(size / cells), params(p.value_or(LevelSetParams{})) {
    const Box<2> around{{-margin, -margin}, {n + margin, n + margin}};
    topology = Topology<2>::of_box(ex, {}, around);
    velocity = MacField<float, 2>(ex, topology);
    if (!p) {
      NewParticles<2> made;
      for_each_coord(around, [&](const Coord<2>& c) {
        Rng rng(0, std::uint64_t(c[0] + margin), std::uint64_t(c[1] + margin));
        for (int k = 0; k < 4; ++k) {
          const double x = c[0] + 0.5 * ((k & 1) + double(rng.uniform())),
                       y = c[1] + 0.5 * ((k >> 1) + double(rng.uniform()));
          if (distance(x * h, y * h) >= 0) continue;
          made.position.push_back({x, y});
          made.velocity.push_back({});
        }
      });
      add_particles(ex, particles, topology->domain(), made);
      put_on(ex, particles, topology);
      start = surface_from_particles(ex, particles, h);
      return;
    }
    Field<float, 2> phi(ex, topology);
    for_each_coord(
        around, [&](const Coord<2>& c) { phi.set(c, float(distance((c[0] + 0.5) * h, (c[1] + 0.5) * h))); });
    surface = make_level_set(ex, std::move(phi), h, params);
    start = surface.phi.clone(ex);
  }

  // Calls f(inside now, inside at the start) for many points between the cells.
  template <class F>
  void for_points_between(const F& f) const {
    constexpr int parts = 8;
    for_each_coord(Box<2>{{-margin, -margin}, {n + margin - 1, n + margin - 1}}, [&](const Coord<2>& c) {
      double now[4], then[4];
      for (int k = 0; k < 4; ++k) {
        now[k] = surface.phi.get({c[0] + (k & 1), c[1] + (k >> 1)});
        then[k] = start.get({c[0] + (k & 1), c[1] + (k >> 1)});
      }
      for (int i = 0; i < parts * parts; ++i) {
        const double x = (i % parts + 0.5) / parts, y = (i / parts + 0.5) / parts;
        const auto inside = [&](const double* v) {
          return (1 - y) * ((1 - x) * v[0] + x * v[1]) + y * ((1 - x) * v[2] + x * v[3]) < 0;
        };
        f(inside(now), inside(then));
      }
    });
  }
  // The part of the area that is lost, and the part that is where there should be none or missing there.
  double loss() const {
    double now = 0, then = 0;
    for_points_between([&](bool a, bool b) { now += a, then += b; });
    return 1 - now / then;
  }
  double misplaced() const {
    double wrong = 0, then = 0;
    for_points_between([&](bool a, bool b) { wrong += a != b, then += b; });
    return wrong / then;
  }

  // u(x, y) and v(x, y) on the faces.
  template <class U, class V>
  void set_velocity(const U& u, const V& v) {
    for_each_coord(Box<2>{{-margin, -margin}, {n + margin, n + margin}}, [&](const Coord<2>& c) {
      velocity[0].set(c, float(u(c[0] * h, (c[1] + 0.5) * h)));
      velocity[1].set(c, float(v((c[0] + 0.5) * h, c[1] * h)));
    });
  }
  void step(double dt) {
    if (particles.size() == 0) return move_level_set(ex, surface, velocity, {}, h, dt, params);
    move_particles<2>(ex, particles, velocity, {}, {}, h, dt, {.order = params.advection.trace_order});
    sort_particles(ex, particles);
    put_on(ex, particles, topology);
  }
  // What particles have for a surface, once they are moved.
  void look() {
    if (particles.size() > 0) surface.phi = surface_from_particles(ex, particles, h);
  }
};

LevelSetParams plain() {
  LevelSetParams p;
  p.markers = false;
  return p;
}

// The largest of some distances is that to what they have in common.
double slotted_disk(double x, double y) {
  const double disk = std::hypot(x - 50, y - 75) - 15;
  const double slot = std::max({std::abs(x - 50) - 2.5, y - 85, 60 - 25 - y});
  return std::max(disk, -slot);
}

// One turn about the centre.
struct Turning : Case {
  explicit Turning(const std::optional<LevelSetParams>& p) : Case(100, 100, p, slotted_disk) {
    set_velocity([](double, double y) { return 50 - y; }, [](double x, double) { return x - 50; });
  }
  double loss_in_a_turn(int steps) {
    for (int k = 0; k < steps; ++k) step(2 * M_PI / steps);
    look();
    return loss();
  }
};

// Torn to a thread for half of the time, and back.
struct Torn : Case {
  explicit Torn(const std::optional<LevelSetParams>& p)
      : Case(128, 1, p, [](double x, double y) { return std::hypot(x - 0.5, y - 0.75) - 0.15; }) {
    const int steps = 512;
    const double pi = M_PI;
    for (int k = 0; k < steps; ++k) {
      const double now = std::cos(pi * (k + 0.5) / steps);
      set_velocity(
          [=](double x, double y) { return -now * std::pow(std::sin(pi * x), 2) * std::sin(2 * pi * y); },
          [=](double x, double y) { return now * std::pow(std::sin(pi * y), 2) * std::sin(2 * pi * x); });
      step(8. / steps);
    }
    look();
  }
};

}  // namespace

void zalesak_disk(Findings& found) {
  found.within("with markers, part of the area lost", Turning(LevelSetParams{}).loss_in_a_turn(314), 0, 0.01);
}

void zalesak_disk_particles(Findings& found) {
  Turning c({});
  found.within("by particles, part of the area lost", c.loss_in_a_turn(314), 0, 0.01);
  found.at_most("by particles, part of the area misplaced", c.misplaced(), 0.03);
}

void zalesak_disk_plain(Findings& found) {
  found.at_least("without markers, part of the area lost", Turning(plain()).loss_in_a_turn(628), 0.3);
}

void zalesak_disk_sampled(Findings& found) {
  Turning c(plain());
  const float air = c.surface.phi.background();
  const int steps = 1570;
  for (int k = 0; k < steps; ++k) {
    Field<float, 2> moved;
    const Carried<2> q{&c.surface.phi, &moved, at_centres, scalar_boundary<2>({}, air, air)};
    advect<2>(c.ex, Crossing<2>(c.ex, c.topology, c.topology), {&c.velocity, {}}, {&q, 1},
              float(2 * M_PI / steps), c.params.advection);
    c.surface.phi = std::move(moved);
  }
  found.at_least("sampling alone, part of the area lost", c.loss(), 0.9);
}

void vortex_in_a_box(Findings& found) {
  const Torn c{LevelSetParams{}};
  found.within("with markers, part of the area lost", c.loss(), 0, 0.02);
  found.at_most("with markers, part of the area misplaced", c.misplaced(), 0.05);
}

void vortex_in_a_box_particles(Findings& found) {
  const Torn c{{}};
  found.within("by particles, part of the area lost", c.loss(), 0, 0.02);
  found.at_most("by particles, part of the area misplaced", c.misplaced(), 0.05);
}

void vortex_in_a_box_plain(Findings& found) {
  found.at_least("without markers, part of the area misplaced", Torn(plain()).misplaced(), 0.2);
}

}  // namespace whorl
