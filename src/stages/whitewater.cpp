#include "stages/whitewater.h"

#include "base/rng.h"
#include "exec/scan.h"
#include "exec/shapes.h"
#include "particles/far_particles.h"
#include "particles/particles_round_tile.h"
#include "stages/air_potentials.h"
#include "stages/obstacles.h"
#include "stages/solid_distance.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace whorl {

namespace {

constexpr float spread = 0.1f;         // sideways velocity of new specks, of that of the liquid
constexpr float most = tile_side - 1;  // cells in a step: as far as the order of tiles can follow

enum : std::uint64_t { lifetime_draw = 1, size_draw = 2 };  // kinds of chance that go with a speck's id

float draw(const WhitewaterParams& params, std::uint64_t kind, std::uint64_t id) {
  return Rng(params.seed, id, ~kind).uniform();
}

// Two unit vectors across a third (Duff et al. 2017).
void across(const Vec<double, 3>& n, Vec<double, 3>& e1, Vec<double, 3>& e2) {
  const double sign = std::copysign(1., n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
  e1 = {1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]};
  e2 = {b, sign + n[1] * n[1] * a, -n[1]};
}

// dv/dt = push - drag v over a step: the new velocity, and the way.
Vec<double, 3> drift(Vec<double, 3>& v, const Vec<double, 3>& push, double drag, double dt) {
  const double x = drag * dt, kept = std::exp(-x);
  // (1 - e^-x) / x and its like for the push, which must not lose all digits where x is small.
  const double one = x > 1e-6 ? -std::expm1(-x) / x : 1 - 0.5 * x;
  const double two = x > 1e-4 ? (1 - one) / x : 0.5 - x / 6;
  const Vec<double, 3> way = v * (one * dt) + push * (two * dt * dt);
  v = v * kept + push * (one * dt);
  return way;
}

Vec<double, 3> place_of(const ParticleSet<3>& p, int tile, std::uint32_t i) {
  Vec<double, 3> x;
  for (int a = 0; a < 3; ++a)
    x[a] =
        double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side + double(p.position[std::size_t(a)][i]);
  return x;
}

Vec<double, 3> velocity_of(const ParticleSet<3>& p, std::uint32_t i) {
  return {double(p.velocity[0][i]), double(p.velocity[1][i]), double(p.velocity[2][i])};
}

bool in_domain(const Domain<3>& domain, const Vec<double, 3>& x) {
  for (int a = 0; a < 3; ++a)
    if (!domain.periodic(a) && !(x[a] >= domain.cells.lo[a] && x[a] < domain.cells.hi[a])) return false;
  return true;
}

// One new speck: in a cylinder round the way that the particle has come, as wide as its share of the volume
// (paper, §3.2). The paper gives it the place across the way as a velocity as well, whatever the units; here
// that is a part of the particle's speed.
void sample(Rng& rng, const Vec<double, 3>& x, const Vec<double, 3>& v, double h, double dt,
            Vec<double, 3>& place, Vec<float, 3>& velocity) {
  const double speed = length(v), radius = 0.25;  // cells: half the distance between particles
  const Vec<double, 3> along = speed > 0 ? v * (1 / speed) : Vec<double, 3>::unit(1);
  Vec<double, 3> e1, e2;
  across(along, e1, e2);
  const double r = std::sqrt(double(rng.uniform())), angle = 2 * std::numbers::pi * double(rng.uniform());
  const Vec<double, 3> out = e1 * (r * std::cos(angle)) + e2 * (r * std::sin(angle));
  place = x + out * radius - along * (double(rng.uniform()) * speed * dt / h);
  velocity = convert<float>(v + out * (double(spread) * speed));
}

}  // namespace

Buffer<float> whitewater_rates(Exec& ex, const ParticleSet<3>& liquid, const WhitewaterParams& params) {
  const AirPotentials potentials = air_potentials(ex, liquid, params.speed.min);
  Buffer<float> rates = ex.buffer<float>(std::size_t(liquid.size()));
  const WhitewaterParams::Range energy{params.speed.min * params.speed.min,
                                       params.speed.max * params.speed.max};
  for_points(ex, liquid.size(), [&](std::int64_t n) {
    const std::uint32_t i = std::uint32_t(n);
    const Vec<double, 3> v = velocity_of(liquid, i);
    rates[i] = float(energy.part(dot(v, v)) *
                     (params.trapped_air_rate * params.trapped_air.part(double(potentials.trapped_air[i])) +
                      params.wave_crest_rate * params.wave_crest.part(double(potentials.wave_crest[i]))));
  });
  return rates;
}

void emit_whitewater(Exec& ex, ParticleSet<3>& specks, const ParticleSet<3>& liquid,
                     std::span<const float> rates, std::span<const Solid<3>> solids,
                     const WhitewaterParams& params, double dt, std::uint64_t step) {
  const Zone zone(ex.profile(), "emit_whitewater");
  const std::size_t n = std::size_t(liquid.size());
  CHECK(rates.size() == n, "one rate a particle");
  if (n == 0) return;
  const auto chance = [&](std::uint32_t i) { return Rng(params.seed, liquid.id[i], step); };
  Buffer<std::uint32_t> start = ex.buffer<std::uint32_t>(n + 1);
  start[n] = 0;
  for_points(ex, liquid.size(), [&](std::int64_t i) {
    const float mean = rates[std::size_t(i)] * float(dt);
    start[std::size_t(i)] = mean > 0 ? std::uint32_t(mean + chance(std::uint32_t(i)).uniform()) : 0;
  });
  const std::uint32_t made = exclusive_scan(ex, start.data(), start.data(), std::int64_t(n + 1));
  if (made == 0) return;

  const Domain<3>& domain = liquid.topology->domain();
  NewParticles<3> drawn{std::vector<Vec<double, 3>>(made), std::vector<Vec<float, 3>>(made)};
  std::vector<std::uint8_t> good(made);
  ex.parallel_for(liquid.topology->tile_count(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for (std::uint32_t i = liquid.tile_begin(tile); i < liquid.tile_end(tile); ++i) {
        if (start[i] == start[i + 1]) continue;
        Rng rng = chance(i);
        rng.bits();  // the one that the number has taken
        const Vec<double, 3> x = place_of(liquid, tile, i), v = velocity_of(liquid, i);
        for (std::uint32_t k = start[i]; k < start[i + 1]; ++k) {
          sample(rng, x, v, params.h, dt, drawn.position[k], drawn.velocity[k]);
          const Vec<double, 3>& place = drawn.position[k];
          good[k] = in_domain(domain, place) && is_free(solids, place * params.h, params.h);
        }
      }
  });
  NewParticles<3> more;
  for (std::uint32_t k = 0; k < made; ++k) {
    if (!good[k]) continue;
    more.position.push_back(drawn.position[k]);
    more.velocity.push_back(drawn.velocity[k]);
  }
  if (specks.size() == 0) specks.others.resize(speck_columns);
  const std::uint64_t before = specks.made;
  add_particles(ex, specks, domain, more);
  for_points(ex, specks.size(), [&](std::int64_t k) {
    const std::size_t i = std::size_t(k);
    if (specks.id[i] < before) return;
    specks.others[speck_radius][i] = float(params.radius) * (0.5f + draw(params, size_draw, specks.id[i]));
  });
}

void look_round_whitewater(Exec& ex, ParticleSet<3>& specks, const ParticleSet<3>& liquid) {
  const Zone zone(ex.profile(), "look_round_whitewater");
  if (specks.size() == 0) return;
  const ParticleVectors carried[] = {velocities(liquid)};
  ex.parallel_for(specks.topology->tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    ParticlesRoundTile round;
    for (int tile = int(begin); tile < int(end); ++tile) {
      if (specks.tile_begin(tile) == specks.tile_end(tile)) continue;
      round.gather(liquid, specks.topology->tiles()[std::size_t(tile)], carried);
      for (std::uint32_t i = specks.tile_begin(tile); i < specks.tile_end(tile); ++i) {
        const Vec<float, 3> x{specks.position[0][i], specks.position[1][i], specks.position[2][i]};
        int near = 0;
        float weight = 0;
        Vec<float, 3> flow{};
        round.for_near(x, [&](std::uint32_t k, const Vec<float, 3>&, float r) {
          ++near;
          weight += 1 - r;
          flow = flow + round.vector(0, k) * (1 - r);
        });
        const WhitewaterKind kind = near <= most_spray_neighbours  ? WhitewaterKind::spray
                                    : near <= most_foam_neighbours ? WhitewaterKind::foam
                                                                   : WhitewaterKind::bubble;
        specks.others[speck_kind][i] = float(kind);
        for (std::size_t a = 0; a < 3; ++a) {
          specks.others[speck_flow + a][i] = weight > 0 ? flow[int(a)] / weight : 0;
          if (kind == WhitewaterKind::foam) specks.velocity[a][i] = specks.others[speck_flow + a][i];
        }
      }
    }
  });
}

void move_whitewater(Exec& ex, ParticleSet<3>& specks, std::span<const Solid<3>> solids,
                     const WhitewaterParams& params, double dt) {
  const Zone zone(ex.profile(), "move_whitewater");
  if (specks.size() == 0) return;
  const Domain<3>& domain = specks.topology->domain();
  const Obstacles<3> obstacles(solids, domain, params.h, dt, double(MoveParams{}.skin) * params.h);
  auto keep = ex.buffer<std::uint8_t>(std::size_t(specks.size()));
  // Where one goes, and whether it goes on.
  const auto move = [&](int tile, std::uint32_t i, std::span<const NearObstacle<3>> near) {
    const auto kind = WhitewaterKind(int(specks.others[speck_kind][i]));
    const Vec<double, 3> x = place_of(specks, tile, i) * params.h;
    Vec<double, 3> v = velocity_of(specks, i), flow;
    for (int a = 0; a < 3; ++a) flow[a] = double(specks.others[speck_flow + std::size_t(a)][i]);
    Vec<double, 3> way;
    if (kind == WhitewaterKind::spray)
      way = drift(v, params.gravity, params.spray_drag, dt);
    else if (kind == WhitewaterKind::foam)
      way = (v = flow) * dt;
    else
      way = drift(v, flow * params.bubble_drag - params.gravity * params.buoyancy, params.bubble_drag, dt);
    for (int a = 0; a < 3; ++a)
      way[a] = std::clamp(way[a], -double(most) * params.h, double(most) * params.h);
    const Vec<double, 3> free = x + way;
    const Vec<double, 3> to = obstacles.end_of_way(near, x, free, v);
    for (int a = 0; a < 3; ++a) {
      const double local =
          to[a] / params.h - double(specks.topology->tiles()[std::size_t(tile)][a]) * tile_side;
      specks.position[std::size_t(a)][i] = float(local);
      specks.velocity[std::size_t(a)][i] = float(v[a]);
    }
    specks.others[speck_age][i] += float(dt);
    if (kind == WhitewaterKind::foam) specks.others[speck_foam][i] += float(dt);
    const double lifetime = params.lifetime.min + (params.lifetime.max - params.lifetime.min) *
                                                      double(draw(params, lifetime_draw, specks.id[i]));
    const bool splashed = kind == WhitewaterKind::spray && !(to == free);
    return !splashed && in_domain(domain, place_of(specks, tile, i)) &&
           double(specks.others[speck_foam][i]) < lifetime;
  };
  ex.parallel_for(specks.topology->tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    std::vector<NearObstacle<3>> near;
    for (int tile = int(begin); tile < int(end); ++tile) {
      if (specks.tile_begin(tile) == specks.tile_end(tile)) continue;
      obstacles.find_near(specks.topology->tiles()[std::size_t(tile)], double(most), near);
      for (std::uint32_t i = specks.tile_begin(tile); i < specks.tile_end(tile); ++i)
        keep[i] = move(tile, i, near);
    }
  });
  keep_particles(ex, specks, std::span<const std::uint8_t>(keep.data(), keep.size()));
  go_far(ex, specks);  // where a solid has pushed them
  sort_particles(ex, specks);
}

}  // namespace whorl
