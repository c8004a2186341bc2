// Light that is written to OpenEXR files is there when they are read.
#include "io/exr.h"

#include "io/full_disk.h"
#include "io/temporary_folder.h"

#include <gtest/gtest.h>

#include <Imath/half.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfStringAttribute.h>

#include <limits>

namespace whorl {
namespace {

// From far below 1 to far above it.
LightImage glare(int width, int height, int channels) {
  LightImage image{width, height, channels, {}};
  for (int k = 0; k < width * height * channels; ++k)
    image.values.push_back(std::ldexp(1 + 0.37f * float(k % 5), k % 23 - 12));
  return image;
}

LightImage read_back(const std::string& path, int channels) {
  Imf::InputFile file(path.c_str());
  const Imath::Box2i box = file.header().dataWindow();
  LightImage image{box.max.x + 1, box.max.y + 1, channels, {}};
  image.values.resize(std::size_t(image.width) * std::size_t(image.height) * std::size_t(channels));
  Imf::FrameBuffer pixels;
  const std::size_t pixel = std::size_t(channels) * sizeof(float);
  const char* names[] = {"R", "G", "B", "A"};
  for (int c = 0; c < channels; ++c)
    pixels.insert(names[c], Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(image.values.data() + c), pixel,
                                       pixel * std::size_t(image.width)));
  file.setFrameBuffer(pixels);
  file.readPixels(box.min.y, box.max.y);
  return image;
}

TEST(Exr, RoundTrip) {
  const TemporaryFolder folder;
  for (const int channels : {3, 4}) {
    const LightImage image = glare(13, 37, channels);  // more rows than are compressed together
    const std::string path = folder / "light.exr";
    ASSERT_TRUE(write_exr(path, image));
    const LightImage back = read_back(path, channels);
    ASSERT_EQ(back.width, 13);
    ASSERT_EQ(back.height, 37);
    for (std::size_t k = 0; k < image.values.size(); ++k)
      EXPECT_NEAR(back.values[k] / image.values[k], 1, 1. / 1024) << k;
    EXPECT_GT(*std::max_element(back.values.begin(), back.values.end()), 1000);
  }
}

TEST(Exr, SaysWhatItHolds) {
  const TemporaryFolder folder;
  for (const int channels : {3, 4}) {
    ASSERT_TRUE(write_exr(folder / "light.exr", glare(8, 4, channels)));
    const Imf::InputFile file((folder / "light.exr").c_str());
    const Imf::Header& header = file.header();
    EXPECT_EQ(header.compression(), Imf::ZIP_COMPRESSION);
    EXPECT_EQ(header.pixelAspectRatio(), 1);
    ASSERT_TRUE(Imf::hasChromaticities(header));
    EXPECT_EQ(Imf::chromaticities(header).red, Imath::V2f(0.64f, 0.33f));
    EXPECT_EQ(header.typedAttribute<Imf::StringAttribute>("software").value().substr(0, 6), "whorl ");
    int count = 0;
    for (auto channel = header.channels().begin(); channel != header.channels().end(); ++channel, ++count)
      EXPECT_EQ(channel.channel().type, Imf::HALF) << channel.name();
    EXPECT_EQ(count, channels);
    EXPECT_EQ(header.channels().findChannel("A") != nullptr, channels == 4);
  }
}

TEST(Exr, TheSameLightGivesTheSameBytes) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_exr(folder / "one.exr", glare(64, 48, 4)));
  ASSERT_TRUE(write_exr(folder / "two.exr", glare(64, 48, 4)));
  EXPECT_EQ(text_in(folder / "one.exr"), text_in(folder / "two.exr"));
  EXPECT_EQ(folder.names(), (std::set<std::string>{"one.exr", "two.exr"}));
}

TEST(Exr, TooBrightIsAsBrightAsCanBe) {
  const TemporaryFolder folder;
  LightImage image = glare(1, 1, 3);
  image.values = {1e30f, std::numeric_limits<float>::infinity(), 0};
  ASSERT_TRUE(write_exr(folder / "sun.exr", image));
  EXPECT_EQ(read_back(folder / "sun.exr", 3).values, (std::vector<float>{65504, 65504, 0}));
}

TEST(Exr, AFullDiskIsSaid) {
  const TemporaryFolder folder;
  write_text(folder / "light.exr", "old");
  const LightImage image = glare(64, 48, 4);
  ASSERT_TRUE(write_exr(folder / "whole.exr", image));
  const std::size_t size = text_in(folder / "whole.exr").size();
  for (const std::size_t room : {std::size_t(100), size / 2, size - 1}) {
    const FullDisk full(room);
    const Result<void> written = write_exr(folder / "light.exr", image);
    ASSERT_FALSE(written) << room;
    EXPECT_EQ(written.error().code, ErrorCode::resources);
    EXPECT_NE(written.error().message.find("light.exr"), std::string::npos) << written.error().message;
  }
  EXPECT_EQ(text_in(folder / "light.exr"), "old");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"light.exr", "whole.exr"}));
  EXPECT_FALSE(write_exr(folder / "nosuch/light.exr", image));
}

}  // namespace
}  // namespace whorl
