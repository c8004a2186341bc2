// A plot as SVG: lines of points over linear or logarithmic axes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace whorl {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool line = true;  // or a mark at each point alone
};

struct Plot {
  std::string title = {}, x_label = {}, y_label = {};
  std::vector<Series> series = {};
  bool logarithmic = false;  // both axes; all points are positive then
  bool dots = false;         // a mark at each point
};

// Numbers that are not finite are left out; a plot without points has its axes alone.
std::string to_svg(const Plot& plot);

}  // namespace whorl
