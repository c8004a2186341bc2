#include "io/exr.h"

#include "io/file.h"
#include "whorl/version.h"

#include <algorithm>
#include <exception>

#include <Imath/half.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfChromaticitiesAttribute.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfStdIO.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <fmt/format.h>

namespace whorl {
namespace {

constexpr const char* channel_names[] = {"R", "G", "B", "A"};

std::string bytes_of(const LightImage& image) {
  std::vector<Imath::half> halves(image.values.size());
  std::transform(image.values.begin(), image.values.end(), halves.begin(),
                 [](float x) { return Imath::half(std::clamp(x, float(-HALF_MAX), float(HALF_MAX))); });

  constexpr float square_pixels = 1;
  Imf::Header header(image.width, image.height, square_pixels);
  header.compression() = Imf::ZIP_COMPRESSION;
  Imf::addChromaticities(header, {});  // Rec. 709's, unless told otherwise
  header.insert("software", Imf::StringAttribute(fmt::format("whorl {}", version())));
  Imf::FrameBuffer pixels;
  const std::size_t pixel = std::size_t(image.channels) * sizeof(Imath::half);
  for (int c = 0; c < image.channels; ++c) {
    header.channels().insert(channel_names[c], Imf::Channel(Imf::HALF));
    pixels.insert(channel_names[c], Imf::Slice(Imf::HALF, reinterpret_cast<char*>(halves.data() + c), pixel,
                                               pixel * std::size_t(image.width)));
  }
  // In memory first: a file that OpenEXR closes does not say whether all of it was written.
  Imf::StdOSStream stream;
  {
    Imf::OutputFile file(stream, header, 0);
    file.setFrameBuffer(pixels);
    file.writePixels(image.height);
  }
  return stream.str();
}

}  // namespace

Result<void> write_exr(const std::string& path, const LightImage& image) {
  try {
    return write_whole_text(path, bytes_of(image));
  } catch (const std::exception& failed) {
    return Error{ErrorCode::resources, fmt::format("cannot write {}: {}", path, failed.what())};
  }
}

}  // namespace whorl
