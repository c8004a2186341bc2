#include "sim/scene_keys.h"

#include "grid/archive.h"
#include "scene/key_texts.h"
#include "sim/run_folder.h"

#include <algorithm>

#include <fmt/format.h>

namespace whorl {

std::string key_line(std::string_view key, std::string_view text) {
  return fmt::format("{} = {}\n", key, text);
}

std::string key_lines(Exec& ex, const SceneConfig& scene, bool KeyUse::*part) {
  std::string lines;
  for (const KeyText& entry : key_texts(scene)) {
    if (!(entry.use.*part)) continue;
    std::string text = entry.text;
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (entry.key.ends_with(".mesh.file"))
      if (const Result<std::string> file = read_text(text.substr(1, text.size() - 2)))
        text =
            fmt::format("a file of hash {:016x}", hash_bytes(ex, file.value().data(), file.value().size()));
    lines += key_line(entry.key, text);
  }
  return lines;
}

}  // namespace whorl
