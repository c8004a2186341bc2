// Every key of a scene with its value as text, defaults among them: two scenes with the same texts are the
// same scene, and where they are not, the texts say what differs.
#pragma once

#include "scene/config.h"
#include "scene/key.h"

#include <string>
#include <vector>

namespace whorl {

struct KeyText {
  std::string key;   // entries of lists by their numbers: "source.0.start"
  std::string text;  // as TOML; a key that has no value is left out
  KeyUse use;
};

// The files of meshes by their whole paths.
std::vector<KeyText> key_texts(const SceneConfig& scene);

}  // namespace whorl
