// Files are whole or not there, and a picture that is written can be read.
#include "io/file.h"
#include "io/png.h"
#include "io/temporary_folder.h"

#include <gtest/gtest.h>

#include <png.h>
#include <unistd.h>

#include <new>

namespace whorl {
namespace {

TEST(File, AppearsWhole) {
  const TemporaryFolder folder;
  write_text(folder / "frame", "old");
  const auto written = write_whole(folder / "frame", [&](const std::string& temporary) -> Result<void> {
    EXPECT_NE(temporary, folder / "frame");
    write_text(temporary, "new");
    EXPECT_EQ(text_in(folder / "frame"), "old");
    return {};
  });
  EXPECT_TRUE(written);
  EXPECT_EQ(text_in(folder / "frame"), "new");
  EXPECT_EQ(folder.names(), std::set<std::string>{"frame"});
}

TEST(File, FailureKeepsTheOldOneAndLeavesNothingElse) {
  const TemporaryFolder folder;
  write_text(folder / "frame", "old");
  for (const char* name : {"frame", "another"}) {
    const auto written = write_whole(folder / name, [&](const std::string& temporary) -> Result<void> {
      write_text(temporary, "half of the ne");
      return Error{ErrorCode::resources, "the disk is full"};
    });
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message, "the disk is full");
  }
  EXPECT_EQ(text_in(folder / "frame"), "old");
  EXPECT_EQ(folder.names(), std::set<std::string>{"frame"});
}

TEST(File, AWriterThatThrowsLeavesNothing) {
  const TemporaryFolder folder;
  const auto write = [&] {
    return write_whole(folder / "frame", [&](const std::string& temporary) -> Result<void> {
      write_text(temporary, "half");
      throw std::bad_alloc();
    });
  };
  EXPECT_THROW((void)write(), std::bad_alloc);
  EXPECT_TRUE(folder.names().empty());
}

TEST(File, AWriterThatWritesNothingIsAnError) {
  const TemporaryFolder folder;
  const auto written = write_whole(folder / "frame", [](const std::string&) { return Result<void>(); });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::resources);
  EXPECT_TRUE(folder.names().empty());
}

TEST(File, TextsAreWholeOrAbsent) {
  const TemporaryFolder folder;
  write_text(folder / "text", "old");
  EXPECT_TRUE(write_whole_text(folder / "text", "new\n"));
  EXPECT_EQ(text_in(folder / "text"), "new\n");
  const auto written = write_whole_text(folder / "nosuch/text", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::resources);
  EXPECT_NE(written.error().message.find("No such file"), std::string::npos) << written.error().message;
  EXPECT_EQ(folder.names(), std::set<std::string>{"text"});
}

TEST(File, FoldersThatCannotBe) {
  const TemporaryFolder folder;
  EXPECT_TRUE(make_folder(folder / "a/b/c"));
  EXPECT_TRUE(make_folder(folder / "a/b/c"));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
  write_text(folder / "file", "");
  for (const char* name : {"file", "file/below"}) {
    const auto made = make_folder(folder / name);
    ASSERT_FALSE(made) << name;
    EXPECT_EQ(made.error().code, ErrorCode::resources);
    EXPECT_NE(made.error().message.find(folder / name), std::string::npos) << made.error().message;
  }
  if (geteuid() != 0) {  // who may write anywhere
    std::filesystem::permissions(folder / "a/b", std::filesystem::perms::owner_read);
    EXPECT_FALSE(make_folder(folder / "a/b"));
    std::filesystem::permissions(folder / "a/b", std::filesystem::perms::owner_all);
  }
}

Image gradient(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) image.pixel(x, y)[c] = std::uint8_t(17 * x + 29 * y + 101 * c);
  return image;
}

TEST(Png, RoundTrip) {
  const TemporaryFolder folder;
  const Image image = gradient(13, 7);
  ASSERT_TRUE(write_png(folder / "a picture.png", image));
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&png, (folder / "a picture.png").c_str()));
  EXPECT_EQ(png.format, png_uint_32(PNG_FORMAT_RGB));
  EXPECT_EQ(int(png.width), image.width);
  EXPECT_EQ(int(png.height), image.height);
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(png));
  ASSERT_TRUE(png_image_finish_read(&png, nullptr, rgb.data(), 0, nullptr));
  EXPECT_EQ(rgb, image.rgb);
}

TEST(Png, NowhereToWrite) {
  const TemporaryFolder folder;
  const auto written = write_png(folder / "nosuch/picture.png", gradient(2, 2));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::resources);
  EXPECT_NE(written.error().message.find("nosuch/picture.png"), std::string::npos) << written.error().message;
}

}  // namespace
}  // namespace whorl
