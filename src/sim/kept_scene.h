// The copy of a scene that a run's folder keeps: the file's text, and on top of it, as comments, what the
// command line said. Whatever reads the copy as a scene goes by both.
//
//   # The scene of a run, kept by whorl 0.1.0, and its command line, which overrides what is below:
//   #   --set name="plume"
//   #   --set grid.resolution=64
//   #   --frames 10
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace whorl {

struct KeptScene {
  std::string text;  // of the file, without the comments on top
  std::vector<std::string> overrides;
  std::string name;
  int last_frame = 0;
};

std::string kept_text(const KeptScene& scene);

// Nothing for a text that is not of a run.
std::optional<KeptScene> parse_kept(const std::string& text);

// The values to put into a scene's text: those given, and of a run's copy its own, where none is given for
// the same key.
std::vector<std::string> with_kept(const std::string& text, const std::vector<std::string>& given);

}  // namespace whorl
