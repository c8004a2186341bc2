#include "particles/far_particles.h"

#include "exec/reduce.h"
#include "exec/shapes.h"

#include <algorithm>
#include <cmath>

namespace whorl {

template <int D>
void go_far(Exec& ex, ParticleSet<D>& p) {
  const std::size_t others = p.others.size();
  for (int a = 0; a < D; ++a) p.others.push_back(ex.buffer<float>(std::size_t(p.size())));
  const auto leave_rest = [&] {  // whole tiles, the rest of each particle's way
    return reduce(
        ex, p.size(), 1 << 14, 0,
        [&](std::int64_t begin, std::int64_t end) {
          int any = 0;
          for (int a = 0; a < D; ++a)
            for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i) {
              float& x = p.position[std::size_t(a)][i];
              const float tiles = std::floor(x / tile_side), next = std::clamp(tiles, -1.f, 1.f);
              p.others[others + std::size_t(a)][i] = (tiles - next) * tile_side;
              x -= (tiles - next) * tile_side;
              any |= int(tiles < -1 || tiles > 1);
            }
          return any;
        },
        [](int x, int y) { return x | y; });
  };
  while (leave_rest()) {
    sort_particles(ex, p);
    for_points(ex, p.size(), [&](std::int64_t i) {
      for (std::size_t a = 0; a < D; ++a)
        p.position[a][std::size_t(i)] += p.others[others + a][std::size_t(i)];
    });
  }
  p.others.resize(others);
}

template void go_far(Exec&, ParticleSet<2>&);
template void go_far(Exec&, ParticleSet<3>&);

}  // namespace whorl
