#include "render/light_volume.h"

namespace whorl {

LightVolume::LightVolume(Exec& ex, const DenseGrid<float>& extinction, const Point& to_light)
    : origin_(extinction.origin), cell_(extinction.cell), along_(0) {
  const Zone zone(ex.profile(), "light_volume");
  // The axis with the fewest columns to store, unless the light is too slanted against it.
  double least = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    const double lean = std::abs(to_light[a]) / length(to_light);
    double cells = extinction.size[a];
    for (int b = 0; b < 3; ++b)
      if (b != a) cells *= extinction.size[b] + std::abs(to_light[b] / to_light[a]) * extinction.size[a];
    if (!(cells / (lean * lean) < least)) continue;
    least = cells / (lean * lean);
    along_ = a;
  }
  axis_[0] = along_ == 0 ? 1 : 0;
  axis_[1] = along_ == 2 ? 1 : 2;
  slices_ = extinction.size[along_];
  towards_ = to_light[along_] > 0 ? 1 : -1;
  first_ = towards_ > 0 ? slices_ : 0;
  for (int k = 0; k < 2; ++k) {
    slope_[k] = to_light[axis_[k]] / to_light[along_];
    const double push = -slope_[k] * slices_;
    low_[k] = std::min(push, 0.) - 1;
    width_[k] = int(std::ceil(extinction.size[axis_[k]] + std::abs(push))) + 2;
  }
  const std::size_t row = std::size_t(width_[1]), slab = row * std::size_t(slices_ + 1);
  depth_ = ex.buffer<float>(slab * std::size_t(width_[0]));

  const float step = float(cell_ * length(to_light) / std::abs(to_light[along_]));
  const int n0 = extinction.size[axis_[0]], n1 = extinction.size[axis_[1]];
  ex.parallel_for(width_[0], 4, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> line(std::size_t(n1) + 2);  // a row of a slice, with nothing at both ends
    for (std::int64_t i = begin; i < end; ++i) {
      float* before = depth_.data() + std::size_t(i) * slab;
      std::fill_n(before, row, 0.f);
      for (int j = 0; j < slices_; ++j, before += row) {
        float* after = before + row;
        std::copy_n(before, row, after);
        const int slice = towards_ > 0 ? slices_ - 1 - j : j;
        const double at0 = low_[0] + double(i) + slope_[0] * (slice + 0.5);
        const double at1 = low_[1] + slope_[1] * (slice + 0.5);
        const int c0 = int(std::floor(at0)), c1 = int(std::floor(at1));
        if (c0 < -1 || c0 >= n0) continue;
        const float t0 = float(at0 - c0), t1 = float(at1 - c1);
        const std::size_t stride = extinction.stride(axis_[1]);
        for (int k = 0; k < 2; ++k) {
          const int r = c0 + k;
          const float weight = step * (k ? t0 : 1 - t0);
          const float* from = extinction.values.data() + std::size_t(slice) * extinction.stride(along_) +
                              std::size_t(std::clamp(r, 0, n0 - 1)) * extinction.stride(axis_[0]);
          const float present = r >= 0 && r < n0 ? weight : 0;
          for (int c = 0; c < n1; ++c)
            line[std::size_t(c) + 1] =
                (k ? line[std::size_t(c) + 1] : 0) + present * from[std::size_t(c) * stride];
        }
        const int first = std::max(0, -1 - c1), last = std::min(width_[1], n1 - c1);
        for (int c = first; c < last; ++c) {
          const float* two = line.data() + (c1 + c + 1);
          after[c] += two[0] + t1 * (two[1] - two[0]);
        }
      }
    }
  });
}

float LightVolume::depth(const Point& x) const {
  Point g;
  for (int a = 0; a < 3; ++a) g[a] = (x[a] - origin_[a]) / cell_;
  const double down = std::clamp((first_ - g[along_]) * towards_, 0., double(slices_));
  const int j = std::min(int(down), slices_ - 1);
  const float tj = float(down - j);
  int c[2];
  float t[2];
  for (int k = 0; k < 2; ++k) {
    // The middle of column i of slice boundaries lies at low + i + 1/2.
    const double s = g[axis_[k]] - slope_[k] * g[along_] - low_[k] - 0.5;
    if (!(s >= 0 && s < width_[k] - 1)) return 0;
    c[k] = int(s);
    t[k] = float(s - c[k]);
  }
  const std::size_t row = std::size_t(width_[1]), slab = row * std::size_t(slices_ + 1);
  const float* p = depth_.data() + std::size_t(c[0]) * slab + std::size_t(j) * row + std::size_t(c[1]);
  const auto across = [&](const float* q) { return q[0] + t[1] * (q[1] - q[0]); };
  const auto face = [&](const float* q) {
    const float low = across(q), high = across(q + slab);
    return low + t[0] * (high - low);
  };
  const float near = face(p), far = face(p + row);
  return near + tj * (far - near);
}

}  // namespace whorl
