// check, help-scene and new: about scenes, without running them.
#include "command.h"
#include "scene/scene.h"
#include "scene_arguments.h"

#include <whorl/simulation.h>

#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

int print(const whorl::Result<std::string>& text) {
  if (!text) return fail(text.error());
  fmt::print("{}", text.value());
  return 0;
}

int check_scene(const std::string& file, const std::vector<std::string>& overrides) {
  const whorl::Result<whorl::SceneFile> scene = whorl::SceneFile::load(file, overrides);
  if (!scene) return fail(scene.error());
  // Formulas, and whether it fits, show when the first state is made.
  const auto simulation = whorl::Simulation::create(scene.value());
  if (!simulation) return fail(simulation.error());
  for (const std::string& warning : simulation.value().warnings())
    fmt::print(stderr, "whorl: warning: {}\n", warning);
  fmt::print("{}: nothing wrong with it\n", file);
  return 0;
}

struct HelpOptions {
  std::string key;
  bool markdown = false;
  bool schema = false;
};

int help_scene(const HelpOptions& options) {
  if (options.markdown) return print(whorl::reference_markdown());
  if (options.schema) return print(whorl::json_schema());
  return print(whorl::help_text(options.key));
}

}  // namespace

Command add_check(CLI::App& app) {
  const auto file = std::make_shared<std::string>();
  const auto overrides = std::make_shared<std::vector<std::string>>();
  CLI::App* check = app.add_subcommand("check", "Say what is wrong with a scene, all at once");
  check->add_option("SCENE", *file, "A scene file")->required();
  add_overrides(*check, *overrides);
  return {check, [file, overrides] { return check_scene(*file, *overrides); }};
}

Command add_help_scene(CLI::App& app) {
  const auto options = std::make_shared<HelpOptions>();
  CLI::App* help = app.add_subcommand("help-scene", "What a scene may say: all of it, a section or one key");
  help->add_option("KEY", options->key,
                   "A section, a key or a shape, such as smoke, time.fps or shape.torus");
  CLI::Option* markdown = help->add_flag("--markdown", options->markdown, "The whole reference, as Markdown");
  help->add_flag("--schema", options->schema, "A JSON schema of scenes, for editors")->excludes(markdown);
  return {help, [options] { return help_scene(*options); }};
}

Command add_new(CLI::App& app) {
  const auto solver = std::make_shared<std::string>("smoke");
  CLI::App* create = app.add_subcommand("new", "Print a commented scene to begin with");
  create->add_option("SOLVER", *solver, "What moves in it")->capture_default_str();
  return {create, [solver] { return print(whorl::starter_scene(*solver)); }};
}
