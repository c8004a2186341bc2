// A plot as an SVG file: lines of points, both axes logarithmic.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace whorl::bench {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<Series> series;
};

int write_svg(const Plot& plot, const std::string& file);  // 0, or the exit code after saying why not

}  // namespace whorl::bench
