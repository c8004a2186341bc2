// Other programs run, and a film of five frames has five frames.
#include "io/video.h"
#include "io/png.h"
#include "io/process.h"
#include "io/temporary_folder.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

ProcessOutcome run(const std::vector<std::string>& words) {
  const auto outcome = run_process(words);
  EXPECT_TRUE(outcome) << words[0];
  return outcome ? outcome.value() : ProcessOutcome{};
}

bool installed(const char* program) { return bool(run_process({program, "-version"})); }

TEST(Process, OutputAndExitCode) {
  const ProcessOutcome outcome = run({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.output, "out\nerr\n");
  EXPECT_EQ(run({"sh", "-c", "kill -TERM $$"}).exit_code, 128 + 15);
  EXPECT_EQ(run({"seq", "100000"}).output.size(), 588895u);  // more than a pipe holds
}

TEST(Process, WordsGoThroughAsTheyAre) {
  EXPECT_EQ(run({"printf", "%s|", "a b", "'c'", "$(d)", "*", ""}).output, "a b|'c'|$(d)|*||");
}

TEST(Process, ReadsNothingAndHasAGroupOfItsOwn) {
  EXPECT_EQ(run({"cat"}).output, "");
  const std::string ids = run({"sh", "-c", "echo $$ $(cut -d' ' -f5 /proc/$$/stat)"}).output;
  EXPECT_EQ(ids.substr(0, ids.find(' ')) + "\n", ids.substr(ids.find(' ') + 1));
}

TEST(Process, ThatIsNotThere) {
  const auto outcome = run_process({"whorl-has-no-such-program"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::resources);
  EXPECT_NE(outcome.error().message.find("whorl-has-no-such-program"), std::string::npos);
}

void write_frames(const std::string& folder, const std::string& stem, int first, int last) {
  for (int frame = first; frame <= last; ++frame) {
    Image image(33, 21);
    for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = std::uint8_t(i * std::size_t(frame));
    char number[16];
    std::snprintf(number, sizeof number, "%04d", frame);
    ASSERT_TRUE(write_png(folder + "/" + stem + "." + number + ".png", image));
  }
}

TEST(Video, FiveFrames) {
  if (!installed("ffmpeg")) GTEST_SKIP() << "there is no ffmpeg";
  const TemporaryFolder folder;
  const std::string pictures = folder / "-a folder: 50%d";
  std::filesystem::create_directory(pictures);
  write_frames(pictures, "plume %04d", 8, 13);  // one more than is asked for
  const auto written = write_video(pictures + "/film.mp4", pictures, "plume %04d", 8, 12, 23.976);
  ASSERT_TRUE(written) << written.error().message;
  const std::string bytes = text_in(pictures + "/film.mp4");
  EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));

  ASSERT_TRUE(write_video(folder / "again.mp4", pictures, "plume %04d", 8, 12, 23.976));
  EXPECT_TRUE(bytes == text_in(folder / "again.mp4")) << "the same frames make another file";
  EXPECT_EQ(folder.names(), (std::set<std::string>{"-a folder: 50%d", "again.mp4"}));

  if (!installed("ffprobe")) GTEST_SKIP() << "there is no ffprobe";
  const std::string fields =
      run({"ffprobe", "-v", "error", "-count_frames", "-of", "default=nw=1", "-show_entries",
           "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames,color_space",
           folder / "again.mp4"})
          .output;
  for (const char* wanted : {"codec_name=h264", "width=34", "height=22", "pix_fmt=yuv420p",
                             "nb_read_frames=5", "r_frame_rate=2997/125", "color_space=bt709"})
    EXPECT_NE(fields.find(std::string(wanted) + "\n"), std::string::npos) << wanted << " in\n" << fields;
}

TEST(Video, AMissingFrameIsAnError) {
  const TemporaryFolder folder;
  write_frames(folder / ".", "plume", 1, 3);
  std::filesystem::remove(folder / "plume.0002.png");
  const auto written = write_video(folder / "film.mp4", folder / ".", "plume", 1, 3, 24);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::usage);
  EXPECT_NE(written.error().message.find("plume.0002.png"), std::string::npos) << written.error().message;
  EXPECT_FALSE(write_video(folder / "film.mp4", folder / ".", "plume", 3, 2, 24));
}

TEST(Video, FfmpegsFailureIsShown) {
  if (!installed("ffmpeg")) GTEST_SKIP() << "there is no ffmpeg";
  const TemporaryFolder folder;
  write_text(folder / "plume.0001.png", "no picture");
  write_text(folder / "film.mp4", "old");
  const auto written = write_video(folder / "film.mp4", folder / ".", "plume", 1, 1, 24);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::resources);
  EXPECT_EQ(written.error().message.find('\n'), std::string::npos) << written.error().message;
  EXPECT_EQ(text_in(folder / "film.mp4"), "old");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"film.mp4", "plume.0001.png"}));
}

TEST(Video, WithoutFfmpeg) {
  const TemporaryFolder folder;
  write_frames(folder / ".", "plume", 1, 1);
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  setenv("PATH", (folder / ".").c_str(), 1);
  const auto written = write_video(folder / "film.mp4", folder / ".", "plume", 1, 1, 24);
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::resources);
  EXPECT_NE(written.error().message.find("Debian: ffmpeg"), std::string::npos) << written.error().message;
}

}  // namespace
}  // namespace whorl
