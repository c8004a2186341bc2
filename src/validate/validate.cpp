#include "validate/validate.h"
#include "scene/problem.h"

#include <algorithm>
#include <cctype>
#include <chrono>

#include <fmt/format.h>

namespace whorl {

namespace {

bool same_name(const std::string& a, const std::string& b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

Error unknown(const std::string& name, std::span<const ValidationCase> cases) {
  std::vector<std::string> known;
  for (const std::string ValidationCase::*words : {&ValidationCase::name, &ValidationCase::group})
    for (const ValidationCase& c : cases)
      if (std::ranges::find(known, c.*words) == known.end()) known.push_back(c.*words);
  const std::string near = nearest_name(name, known);
  return {ErrorCode::usage,
          fmt::format("there is no case or group '{}'{} (there are: {}); try 'whorl validate --list'", name,
                      near.empty() ? "" : fmt::format("; did you mean '{}'?", near), fmt::join(known, ", "))};
}

constexpr const char* columns = "{:<6} {:<52} {:>11} {:>11} {:>10} {:>8}  {}\n";

void print(std::FILE* out, const std::string& line) {
  std::fwrite(line.data(), 1, line.size(), out);
  std::fflush(out);
}

void print_row(std::FILE* out, const std::string& name, const ValidationRow& row) {
  const RowTexts texts = texts_of(row);
  print(out, fmt::format(columns, name, row.what, texts.reference, texts.value, texts.error, texts.tolerance,
                         row.passes() ? "pass" : "FAIL"));
}

template <class F>
void for_each_row(std::span<const CaseOutcome> outcomes, const F& f) {
  for (const CaseOutcome& outcome : outcomes)
    if (outcome.found)
      for (const ValidationRow& row : outcome.found->rows()) f(*outcome.of, row);
}

}  // namespace

Result<std::vector<CaseChoice>> choose_cases(std::span<const ValidationCase> cases,
                                             std::span<const std::string> names, bool all) {
  for (const std::string& name : names)
    if (std::ranges::none_of(cases, [&](const ValidationCase& c) {
          return same_name(name, c.name) || same_name(name, c.group);
        }))
      return unknown(name, cases);
  std::vector<CaseChoice> choice;
  for (const ValidationCase& c : cases) {
    const bool named = std::ranges::any_of(names, [&](const auto& name) { return same_name(name, c.name); });
    const bool in_group = names.empty() || std::ranges::any_of(names, [&](const auto& name) {
                            return same_name(name, c.group);
                          });
    if (named || in_group) choice.push_back({&c, named || all || c.quick()});
  }
  return choice;
}

std::vector<CaseOutcome> run_cases(std::span<const CaseChoice> choice, std::FILE* out) {
  const auto start = std::chrono::steady_clock::now();
  print(out, fmt::format(columns, "test", "what", "reference", "Whorl", "error", "allowed", "result"));
  std::vector<CaseOutcome> outcomes;
  for (const auto& [of, run] : choice) {
    outcomes.push_back({of, {}});
    if (run) {
      outcomes.back().found.emplace(
          [out, of = of](const ValidationRow& row) { print_row(out, of->name, row); });
      of->run(*outcomes.back().found);
      if (outcomes.back().found->rows().empty())
        print(out, fmt::format("{:<6} {}: it has found nothing  FAIL\n", of->name, of->title));
    } else {
      print(out, fmt::format("{:<6} {}: not run; takes {:.0f} s; --all\n", of->name, of->title, of->seconds));
    }
  }
  int rows = 0, passed = 0;
  for_each_row(outcomes,
               [&](const ValidationCase&, const ValidationRow& row) { ++rows, passed += row.passes(); });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const auto left = std::ranges::count_if(choice, [](const CaseChoice& c) { return !c.run; });
  print(out, fmt::format("{} of {} rows passed{} in {:.1f} s\n", passed, rows,
                         left ? fmt::format(", {} case{} not run,", left, left == 1 ? "" : "s") : "",
                         taken.count()));
  return outcomes;
}

Result<void> judge(std::span<const CaseOutcome> outcomes) {
  std::vector<std::string> failed;
  for (const CaseOutcome& outcome : outcomes)
    if (outcome.found && outcome.found->rows().empty())
      failed.push_back(fmt::format("{} (it has found nothing)", outcome.of->name));
  for_each_row(outcomes, [&](const ValidationCase& c, const ValidationRow& row) {
    if (!row.passes()) failed.push_back(fmt::format("{} ({})", c.name, row.what));
  });
  if (failed.empty()) return {};
  return Error{
      ErrorCode::diverged,
      fmt::format("{} failed: {}", failed.size() == 1 ? "one row" : fmt::format("{} rows", failed.size()),
                  fmt::join(failed, "; "))};
}

}  // namespace whorl
