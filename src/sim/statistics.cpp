#include "sim/statistics.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

namespace whorl {

std::array<double, 3> in_space(const Vec<double, 1>& about_z) { return {0, 0, about_z[0]}; }
std::array<double, 3> in_space(const Vec<double, 2>& v) { return {v[0], v[1], 0}; }
std::array<double, 3> in_space(const Vec<double, 3>& v) { return {v[0], v[1], v[2]}; }

std::vector<std::pair<std::string, double>> stage_seconds(const Profile& profile) {
  constexpr std::string_view step = "step/";
  std::vector<std::pair<std::string, double>> seconds;
  for (const Profile::Entry& entry : profile.entries()) {
    const std::string name = entry.name.starts_with(step) ? entry.name.substr(step.size()) : entry.name;
    if (name.find('/') == std::string::npos) seconds.emplace_back(name, entry.seconds);
  }
  return seconds;
}

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::uint64_t(usage.ru_maxrss) * 1024;
}

namespace {

// JSON knows no NaN or infinity.
std::string number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : "null"; }

std::string list(const std::array<double, 3>& v) {
  return fmt::format("[{},{},{}]", number(v[0]), number(v[1]), number(v[2]));
}

std::string table(const std::vector<std::pair<std::string, double>>& entries, const char* form) {
  std::string text;
  for (const auto& [name, value] : entries)
    text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", name,
                        std::isfinite(value) ? fmt::format(fmt::runtime(form), value) : "null");
  return "{" + text + "}";
}

}  // namespace

std::string to_json(const FrameStatistics& s) {
  std::string text = fmt::format("{{\"frame\":{},\"time\":{},\"substeps\":{},\"dt_min\":{},\"dt_max\":{}",
                                 s.frame, number(s.time), s.substeps, number(s.dt_min), number(s.dt_max));
  text += fmt::format(
      ",\"pressure_iterations\":{},\"pressure_residual\":{},\"pressure_tolerance\":{},\"max_divergence\":{}",
      s.pressure_iterations, number(s.pressure_residual), number(s.pressure_tolerance),
      number(s.max_divergence));
  text +=
      fmt::format(",\"active_tiles\":{},\"active_cells\":{},\"particles\":0,\"mass\":{},\"liquid_volume\":0",
                  s.active_tiles, s.active_cells, table(s.mass, "{}"));
  text += fmt::format(
      ",\"kinetic_energy\":{},\"momentum\":{},\"angular_momentum\":{},\"center_of_mass\":{},\"max_speed\":{}",
      number(s.kinetic_energy), list(s.momentum), list(s.angular_momentum), list(s.center_of_mass),
      number(s.max_speed));
  text += fmt::format(
      ",\"bodies\":[],\"ledger\":{{\"injected\":{},\"drained\":{},\"corrected\":{}}},\"state_hash\":\"{:016x}"
      "\"",
      number(s.injected), number(s.drained), number(s.corrected), s.state_hash);
  text += fmt::format(",\"seconds\":{},\"peak_memory_bytes\":{}}}", table(s.seconds, "{:.4f}"),
                      s.peak_memory_bytes);
  return text;
}

}  // namespace whorl
