#include "validate/validate.h"
#include "command.h"
#include "text.h"
#include "validate/markdown.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

struct ValidateOptions {
  std::vector<std::string> names;
  std::string markdown;
  bool all = false;
  bool list = false;
};

void list(std::span<const whorl::CaseChoice> choice) {
  for (const auto& [of, run] : choice)
    put(stdout,
        fmt::format("{:<6} {:<10} {:>10}  {}\n", of->name, of->group, duration_text(of->seconds), of->title));
}

int validate(const ValidateOptions& options) {
  const auto choice = whorl::choose_cases(whorl::validation_cases(), options.names, options.all);
  if (!choice) return fail(choice.error());
  if (options.list) {
    list(choice.value());
    return 0;
  }
  if (!options.markdown.empty())  // before anything takes its time
    if (const auto room = whorl::make_room_for_markdown(options.markdown); !room) return fail(room.error());
  const std::vector<whorl::CaseOutcome> outcomes = whorl::run_cases(choice.value(), stdout);
  if (!options.markdown.empty())
    if (const auto written = whorl::write_markdown(options.markdown, outcomes); !written)
      return fail(written.error());
  const whorl::Result<void> verdict = whorl::judge(outcomes);
  return verdict ? 0 : fail(verdict.error());
}

}  // namespace

Command add_validate(CLI::App& app) {
  const auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = app.add_subcommand(
      "validate", "Compare Whorl with outside answers: theory, measurements and other programs");
  command->add_option("NAME", options->names, "Cases or groups of them, such as V-B1 or liquid; all without");
  command->add_flag("--all", options->all, "Run the slow cases, too; a case that is named runs anyway");
  command->add_option("--markdown", options->markdown, "Write the table to this file, and plots beside it")
      ->type_name("FILE");
  command->add_flag("--list", options->list, "What there is, and how long it takes");
  return {command, [options] { return validate(*options); }};
}
