#include "io/video.h"

#include "io/file.h"
#include "io/process.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace whorl {

namespace {

// A name as ffmpeg's patterns have it, in which % begins a number.
std::string escaped(const std::string& name) {
  std::string out;
  for (const char c : name) out.append(c == '%' ? 2 : 1, c);
  return out;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \r\n");
  if (end == std::string::npos) return "it did not say why";
  const std::size_t before = text.find_last_of('\n', end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, end + 1 - begin);
}

}  // namespace

Result<void> write_video(const std::string& path, const std::string& folder, const std::string& stem,
                         int first_frame, int last_frame, double fps) {
  if (last_frame < first_frame) return Error{ErrorCode::usage, fmt::format("no frames to make {} of", path)};
  for (int frame = first_frame; frame <= last_frame; ++frame) {  // ffmpeg would end at a gap without a word
    const std::string picture = fmt::format("{}/{}.{:04}.png", folder, stem, frame);
    std::error_code failed;
    if (!std::filesystem::exists(picture, failed))
      return Error{ErrorCode::usage, fmt::format("cannot make {}: there is no {}", path, picture)};
  }

  return write_whole(path, [&](const std::string& file) -> Result<void> {
    const auto made = run_process(
        {"ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error", "-y",
         // "file:" keeps a colon or a dash in a name from being read as a protocol or an option.
         "-f", "image2", "-framerate", fmt::format("{}", fps), "-start_number", std::to_string(first_frame),
         "-i", fmt::format("file:{}/{}.%04d.png", escaped(folder), escaped(stem)), "-frames:v",
         std::to_string(last_frame - first_frame + 1),
         // Even sides, which 4:2:0 needs, and the colours of HD, which players take for granted.
         "-vf",
         "pad=ceil(iw/2)*2:ceil(ih/2)*2,"
         "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int+bitexact,"
         "format=yuv420p",
         "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
         "-c:v", "libx264", "-preset", "medium", "-crf", "17",
         // x264's bits depend on how many threads it has; the file's on when it was made.
         "-threads", "4", "-flags:v", "+bitexact", "-fflags", "+bitexact", "-map_metadata", "-1", "-movflags",
         "+faststart", "-f", "mp4", "file:" + file});
    if (!made)
      return Error{ErrorCode::resources,
                   fmt::format("cannot make {} without the ffmpeg program (Debian: ffmpeg): {}", path,
                               made.error().message)};
    if (made.value().exit_code == 0) return {};
    return Error{ErrorCode::resources, fmt::format("cannot make {}: ffmpeg failed ({}): {}", path,
                                                   made.value().exit_code, last_line(made.value().output))};
  });
}

}  // namespace whorl
