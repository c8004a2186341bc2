// Scenes: TOML files that say what to simulate.
#pragma once

#include "whorl/error.h"

#include <memory>
#include <string>
#include <vector>

namespace whorl {

struct SceneContent;  // Whorl's own

// A scene that was read and found valid. Copies share it.
class SceneFile {
 public:
  // `overrides` ("time.fps=30") go on top of what the file says; the scene.toml of a run has those of its own
  // command line, too. An error's message tells everything that is wrong, a line each.
  static Result<SceneFile> load(const std::string& path, const std::vector<std::string>& overrides = {});
  // The same from a text; `source` is what messages call it.
  static Result<SceneFile> parse(const std::string& text, const std::string& source,
                                 const std::vector<std::string>& overrides = {});
  // The same of a run that has been made, perhaps on a larger machine: how much memory it takes is not asked.
  static Result<SceneFile> parse_made(const std::string& text, const std::string& source,
                                      const std::vector<std::string>& overrides = {});

  const std::string& name() const;  // what its files are called
  int dimension() const;            // 2 or 3
  int frames() const;               // frame n shows the time n / fps; the first is 1
  double fps() const;
  bool wants_vdb() const;
  bool wants_images() const;
  bool wants_exr() const;
  bool wants_meshes() const;
  bool wants_particles() const;
  bool wants_whitewater() const;
  bool wants_video() const;

  const SceneContent& content() const { return *content_; }

 private:
  explicit SceneFile(std::shared_ptr<const SceneContent> content) : content_(std::move(content)) {}
  std::shared_ptr<const SceneContent> content_;
};

}  // namespace whorl
