// Images in memory, rows from the top.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace whorl {

// As a screen shows it: three bytes a pixel, sRGB.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // [row][column][3]

  Image() = default;
  Image(int w, int h) : width(w), height(h), rgb(std::size_t(w) * std::size_t(h) * 3) {}

  std::uint8_t* pixel(int column, int row) {
    return rgb.data() + (std::size_t(row) * std::size_t(width) + std::size_t(column)) * 3;
  }
  const std::uint8_t* pixel(int column, int row) const {
    return const_cast<Image*>(this)->pixel(column, row);
  }
};

// As light: linear, of Rec. 709's primaries, and brighter than 1 where it is.
struct LightImage {
  int width = 0, height = 0;
  int channels = 3;           // 4: with alpha, by which the light is dimmed already
  std::vector<float> values;  // [row][column][channel]: red, green, blue, alpha
};

struct Picture {
  Image screen;
  LightImage light;  // that the screen's image was made of
};

}  // namespace whorl
