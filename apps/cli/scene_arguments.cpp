#include "scene_arguments.h"

#include "command.h"

#include <charconv>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

std::string check_frames(const std::string& text) {
  const std::optional<FrameRange> range = parse_frames(text);
  if (!range) return fmt::format("'{}' is neither a number of frames nor a range such as 1-24", text);
  if (range->first == 1) return {};
  return fmt::format(
      "'{}' starts after frame 1; `whorl run --from-frame {} --frames {}` goes on from a checkpoint of an "
      "earlier run",
      text, range->first - 1, range->last);
}

std::string check_some_frames(const std::string& text) {
  return parse_frames(text) ? "" : fmt::format("'{}' is neither a frame nor a range such as 1-24", text);
}

}  // namespace

std::optional<FrameRange> parse_frames(const std::string& text) {
  const auto number = [](std::string_view digits) {
    int value = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = failed == std::errc() && end == digits.data() + digits.size();
    return whole && value >= 1 && value <= most_frames ? value : 0;
  };
  const std::size_t dash = text.find('-');
  FrameRange range;
  if (dash != std::string::npos) range.first = number(std::string_view(text).substr(0, dash));
  range.last = number(std::string_view(text).substr(dash == std::string::npos ? 0 : dash + 1));
  if (range.first < 1 || range.last < range.first) return {};
  return range;
}

std::optional<FrameRange> parse_some_frames(const std::string& text) {
  std::optional<FrameRange> range = parse_frames(text);
  if (range && text.find('-') == std::string::npos) range->first = range->last;
  return range;
}

int SceneArguments::last_frame() const {
  const std::optional<FrameRange> range = parse_frames(frames);
  return range ? range->last : 0;
}

std::vector<std::string> SceneArguments::all_overrides() const {
  std::vector<std::string> all = overrides;
  if (!resolution.empty()) all.push_back("grid.resolution=" + resolution);
  return all;
}

void add_repeated_arguments(CLI::App& command, SceneArguments& arguments) {
  command
      .add_option("--threads", arguments.threads,
                  "Else one for each core it may use; the result does not depend on it")
      ->type_name("N")
      ->check(CLI::Validator(check_count, ""));
  add_overrides(command, arguments.overrides);
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "Put a value in the place of the scene's; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_some_frames(CLI::App& command, std::string& frames) {
  command.add_option("--frames", frames, "This frame, or those from A to B, in the place of all")
      ->type_name("N or A-B")
      ->check(CLI::Validator(check_some_frames, ""));
}

void add_scene_arguments(CLI::App& command, SceneArguments& arguments) {
  command.add_option("SCENE", arguments.scene, "A scene file")->required();
  command
      .add_option("-o,--output", arguments.output, "The folder to write to; else out/ and the scene's name")
      ->type_name("DIR");
  command.add_option("--resolution", arguments.resolution, "Cells along the longest side of the domain")
      ->type_name("N")
      ->check(CLI::Validator(check_count, ""));
  command.add_option("--frames", arguments.frames, "How many frames, in the place of the scene's own number")
      ->type_name("N or 1-N")
      ->check(CLI::Validator(check_frames, ""));
  add_repeated_arguments(command, arguments);
}
