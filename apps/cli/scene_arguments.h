// What the commands that simulate a scene have in common.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

inline constexpr int most_frames = 100000;  // of time.frames as well

// "24" or "1-24": the first and the last. Nothing for what is neither.
struct FrameRange {
  int first = 1, last = 0;
};
std::optional<FrameRange> parse_frames(const std::string& text);
// "30" is that frame alone.
std::optional<FrameRange> parse_some_frames(const std::string& text);

struct SceneArguments {
  std::string scene;
  std::string output;  // a folder
  std::string frames;
  int threads = 0;
  std::string resolution;
  std::vector<std::string> overrides;

  int last_frame() const;                          // 0: what the scene says
  std::vector<std::string> all_overrides() const;  // with the resolution
};

// A scene, where to write, and how fine; and …
void add_scene_arguments(CLI::App& command, SceneArguments& arguments);
// … what may also be said of a run that is there: threads and other values, …
void add_repeated_arguments(CLI::App& command, SceneArguments& arguments);
// … other values alone, …
void add_overrides(CLI::App& command, std::vector<std::string>& overrides);
// … and which of its frames.
void add_some_frames(CLI::App& command, std::string& frames);
