#include "info.h"

#include "command.h"
#include "io/vdb_info.h"
#include "sim/scene_content.h"
#include "whorl/scene.h"

#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

using whorl::Error;
using whorl::ErrorCode;

struct Arguments {
  std::string path;
  bool json = false;
  bool hash = false;
};

int hash_volume(const Arguments& arguments) {
  const whorl::Result<std::uint64_t> hash = whorl::hash_vdb(arguments.path);
  if (!hash) return fail(hash.error());
  fmt::print(fmt::runtime(arguments.json ? "{{\"hash\":\"{:016x}\"}}\n" : "{:016x}\n"), hash.value());
  return 0;
}

int volume_info(const Arguments& arguments) {
  if (arguments.hash) return hash_volume(arguments);
  const whorl::Result<whorl::VdbInfo> info = whorl::read_vdb_info(arguments.path);
  if (!info) return fail(info.error());
  const std::string text = arguments.json ? whorl::to_json(info.value()) : whorl::to_text(info.value());
  fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
  return 0;
}

int scene_info(const Arguments& arguments) {
  const whorl::Result<whorl::SceneFile> scene = whorl::SceneFile::load(arguments.path);
  if (!scene) return fail(scene.error());
  const whorl::SceneConfig& config = scene.value().content().config;
  fmt::print("{}", arguments.json ? scene_json(config, arguments.path) : scene_text(config, arguments.path));
  return 0;
}

int run_info(const Arguments& arguments) {
  const whorl::Result<whorl::RunSummary> run = whorl::summarize_run(arguments.path);
  if (!run) return fail(run.error());
  fmt::print("{}", arguments.json ? run_json(run.value()) : run_text(run.value()));
  return 0;
}

int info(const Arguments& arguments) {
  const std::filesystem::path path(arguments.path);
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (!std::filesystem::exists(status))
    return fail({ErrorCode::usage, fmt::format("cannot read '{}': {}", arguments.path, failed.message())});
  if (path.extension() == ".vdb" && !is_directory(status)) return volume_info(arguments);
  if (arguments.hash)
    return fail(
        {ErrorCode::usage, fmt::format("--hash is for .vdb files, and '{}' is none", arguments.path)});
  if (is_directory(status)) return run_info(arguments);
  if (path.extension() == ".toml") return scene_info(arguments);
  return fail({ErrorCode::usage,
               fmt::format("'{}' is neither a scene (.toml), nor a volume (.vdb), nor the folder of a run",
                           arguments.path)});
}

}  // namespace

Command add_info(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("info", "Tell what is in a scene, a VDB file or the folder of a run");
  command->add_option("FILE_OR_DIR", arguments->path, "What to look at")->required();
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->add_flag("--hash", arguments->hash, "A hash of a VDB file's values, free of its metadata");
  return {command, [arguments] { return info(*arguments); }};
}
