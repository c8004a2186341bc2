#include "validate/glow.h"
#include "render/blackbody.h"

namespace whorl {

void glow(Findings& found) {
  struct Row {
    int kelvin;
    double x, y;
  };
  for (const auto& [kelvin, x, y] : {Row{1000, 0.6528, 0.3445},
                                     {1500, 0.5857, 0.3931},
                                     {2000, 0.5267, 0.4133},
                                     {3000, 0.4369, 0.4041},
                                     {6500, 0.3135, 0.3236}}) {
    const Vec<double, 2> xy = blackbody_chromaticity(kelvin);
    found.within("x at " + std::to_string(kelvin) + " K", xy[0], x, 5e-4);
    found.within("y at " + std::to_string(kelvin) + " K", xy[1], y, 5e-4);
  }
}

}  // namespace whorl
