#include "stages/source.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace whorl {

template <int D>
SmokeSource<D> seen_later(SmokeSource<D> source, double seconds) {
  source.start -= seconds;
  source.end -= seconds;
  if (source.shape_at)
    source.shape_at = [shape_at = std::move(source.shape_at), seconds](double s) {
      return shape_at(s + seconds);
    };
  return source;
}

template <int D>
std::vector<SourceMoment<D>> moments_of(const SmokeSource<D>& source, double air_speed, double h, double dt) {
  const double start = std::max(source.start, 0.), on = std::min(source.end, dt) - start;
  std::vector<SourceMoment<D>> moments;
  if (!(on > 0)) return moments;
  const double half_cells = 2 * (source.speed + air_speed) * on / h;
  const int count = half_cells <= most_moments ? std::max(1, int(std::ceil(half_cells))) : most_moments;
  const double part = on / count;
  for (int k = 0; k < count; ++k) {
    const double t = start + (k + 0.5) * part;
    moments.push_back({source.shape_after(t), source.skin, dt - t, part});
  }
  return moments;
}

template SmokeSource<2> seen_later(SmokeSource<2>, double);
template SmokeSource<3> seen_later(SmokeSource<3>, double);
template std::vector<SourceMoment<2>> moments_of(const SmokeSource<2>&, double, double, double);
template std::vector<SourceMoment<3>> moments_of(const SmokeSource<3>&, double, double, double);

}  // namespace whorl
