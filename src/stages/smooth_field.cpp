#include "stages/smooth_field.h"

#include "exec/shapes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace whorl {

namespace {

using Real = Lane<float>;

// (¼, ½, ¼) over cells that are `stride` apart, along one axis. Nothing stored is 0.
void blur(Exec& ex, Field<float, 3>& to, const Field<float, 3>& from, int axis, int stride) {
  const float* data = from.data();
  float* out = to.data();
  for_rows(ex, from.topology()->tile_set(), [=](const RowIndex<3>& r) {
    const auto row = [&](int step) {
      RowIndex<3> at = r;
      int place = centre_of_neighbourhood<3>;
      if (axis < 2) {
        const int to_tile = floor_div(r.at[axis] + step, tile_side);
        at.at[axis] += step - to_tile * tile_side;
        place += to_tile * neighbour_step<3>(axis);
      } else {
        place += step;
      }
      return data + std::size_t(r.neighbours[place]) * tile_cells<3> + at.offset();
    };
    Real low, high;
    const Real here = Real::load(row(0));
    if (axis < 2) {
      low = Real::load(row(-stride));
      high = Real::load(row(stride));
    } else {
      float line[3 * tile_side];
      Real::load(row(-1)).store(line);
      here.store(line + tile_side);
      Real::load(row(1)).store(line + 2 * tile_side);
      low = Real::load(line + tile_side - stride);
      high = Real::load(line + tile_side + stride);
    }
    (Real(0.5f) * here + Real(0.25f) * (low + high))
        .store(out + std::size_t(r.tile) * tile_cells<3> + std::size_t(r.offset()));
  });
}

// Strides of blurs whose variances, stride² / 2, add up to one given. Short ones first, so that long ones see
// nothing that they would alias.
std::vector<int> strides_for(double variance) {
  std::vector<int> strides;
  for (int stride = 1; stride <= tile_side && variance >= 0.5 * stride * stride; stride *= 2) {
    strides.push_back(stride);
    variance -= 0.5 * stride * stride;
  }
  for (int stride = tile_side; stride >= 1; stride /= 2)
    while (!strides.empty() && stride <= strides.back() && variance >= 0.5 * stride * stride) {
      strides.push_back(stride);
      variance -= 0.5 * stride * stride;
    }
  std::sort(strides.begin(), strides.end());
  return strides;
}

}  // namespace

int smoothing_reach(double width) {
  int cells = 0;
  for (const int stride : strides_for(width * width)) cells += 2 * stride;  // G twice
  return cells;
}

void blur_field(Exec& ex, Field<float, 3>& field, double width) {
  Field<float, 3> other(ex, field.topology());
  for (const int stride : strides_for(width * width))
    for (int a = 0; a < 3; ++a) {
      blur(ex, other, field, a, stride);
      std::swap(field, other);
    }
}

void smooth_field(Exec& ex, Field<float, 3>& field, const Field<float, 3>& part, const SmoothParams& params) {
  const Zone zone(ex.profile(), "smooth_field");
  if (strides_for(params.width * params.width).empty()) return;
  Field<float, 3> once = field.clone(ex);
  blur_field(ex, once, params.width);
  Field<float, 3> twice = once.clone(ex);
  blur_field(ex, twice, params.width);
  const FieldView<float, 3> q = field.view();
  const FieldView<const float, 3> g = std::as_const(once).view(), gg = std::as_const(twice).view(),
                                  w = part.view();
  const Real b(params.b);
  for_rows(ex, field.topology()->tile_set(), [=](const RowIndex<3>& r) {
    q.store(r, q(r) + w(r) * ((Real(1.f) + b) * g(r) - b * gg(r) - q(r)));
  });
}

}  // namespace whorl
