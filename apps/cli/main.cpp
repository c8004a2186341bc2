// The command line. Exit codes are those of whorl::ErrorCode.
#include "scene/scene.h"

#include <whorl/error.h>
#include <whorl/version.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace {

using whorl::Error;
using whorl::ErrorCode;

int fail(const Error& error) {
  fmt::print(stderr, "whorl: {}\n", error.message);
  return int(error.code);
}

// CLI11's own check of a range answers with the largest double in full.
std::string check_count(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && text.size() < 10 && std::stol(text) > 0) return {};
  return fmt::format("'{}' is not a whole number from 1 to 999999999", text);
}

struct BenchOptions {
  std::string name;
  std::string size;
  std::string json;
  std::vector<std::string> threads;
};

CLI::App* add_bench(CLI::App& app, BenchOptions& options) {
  const CLI::Validator count(check_count, "");
  CLI::App* bench = app.add_subcommand("bench", "Measure one part of Whorl, beside its peers if it has any");
  bench->add_option("NAME", options.name, "What to measure")->required();
  bench->add_option("--size", options.size, "Cells along each side")->type_name("N")->check(count);
  bench->add_option("--json", options.json, "Write the figures to this file as well")->type_name("FILE");
  bench->add_option("--threads", options.threads, "Numbers of threads to measure with")
      ->type_name("N")
      ->check(count);
  return bench;
}

// The benchmarks and their peers live in a program of their own, beside this one.
// Returns only if it could not be started.
Error run_bench(const BenchOptions& options) {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {ErrorCode::internal, "cannot find whorl-bench by /proc/self/exe: " + failed.message()};

  std::vector<std::string> words = {self.parent_path() / "whorl-bench", options.name};
  if (!options.size.empty()) words.insert(words.end(), {"--size", options.size});
  if (!options.json.empty()) words.insert(words.end(), {"--json", options.json});
  if (!options.threads.empty()) words.push_back("--threads");
  words.insert(words.end(), options.threads.begin(), options.threads.end());

  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  return {ErrorCode::internal, fmt::format("cannot start {}: {}", words[0], std::strerror(errno))};
}

struct SceneOptions {
  std::string file;
  std::vector<std::string> overrides;
  std::string key;
  bool markdown = false;
  bool schema = false;
  std::string solver = "smoke";
};

CLI::App* add_check(CLI::App& app, SceneOptions& options) {
  CLI::App* check = app.add_subcommand("check", "Say what is wrong with a scene, all at once");
  check->add_option("SCENE", options.file, "A scene file")->required();
  check->add_option("--set", options.overrides, "Put a value in the place of the scene's")
      ->type_name("KEY=VALUE");
  return check;
}

CLI::App* add_help_scene(CLI::App& app, SceneOptions& options) {
  CLI::App* help = app.add_subcommand("help-scene", "What a scene may say: all of it, a section or one key");
  help->add_option("KEY", options.key, "A section, a key or a shape, such as smoke, time.fps or shape.torus");
  CLI::Option* markdown = help->add_flag("--markdown", options.markdown, "The whole reference, as Markdown");
  help->add_flag("--schema", options.schema, "A JSON schema of scenes, for editors")->excludes(markdown);
  return help;
}

CLI::App* add_new(CLI::App& app, SceneOptions& options) {
  CLI::App* create = app.add_subcommand("new", "Print a commented scene to begin with");
  create->add_option("SOLVER", options.solver, "What moves in it")->capture_default_str();
  return create;
}

int print(const whorl::Result<std::string>& text) {
  if (!text) return fail(text.error());
  fmt::print("{}", text.value());
  return 0;
}

int check_scene(const SceneOptions& options) {
  const whorl::Result<whorl::SceneConfig> scene = whorl::load_scene(options.file, options.overrides);
  if (!scene) {
    fmt::print(stderr, "{}\n", scene.error().message);
    return int(scene.error().code);
  }
  fmt::print("{}: nothing wrong with it\n", options.file);
  return 0;
}

int help_scene(const SceneOptions& options) {
  if (options.markdown) return print(whorl::reference_markdown());
  if (options.schema) return print(whorl::json_schema());
  return print(whorl::help_text(options.key));
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Whorl, a fluid simulator for computer graphics", "whorl");
  app.set_version_flag("--version", std::string("whorl ") + whorl::version());
  app.require_subcommand(0, 1);
  BenchOptions bench_options;
  SceneOptions scene_options;
  const CLI::App* check = add_check(app, scene_options);
  const CLI::App* reference = add_help_scene(app, scene_options);
  const CLI::App* create = add_new(app, scene_options);
  const CLI::App* bench = add_bench(app, bench_options);

  if (argc < 2) return fail({ErrorCode::usage, "no command given; try 'whorl --help'"});
  const std::string command = argv[1];
  const std::vector<std::string> commands = command_names(app);
  if (!command.starts_with('-') && std::ranges::find(commands, command) == commands.end()) {
    return fail({ErrorCode::usage, fmt::format("there is no command '{}' (commands: {}); try 'whorl --help'",
                                               command, fmt::join(commands, ", "))});
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& wrong) {
    const std::string help = command.starts_with('-') ? "whorl --help" : "whorl " + command + " --help";
    return fail({ErrorCode::usage, fmt::format("{}; try '{}'", wrong.what(), help)});
  }
  if (check->parsed()) return check_scene(scene_options);
  if (reference->parsed()) return help_scene(scene_options);
  if (create->parsed()) return print(whorl::starter_scene(scene_options.solver));
  if (bench->parsed()) return fail(run_bench(bench_options));
  return fail({ErrorCode::usage, "no command given; try 'whorl --help'"});
}
