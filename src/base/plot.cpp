#include "base/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace whorl {

namespace {

constexpr double width = 720, height = 460, left = 76, right = 190, top = 44, bottom = 56;
constexpr const char* colours[] = {"#c8102e", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e",
                                   "#17becf", "#8c564b", "#7f7f7f", "#bcbd22", "#e377c2"};

// One axis, from data to places on the page.
struct Axis {
  bool logarithmic;
  double low, high;   // of the data, or of its decimal logarithms
  double begin, end;  // on the page
  std::vector<double> ticks;

  double at(double value) const {
    return begin + ((logarithmic ? std::log10(value) : value) - low) / (high - low) * (end - begin);
  }
};

__attribute__((format(printf, 2, 3))) void add(std::string& out, const char* format, ...) {
  char line[512];
  va_list values;
  va_start(values, format);
  std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  out += line;
}

std::string label(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string escaped(const std::string& words) {
  std::string out;
  for (const char c : words) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::vector<double> values_of(const Plot& plot, bool y) {
  std::vector<double> values;
  for (const Series& s : plot.series)
    for (const auto& [at, value] : s.points) values.push_back(y ? value : at);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Every power of ten upwards, every value that there is sideways.
Axis logarithmic_axis(const std::vector<double>& values, bool y, double begin, double end) {
  const double low = std::log10(values.front()), high = std::log10(values.back());
  if (!y) return {true, low - 0.06, high + 0.06, begin, end, values};
  Axis axis{true, std::floor(low), std::ceil(high + 1e-9), begin, end, {}};
  for (double decade = axis.low; decade <= axis.high + 1e-9; ++decade)
    axis.ticks.push_back(std::pow(10, decade));
  return axis;
}

// Ticks one, two or five times a power of ten apart.
Axis linear_axis(const std::vector<double>& values, bool y, double begin, double end) {
  double low = values.empty() ? 0 : values.front(), high = values.empty() ? 1 : values.back();
  if (y && low > 0 && low < 0.5 * high) low = 0;
  const double least = std::max(1e-6 * std::max(std::abs(low), std::abs(high)), 1e-30);
  if (high - low < least) low -= 0.5 * least, high += 0.5 * least;
  const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough < 1.5 * power   ? 1
                               : rough < 3.5 * power ? 2
                               : rough < 7.5 * power ? 5
                                                     : 10);
  if (y) low = std::floor(low / step) * step, high = std::ceil(high / step) * step;
  Axis axis{false, low, high, begin, end, {}};
  for (double tick = std::ceil(low / step - 1e-9); tick <= high / step + 1e-9; ++tick)
    axis.ticks.push_back(tick == 0 ? 0 : tick * step);  // zero has no sign
  return axis;
}

Axis axis_of(const Plot& plot, bool y) {
  const std::vector<double> values = values_of(plot, y);
  const double begin = y ? height - bottom : left, end = y ? top : width - right;
  return plot.logarithmic && !values.empty() ? logarithmic_axis(values, y, begin, end)
                                             : linear_axis(values, y, begin, end);
}

void text(std::string& out, double x, double y, const char* anchor, const std::string& words,
          const std::string& more = "") {
  add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" ", x, y, anchor);
  out += more + ">" + escaped(words) + "</text>\n";
}

void draw_axes(std::string& out, const Plot& plot, const Axis& x, const Axis& y) {
  for (const double tick : y.ticks) {
    add(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", x.begin, y.at(tick),
        x.end, y.at(tick));
    text(out, x.begin - 8, y.at(tick) + 4, "end", label(tick));
  }
  for (const double tick : x.ticks) text(out, x.at(tick), y.begin + 20, "middle", label(tick));
  text(out, 0.5 * (x.begin + x.end), y.begin + 42, "middle", plot.x_label);
  text(out, 20, 0.5 * (y.begin + y.end), "middle", plot.y_label, "transform=\"rotate(-90 20 225)\"");
  text(out, x.begin, 24, "start", plot.title, "font-weight=\"bold\"");
}

Plot without_gaps(Plot plot) {
  for (Series& s : plot.series)
    std::erase_if(s.points,
                  [](const auto& p) { return !std::isfinite(p.first) || !std::isfinite(p.second); });
  std::erase_if(plot.series, [](const Series& s) { return s.points.empty(); });
  return plot;
}

}  // namespace

std::string to_svg(const Plot& with_gaps) {
  const Plot plot = without_gaps(with_gaps);
  std::string out;
  add(out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n<rect width=\"%g\" height=\"%g\" fill=\"white\"/>\n",
      width, height, width, height);
  const Axis x = axis_of(plot, false), y = axis_of(plot, true);
  draw_axes(out, plot, x, y);
  std::vector<double> label_places;  // no two names on one line
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    const Series& s = plot.series[k];
    const char* colour = colours[k % std::size(colours)];
    if (s.line) {
      add(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
      for (const auto& [at, value] : s.points) add(out, "%.1f,%.1f ", x.at(at), y.at(value));
      out += "\"/>\n";
    }
    if (plot.dots || !s.line)
      for (const auto& [at, value] : s.points)
        add(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x.at(at), y.at(value), colour);
    double place = y.at(s.points.back().second) + 4;
    for (bool moved = true; moved;) {
      moved = false;
      for (const double other : label_places)
        if (std::abs(other - place) < 14) place = other + 15, moved = true;
    }
    label_places.push_back(place);
    text(out, x.at(s.points.back().first) + 8, place, "start", s.name,
         std::string("fill=\"") + colour + "\"");
  }
  return out + "</svg>\n";
}

}  // namespace whorl
