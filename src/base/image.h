// An image in memory: rows from the top, three bytes a pixel, sRGB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace whorl {

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

}  // namespace whorl
