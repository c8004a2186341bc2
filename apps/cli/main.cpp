// The command line. Exit codes are those of whorl::ErrorCode; each command has a file of its own.
#include "command.h"

#include <whorl/version.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace {

using whorl::ErrorCode;

// A file that opens as number 1 would otherwise be what standard output goes into.
void open_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(file, F_GETFD) < 0 && open("/dev/null", O_RDWR) != file) std::abort();
}

int execute(const Command& command) {
  try {
    return command.execute();
  } catch (const std::bad_alloc&) {
    return fail({ErrorCode::resources, "the memory is used up"});
  } catch (const std::exception& fault) {
    return fail({ErrorCode::internal, fmt::format("a fault of Whorl's own: {}", fault.what())});
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_files();
  CLI::App app("Whorl, a fluid simulator for computer graphics", "whorl");
  app.set_version_flag("--version", std::string("whorl ") + whorl::version());
  app.require_subcommand(0, 1);
  const Command commands[] = {add_run(app),   add_plan(app),    add_render(app),     add_export(app),
                              add_info(app),  add_check(app),   add_help_scene(app), add_new(app),
                              add_bench(app), add_validate(app)};
  const whorl::Error no_command{ErrorCode::usage, "no command given; try 'whorl --help'"};

  if (argc < 2) return fail(no_command);
  const std::string word = argv[1];
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.app->get_name());
  if (!word.starts_with('-') && std::ranges::find(names, word) == names.end())
    return fail({ErrorCode::usage, fmt::format("there is no command '{}' (commands: {}); try 'whorl --help'",
                                               word, fmt::join(names, ", "))});

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& wrong) {
    const std::string help = word.starts_with('-') ? "whorl --help" : "whorl " + word + " --help";
    return fail({ErrorCode::usage, fmt::format("{}; try '{}'", wrong.what(), help)});
  }
  for (const Command& command : commands)
    if (command.app->parsed()) return execute(command);
  return fail(no_command);
}
