#include "cases/transfers.h"
#include "cases/particle_places.h"
#include "stages/seed_particles.h"
#include "stages/transfer.h"

#include <cmath>

namespace whorl {

namespace {

// The part of its angular momentum that is left.
double kept(TransferScheme scheme) {
  Exec ex;
  const double h = 1. / 32;
  ParticleSet<2> p;
  const Shape<2> disc = SphereShape<2>{{0.5, 0.5}, 0.3};
  const Box<2> cells{{}, {32, 32}};
  add_particles(ex, p, Domain<2>{}, seed_particles<2>(disc, cells, h));
  put_on(ex, p, Topology<2>::of_box(ex, Domain<2>{}, cells));
  set_transfer(ex, p, scheme);
  const int modes = mode_count<2>(scheme);
  for_each_particle(p, h, [&](std::uint32_t i, const Vec<double, 2>& x) {
    p.velocity[0][i] = float(-(x[1] - 0.5));
    p.velocity[1][i] = float(x[0] - 0.5);
    if (modes == 0) return;
    p.modes[1][i] = float(-h);                  // du/dy, a cell
    p.modes[std::size_t(modes)][i] = float(h);  // dv/dx
  });
  const auto turn = [&] {
    double sum = 0;
    for_each_particle(p, h, [&](std::uint32_t i, const Vec<double, 2>& x) {
      sum += (x[0] - 0.5) * double(p.velocity[1][i]) - (x[1] - 0.5) * double(p.velocity[0][i]);
      if (modes == 0) return;
      const auto spread = [&](double at) {
        const double t = at / h - 0.5 - std::floor(at / h - 0.5);
        return t * (1 - t);
      };
      sum +=
          h * (spread(x[0]) * double(p.modes[std::size_t(modes)][i]) - spread(x[1]) * double(p.modes[1][i]));
    });
    return sum;
  };
  const double start = turn();
  for (int k = 0; k < 100; ++k) {
    const MacField<float, 2> u = particles_to_faces(ex, p, scheme).velocity;
    faces_to_particles<2>(ex, p, scheme, u, {});
  }
  return turn() / start;
}

}  // namespace

void transfers(Findings& found) {
  found.at_most("angular momentum kept, PIC", kept(TransferScheme::pic), 0.9);
  found.within("angular momentum kept, APIC", kept(TransferScheme::apic), 1, 1e-6);
}

}  // namespace whorl
