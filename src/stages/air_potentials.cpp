#include "stages/air_potentials.h"

#include "particles/particles_round_tile.h"

#include <algorithm>
#include <vector>

namespace whorl {

namespace {

// How far off the weighted mean of a particle's neighbours is, in cells, for it to be at the surface: below
// a flat one it is 0.2 for the first layer of a lattice, and chance makes it some 0.05 inside.
constexpr float least_offset = 0.15f;

// The cosine of the angle to the normal within which a particle moves out of the liquid (paper, eq. 7).
constexpr float least_agreement = 0.6f;

Vec<float, 3> velocity_of(const ParticleSet<3>& p, std::uint32_t i) {
  return {p.velocity[0][i], p.velocity[1][i], p.velocity[2][i]};
}

// Calls f(what is round its tile, i, its place in the tile) for every particle of the tiles that are not
// zero.
template <class F>
void for_particles(Exec& ex, const ParticleSet<3>& p, const std::vector<std::uint8_t>& tiles,
                   std::span<const ParticleVectors> carried, const F& f) {
  ex.parallel_for(p.topology->tile_count(), 4, [&](std::int64_t begin, std::int64_t end) {
    ParticlesRoundTile round;
    for (int tile = int(begin); tile < int(end); ++tile) {
      if (!tiles[std::size_t(tile)]) continue;
      round.gather(p, p.topology->tiles()[std::size_t(tile)], carried);
      for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i)
        f(round, i, Vec<float, 3>{p.position[0][i], p.position[1][i], p.position[2][i]});
    }
  });
}

// The tiles that hold a fast particle.
std::vector<std::uint8_t> fast_tiles(Exec& ex, const ParticleSet<3>& p, float least_speed) {
  std::vector<std::uint8_t> fast(std::size_t(p.topology->tile_count()));
  ex.parallel_for(p.topology->tile_count(), 16, [&](std::int64_t begin, std::int64_t end) {
    for (int tile = int(begin); tile < int(end); ++tile)
      for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i)
        if (length(velocity_of(p, i)) > least_speed) fast[std::size_t(tile)] = 1;
  });
  return fast;
}

// Those, and all next to them.
std::vector<std::uint8_t> with_neighbours(const Topology<3>& topology,
                                          const std::vector<std::uint8_t>& tiles) {
  std::vector<std::uint8_t> more = tiles;
  const int* neighbours = topology.tile_set().neighbours;
  for (std::size_t tile = 0; tile < tiles.size(); ++tile)
    for (int k = 0; tiles[tile] && k < neighbourhood<3>; ++k)
      if (const int other = neighbours[tile * neighbourhood<3> + std::size_t(k)];
          other < topology.tile_count())
        more[std::size_t(other)] = 1;
  return more;
}

// Away from the others; zero inside the liquid.
std::array<Buffer<float>, 3> surface_normals(Exec& ex, const ParticleSet<3>& p,
                                             const std::vector<std::uint8_t>& tiles) {
  std::array<Buffer<float>, 3> normals;
  for (auto& n : normals) {
    n = ex.buffer<float>(std::size_t(p.size()));
    std::fill(n.begin(), n.end(), 0.f);
  }
  for_particles(ex, p, tiles, {},
                [&](const ParticlesRoundTile& round, std::uint32_t i, const Vec<float, 3>& x) {
                  Vec<float, 3> sum{};
                  float weight = 0;
                  round.for_near(x, [&](std::uint32_t, const Vec<float, 3>& d, float r) {
                    sum = sum + d * (1 - r);
                    weight += 1 - r;
                  });
                  const float size = length(sum);
                  const float scale = size > least_offset * weight ? -1 / size : 0;
                  for (int a = 0; a < 3; ++a) normals[std::size_t(a)][i] = sum[a] * scale;
                });
  return normals;
}

}  // namespace

AirPotentials air_potentials(Exec& ex, const ParticleSet<3>& p, double least_speed) {
  const Zone zone(ex.profile(), "air_potentials");
  const std::size_t n = std::size_t(p.size());
  AirPotentials found{ex.buffer<float>(n), ex.buffer<float>(n)};
  if (n == 0) return found;
  for (Buffer<float>* sums : {&found.trapped_air, &found.wave_crest})
    std::fill(sums->begin(), sums->end(), 0.f);
  const std::vector<std::uint8_t> fast = fast_tiles(ex, p, float(least_speed));
  const std::array<Buffer<float>, 3> normals = surface_normals(ex, p, with_neighbours(*p.topology, fast));
  const ParticleVectors carried[] = {velocities(p),
                                     {normals[0].data(), normals[1].data(), normals[2].data()}};
  for_particles(ex, p, fast, carried,
                [&](const ParticlesRoundTile& round, std::uint32_t i, const Vec<float, 3>& x) {
                  const Vec<float, 3> v = velocity_of(p, i);
                  const Vec<float, 3> normal{normals[0][i], normals[1][i], normals[2][i]};
                  const float speed = length(v);
                  if (!(speed > float(least_speed))) return;
                  const bool outwards = dot(v, normal) >= least_agreement * speed;
                  float trapped = 0, crest = 0;
                  round.for_near(x, [&](std::uint32_t k, const Vec<float, 3>& d, float r) {
                    const float w = 1 - r;
                    const Vec<float, 3> relative = v - round.vector(0, k);
                    trapped += (length(relative) + dot(relative, d) / r) * w;  // d is -x_ij
                    const Vec<float, 3>& other = round.vector(1, k);
                    if (outwards && dot(d, normal) < 0 && dot(other, other) > 0)
                      crest += (1 - dot(normal, other)) * w;
                  });
                  found.trapped_air[i] = trapped;
                  found.wave_crest[i] = crest;
                });
  return found;
}

}  // namespace whorl
