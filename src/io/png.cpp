#include "io/png.h"

#include "io/file.h"

#include <fmt/format.h>
#include <png.h>

namespace whorl {

Result<void> write_png(const std::string& path, const Image& image) {
  return write_whole(path, [&](const std::string& file) -> Result<void> {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = png_uint_32(image.width);
    png.height = png_uint_32(image.height);
    png.format = PNG_FORMAT_RGB;
    png.flags = PNG_IMAGE_FLAG_FAST;
    if (png_image_write_to_file(&png, file.c_str(), 0, image.rgb.data(), 0, nullptr)) return {};
    return Error{ErrorCode::resources, fmt::format("cannot write {}: {}", path, png.message)};
  });
}

}  // namespace whorl
