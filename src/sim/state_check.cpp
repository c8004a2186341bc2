#include "sim/state_check.h"

#include <algorithm>

namespace whorl {
namespace {

template <int D>
bool is_of(const TopologyPtr<D>& topology, const Domain<D>& domain) {
  return topology && topology->domain() == domain;
}

template <class T, int D>
bool is_on(const Field<T, D>& field, const TopologyPtr<D>& topology) {
  return field.topology() == topology;
}

template <class T, int D>
bool are_on(const std::vector<Field<T, D>>& fields, const TopologyPtr<D>& topology) {
  return std::all_of(fields.begin(), fields.end(), [&](const auto& field) { return is_on(field, topology); });
}

template <class T, int D>
bool is_on(const MacField<T, D>& field, const TopologyPtr<D>& topology) {
  for (int a = 0; a < D; ++a)
    if (!is_on(field[a], topology)) return false;
  return true;
}

template <class Arrays>
bool have_size(const Arrays& arrays, std::size_t n) {
  return std::all_of(arrays.begin(), arrays.end(), [&](const auto& array) { return array.size() == n; });
}

// first[k] to first[k + 1] are the particles of cell k, and these are all.
template <int D>
bool counts_all(const ParticleSet<D>& p) {
  const std::size_t cells = std::size_t(p.topology->tile_count()) * tile_cells<D>;
  if (p.first.size() != cells + 1 || p.first[0] != 0 || p.first[cells] != p.id.size()) return false;
  return std::is_sorted(p.first.begin(), p.first.end());
}

template <int D>
bool are_in_their_cells(const ParticleSet<D>& p) {
  for (std::size_t k = 0; k + 1 < p.first.size(); ++k)
    for (std::size_t i = p.first[k]; i < p.first[k + 1]; ++i)
      for (int a = 0; a < D; ++a) {
        const float at = p.position[std::size_t(a)][i];
        const int cell = int(k % tile_cells<D>) / tile_stride<D>(a) % tile_side;
        if (!(at >= float(cell) && at < float(cell + 1))) return false;
      }
  return true;
}

template <int D>
bool fits(const FlowMap<D>& map, const TopologyPtr<D>& topology, const Domain<D>& domain) {
  if (map.empty()) return map.backward.empty() && map.forward.empty() && map.carried.empty();
  const TopologyPtr<D>& start = map.start_topology();
  return is_of(start, domain) && map.backward.size() == D && map.forward.size() == D &&
         map.carried.size() == map.start.size() && are_on(map.backward, topology) &&
         are_on(map.forward, start) && are_on(map.start, start) && are_on(map.carried, topology);
}

template <int D>
bool fits(const VortexParticles<D>& v) {
  const std::size_t n = v.size();
  return v.swirl.size() == n && v.strength.size() == n && v.life.size() == n && v.radius.size() == n &&
         v.decay.size() == n;
}

}  // namespace

template <int D>
std::string wrong_with(const ParticleSet<D>& p, const Domain<D>& domain, int modes, std::size_t others) {
  const std::size_t n = p.id.size();
  if (p.topology && !is_of(p.topology, domain)) return "its particles are of another domain";
  // Also where there are none: more may be added, and then arrays grow by as many, whatever size they have.
  if (p.modes.size() != std::size_t(D * modes) || p.others.size() != others || !have_size(p.position, n) ||
      !have_size(p.velocity, n) || !have_size(p.modes, n) || !have_size(p.others, n))
    return "its particles are not as many everywhere";
  if (!p.topology) return n == 0 && p.first.size() == 0 ? "" : "its particles are nowhere";
  if (!counts_all(p)) return "its particles are not as many everywhere";
  if (!are_in_their_cells(p)) return "it has a particle that is not in its cell";
  for (const std::uint64_t id : p.id)
    if (id >= p.made) return "it has a particle that was never made";
  return "";
}

template <int D>
std::string wrong_with(const SmokeState<D>& s, const Domain<D>& domain, std::size_t quantities) {
  const TopologyPtr<D>& topology = s.topology();
  const auto is_good = [&](const auto& field) { return !field.topology() || is_on(field, topology); };
  if (!is_of(topology, domain)) return "its grid is of another domain";
  if (!is_on(s.velocity, topology) || !is_on(s.density, topology) || !is_on(s.temperature, topology) ||
      !are_on(s.others, topology) || !is_on(s.pressure, topology) || !is_good(s.expansion) ||
      !is_good(s.growth))
    return "its fields are not of one grid";
  if (s.others.size() != quantities) return "it has not as many quantities as the scene";
  if (!fits(s.velocity_map, topology, domain) || !fits(s.scalar_map, topology, domain))
    return "its maps do not fit its grid";
  if (!fits(s.vortices)) return "its vortex particles are not as many everywhere";
  return "";
}

template <int D>
std::string wrong_with(const LiquidState<D>& s, const Domain<D>& domain, TransferScheme transfer) {
  if (!s.particles.topology) return "it has no grid";
  if (std::string wrong = wrong_with(s.particles, domain, mode_count<D>(transfer), 0); !wrong.empty())
    return wrong;
  if (s.pressure.topology() && !is_of(s.pressure.topology(), domain))
    return "its pressure is of another domain";
  const TopologyPtr<D>& core = s.core.topology;
  if (!core) return "";
  const std::size_t rows = std::size_t(core->tile_count() + 1) * tile_rows<D>;
  if (core != s.particles.topology || s.core.rows.size() != rows || !is_on(s.core_velocity, core))
    return "its core is not of one grid with its particles";
  return "";
}

template <int D>
std::string wrong_with(const LevelSetLiquidState<D>& s, const Domain<D>& domain) {
  const TopologyPtr<D>& topology = s.surface.phi.topology();
  if (!is_of(topology, domain)) return "its grid is of another domain";
  if (!is_on(s.surface.phi, topology) || !is_on(s.velocity, topology))
    return "its fields are not of one grid";
  if (s.pressure.topology() && !is_of(s.pressure.topology(), domain))
    return "its pressure is of another domain";
  // A surface that never had markers has no array for their radii, either.
  const ParticleSet<D>& markers = s.surface.markers;
  const bool had_some = markers.topology || !markers.others.empty();
  return wrong_with(markers, domain, 0, had_some ? 1 : 0);
}

std::string wrong_with_time(int frame, double time, double fps) {
  const double part = time * fps - frame;  // of the next one
  constexpr double rounding = 1e-6;
  if (frame >= 0 && part >= -rounding && part <= 1 + rounding) return "";
  return "its time is not that of its frame";
}

#define WHORL_INSTANTIATE(D)                                                                  \
  template std::string wrong_with(const ParticleSet<D>&, const Domain<D>&, int, std::size_t); \
  template std::string wrong_with(const SmokeState<D>&, const Domain<D>&, std::size_t);       \
  template std::string wrong_with(const LiquidState<D>&, const Domain<D>&, TransferScheme);   \
  template std::string wrong_with(const LevelSetLiquidState<D>&, const Domain<D>&);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
