#include "cases/hydrostatics.h"

namespace whorl {

namespace {

template <int D>
void water_at_rest(Findings& found, int n) {
  const double relative = 1e-6;
  const int steps = 100;
  double fastest = 0, free_fall = 0;
  for (const double turn : {0., 17., 45.})
    for (const double tilt : {0., 0.3})
      for (const double level : {0.0312, -0.21}) {
        WaterTank<D> tank(n, turn, tilt, level);
        fastest = worse(fastest, tank.speed_after(found, steps, relative));
        free_fall = tank.g * tank.dt * steps;
      }
  found.at_most(std::to_string(D) + "D: fastest water of twelve tanks, m/s", fastest,
                10 * relative * free_fall);
}

}  // namespace

void water_at_rest_2d(Findings& found) { water_at_rest<2>(found, 64); }
void water_at_rest_3d(Findings& found) { water_at_rest<3>(found, 24); }

}  // namespace whorl
