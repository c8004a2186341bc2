#include "command.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace {

using whorl::Error;
using whorl::ErrorCode;

struct BenchOptions {
  std::string name;
  std::string size;
  std::string json;
  std::string svg;
  std::string only;
  std::vector<std::string> threads;
};

// The benchmarks and their peers live in a program of their own, beside this one.
// Returns only if it could not be started.
Error run_bench(const BenchOptions& options) {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {ErrorCode::internal, "cannot find whorl-bench by /proc/self/exe: " + failed.message()};

  std::vector<std::string> words = {self.parent_path() / "whorl-bench", options.name};
  if (!options.size.empty()) words.insert(words.end(), {"--size", options.size});
  if (!options.json.empty()) words.insert(words.end(), {"--json", options.json});
  if (!options.svg.empty()) words.insert(words.end(), {"--svg", options.svg});
  if (!options.only.empty()) words.insert(words.end(), {"--only", options.only});
  if (!options.threads.empty()) words.push_back("--threads");
  words.insert(words.end(), options.threads.begin(), options.threads.end());

  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  return {ErrorCode::internal, fmt::format("cannot start {}: {}", words[0], std::strerror(errno))};
}

}  // namespace

Command add_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  const CLI::Validator count(check_count, "");
  CLI::App* bench = app.add_subcommand("bench", "Measure one part of Whorl, beside its peers if it has any");
  bench->add_option("NAME", options->name, "What to measure")->required();
  bench->add_option("--size", options->size, "Cells along each side")->type_name("N")->check(count);
  bench->add_option("--json", options->json, "Write the figures to this file as well")->type_name("FILE");
  bench->add_option("--svg", options->svg, "Draw the figures to this file, where there is a plot")
      ->type_name("FILE");
  bench->add_option("--only", options->only, "One of the solvers that are compared")->type_name("SOLVER");
  bench->add_option("--threads", options->threads, "Numbers of threads to measure with")
      ->type_name("N")
      ->check(count);
  return {bench, [options] { return fail(run_bench(*options)); }};
}
