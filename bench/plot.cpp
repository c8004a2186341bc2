#include "plot.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace whorl::bench {

namespace {

constexpr double width = 720, height = 460, left = 76, right = 190, top = 44, bottom = 56;

// One axis, from data to places on the page.
struct Axis {
  double low, high;   // decimal logarithms
  double begin, end;  // on the page
  double at(double value) const { return begin + (std::log10(value) - low) / (high - low) * (end - begin); }
};

Axis axis_of(const Plot& plot, bool y) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Series& s : plot.series)
    for (const auto& point : s.points) {
      const double value = std::log10(y ? point.second : point.first);
      low = std::min(low, value), high = std::max(high, value);
    }
  if (y) return {std::floor(low), std::ceil(high + 1e-9), height - bottom, top};
  return {low - 0.06, high + 0.06, left, width - right};
}

void text(std::FILE* out, double x, double y, const char* anchor, const std::string& words,
          const char* more = "") {
  std::fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>\n", x, y, anchor, more,
               words.c_str());
}

void draw_axes(std::FILE* out, const Plot& plot, const Axis& x, const Axis& y) {
  for (double decade = y.low; decade <= y.high + 1e-9; ++decade) {
    const double at = y.at(std::pow(10, decade));
    std::fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", x.begin,
                 at, x.end, at);
    char label[32];
    std::snprintf(label, sizeof label, "%g", std::pow(10, decade));
    text(out, x.begin - 8, at + 4, "end", label);
  }
  std::vector<double> ticks;
  for (const Series& s : plot.series)
    for (const auto& point : s.points) ticks.push_back(point.first);
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  for (const double tick : ticks) {
    char label[32];
    std::snprintf(label, sizeof label, "%g", tick);
    text(out, x.at(tick), y.begin + 20, "middle", label);
  }
  text(out, 0.5 * (x.begin + x.end), y.begin + 42, "middle", plot.x_label);
  text(out, 20, 0.5 * (y.begin + y.end), "middle", plot.y_label, "transform=\"rotate(-90 20 225)\"");
  text(out, x.begin, 24, "start", plot.title, "font-weight=\"bold\"");
}

}  // namespace

int write_svg(const Plot& plot, const std::string& file) {
  if (file.empty()) return 0;
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (!out) {
    std::fprintf(stderr, "whorl-bench: cannot write %s: %s\n", file.c_str(), std::strerror(errno));
    return 5;
  }
  std::fprintf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" "
               "font-size=\"13\">\n<rect width=\"%g\" height=\"%g\" fill=\"white\"/>\n",
               width, height, width, height);
  const Axis x = axis_of(plot, false), y = axis_of(plot, true);
  draw_axes(out, plot, x, y);
  constexpr const char* colours[] = {"#c8102e", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e",
                                     "#17becf", "#8c564b", "#7f7f7f", "#bcbd22", "#e377c2"};
  std::vector<double> label_places;  // no two names on one line
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    const Series& s = plot.series[k];
    if (s.points.empty()) continue;
    const char* colour = colours[k % std::size(colours)];
    std::fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (const auto& [at, value] : s.points) std::fprintf(out, "%.1f,%.1f ", x.at(at), y.at(value));
    std::fprintf(out, "\"/>\n");
    for (const auto& [at, value] : s.points)
      std::fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x.at(at), y.at(value),
                   colour);
    double place = y.at(s.points.back().second) + 4;
    for (bool moved = true; moved;) {
      moved = false;
      for (const double other : label_places)
        if (std::abs(other - place) < 14) place = other + 15, moved = true;
    }
    label_places.push_back(place);
    text(out, x.at(s.points.back().first) + 8, place, "start", s.name,
         (std::string("fill=\"") + colour + "\"").c_str());
  }
  std::fprintf(out, "</svg>\n");
  std::fclose(out);
  return 0;
}

}  // namespace whorl::bench
