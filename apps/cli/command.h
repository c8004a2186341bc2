// What the commands share.
#pragma once

#include <whorl/error.h>

#include <functional>
#include <string>

namespace CLI {
class App;  // <CLI/CLI.hpp> takes seconds to compile, so only what adds options includes it
}

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> execute;  // returns the exit code
};

Command add_run(CLI::App& app);
Command add_plan(CLI::App& app);
Command add_render(CLI::App& app);
Command add_export(CLI::App& app);
Command add_info(CLI::App& app);
Command add_check(CLI::App& app);
Command add_help_scene(CLI::App& app);
Command add_new(CLI::App& app);
Command add_bench(CLI::App& app);
Command add_validate(CLI::App& app);

// The message on standard error: what is wrong with a scene as it is, anything else as Whorl's own.
// Returns the exit code.
int fail(const whorl::Error& error);

// CLI11's own check of a range answers with the largest double in full.
std::string check_count(const std::string& text);
