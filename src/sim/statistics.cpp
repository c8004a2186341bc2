#include "sim/statistics.h"

#include "base/json_text.h"

#include <cmath>

#include <fmt/format.h>
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

using Entries = std::vector<std::pair<std::string, double>>;

// To a tenth of a millisecond.
Entries rounded(Entries seconds) {
  for (auto& [stage, s] : seconds) s = std::round(s * 1e4) / 1e4;
  return seconds;
}

}  // namespace

std::string to_json(const FrameStatistics& s) {
  std::string text =
      fmt::format("{{\"frame\":{},\"time\":{},\"substeps\":{},\"dt_min\":{},\"dt_max\":{}", s.frame,
                  json_text(s.time), s.substeps, json_text(s.dt_min), json_text(s.dt_max));
  text += fmt::format(
      ",\"pressure_iterations\":{},\"pressure_residual\":{},\"pressure_tolerance\":{},\"max_divergence\":{}",
      s.pressure_iterations, json_text(s.pressure_residual), json_text(s.pressure_tolerance),
      json_text(s.max_divergence));
  text += fmt::format(
      ",\"active_tiles\":{},\"active_cells\":{},\"particles\":{},\"mass\":{},\"liquid_volume\":{},\"mesh_"
      "volume\":{}",
      s.active_tiles, s.active_cells, s.particles, json_object(s.mass), json_text(s.liquid_volume),
      json_text(s.mesh_volume));
  text += fmt::format(
      ",\"kinetic_energy\":{},\"momentum\":{},\"angular_momentum\":{},\"center_of_mass\":{},\"max_speed\":{}",
      json_text(s.kinetic_energy), json_list(s.momentum), json_list(s.angular_momentum),
      json_list(s.center_of_mass), json_text(s.max_speed));
  text += fmt::format(
      ",\"bodies\":[],\"ledger\":{{\"injected\":{},\"drained\":{},\"corrected\":{},\"given_up\":{},"
      "\"not_evened\":{}}},\"state_hash\":\"{:016x}\"",
      json_text(s.injected), json_text(s.drained), json_text(s.corrected), json_text(s.given_up),
      s.not_evened, s.state_hash);
  text += fmt::format(",\"seconds\":{},\"peak_memory_bytes\":{}}}", json_object(rounded(s.seconds)),
                      s.peak_memory_bytes);
  return text;
}

std::string with_mesh_volume(std::string lines, int frame, double volume) {
  constexpr std::string_view key = "\"mesh_volume\":";
  const std::size_t begin = ("\n" + lines).find(fmt::format("\n{{\"frame\":{},", frame));
  const std::size_t at = begin == lines.npos ? begin : lines.find(key, begin);
  if (at == lines.npos || at > lines.find('\n', begin)) return lines;
  const std::size_t value = at + key.size();
  return lines.replace(value, lines.find_first_of(",}", value) - value, json_text(volume));
}

}  // namespace whorl
