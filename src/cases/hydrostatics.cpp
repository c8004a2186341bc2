#include "cases/hydrostatics.h"

#include <sstream>

namespace whorl {

namespace {

template <int D>
void water_at_rest(Findings& found, int n) {
  const double relative = 1e-6;
  const int steps = 100;
  double fastest = 0, allowed = 0;
  for (const double turn : {0., 17., 45.})
    for (const double tilt : {0., 0.3})
      for (const double level : {0.0312, -0.21}) {
        WaterTank<D> tank(n, turn, tilt, level);
        const double speed = tank.speed_after(found, steps, relative);
        fastest = worse(fastest, speed);
        allowed = 10 * relative * tank.g * tank.dt * steps;
        std::ostringstream which;
        which << D << "D: rest in the tank turned by " << turn << "°, tilted by " << tilt << ", filled to "
              << level;
        found.require(which.str(), speed <= allowed);
      }
  found.at_most(std::to_string(D) + "D: fastest water of twelve tanks, m/s", fastest, allowed);
}

}  // namespace

void water_at_rest_2d(Findings& found) { water_at_rest<2>(found, 64); }
void water_at_rest_3d(Findings& found) { water_at_rest<3>(found, 24); }

}  // namespace whorl
