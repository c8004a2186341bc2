// Pictures, pixel by pixel.
#pragma once

#include "exec/exec.h"
#include "render/colour.h"

#include <vector>

namespace whorl {

// f(column, row) of every pixel, on any thread.
template <class F>
void for_each_pixel(Exec& ex, int width, int height, const F& f) {
  ex.parallel_for(height, 2, [&](std::int64_t begin, std::int64_t end) {
    for (int row = int(begin); row < int(end); ++row)
      for (int column = 0; column < width; ++column) f(column, row);
  });
}

// Values of pixels, rows from the top.
template <class T>
struct Pixels {
  int width, height;
  std::vector<T> values;

  Pixels(int w, int h) : width(w), height(h), values(std::size_t(w) * std::size_t(h)) {}
  // f(column, row) everywhere.
  template <class F>
  Pixels(Exec& ex, int w, int h, const F& f) : Pixels(w, h) {
    for_each_pixel(ex, w, h, [&](int column, int row) { (*this)(column, row) = f(column, row); });
  }

  T& operator()(int column, int row) {
    return values[std::size_t(row) * std::size_t(width) + std::size_t(column)];
  }
  const T& operator()(int column, int row) const { return const_cast<Pixels&>(*this)(column, row); }
  // The same, and beyond the edges what is nearest.
  const T& nearest(int column, int row) const {
    return (*this)(std::clamp(column, 0, width - 1), std::clamp(row, 0, height - 1));
  }
};

// Colours within the reach of a screen.
inline Image screen_image(Exec& ex, const Pixels<Rgb>& colours) {
  Image image(colours.width, colours.height);
  for_each_pixel(ex, image.width, image.height,
                 [&](int column, int row) { put_pixel(image, column, row, colours(column, row)); });
  return image;
}

// Light as others take it, with alpha where N is 4.
template <int N>
LightImage light_image(const Pixels<Vec<float, N>>& light) {
  LightImage image{light.width, light.height, N, {}};
  image.values.reserve(light.values.size() * N);
  for (const Vec<float, N>& x : light.values)
    for (int c = 0; c < N; ++c) image.values.push_back(x[c]);
  return image;
}

}  // namespace whorl
