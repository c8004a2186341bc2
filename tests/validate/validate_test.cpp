// The table of outside answers: which rows pass, which cases run, and what is told of them.
#include "validate/validate.h"
#include "validate/markdown.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace whorl {
namespace {

TEST(ValidationRow, PassesWithinItsLimit) {
  const auto passes = [](RowLimit limit, double value, double reference, double tolerance = 0) {
    return ValidationRow{"", limit, reference, value, tolerance}.passes();
  };
  EXPECT_TRUE(passes(RowLimit::relative, 2.1, 2, 0.06));
  EXPECT_FALSE(passes(RowLimit::relative, 2.1, 2, 0.04));
  EXPECT_TRUE(passes(RowLimit::relative, -2.1, -2, 0.06));
  EXPECT_FALSE(passes(RowLimit::relative, 2, -2, 0.06));
  EXPECT_TRUE(passes(RowLimit::absolute, -0.1, 0, 0.11));
  EXPECT_FALSE(passes(RowLimit::absolute, -0.1, 0, 0.09));
  EXPECT_TRUE(passes(RowLimit::at_most, 3, 3));
  EXPECT_FALSE(passes(RowLimit::at_most, 3.01, 3));
  EXPECT_TRUE(passes(RowLimit::at_least, 3, 3));
  EXPECT_FALSE(passes(RowLimit::at_least, 2.99, 3));
  for (const RowLimit limit : {RowLimit::relative, RowLimit::absolute, RowLimit::at_most, RowLimit::at_least})
    EXPECT_FALSE(passes(limit, NAN, 3, 1e9));
}

TEST(ValidationRow, IsToldAsPeopleReadIt) {
  const RowTexts relative = texts_of({"", RowLimit::relative, 0.5, 0.51, 0.1});
  EXPECT_EQ(relative.reference, "0.5");
  EXPECT_EQ(relative.value, "0.51");
  EXPECT_EQ(relative.error, "+2 %");
  EXPECT_EQ(relative.tolerance, "10 %");
  const RowTexts most = texts_of({"", RowLimit::at_most, 12, 9});
  EXPECT_EQ(most.reference, "≤ 12");
  EXPECT_EQ(most.error + most.tolerance, "");
}

TEST(Findings, TellOnceWhatDoesNotHold) {
  Findings found;
  found.require_solved(true);
  EXPECT_TRUE(found.rows().empty());
  for (int k = 0; k < 3; ++k) found.require_solved(false);
  ASSERT_EQ(found.rows().size(), 1u);
  EXPECT_FALSE(found.rows()[0].passes());
}

TEST(Findings, WhatIsNoNumberIsWorst) {
  EXPECT_EQ(worse(1, 2), 2);
  EXPECT_EQ(worse(2, 1), 2);
  EXPECT_TRUE(std::isnan(worse(NAN, 1)));
  EXPECT_TRUE(std::isnan(worse(1, NAN)));
}

const ValidationCase made_up[] = {
    {"X-1", "sums", "one and one", "arithmetic", 1,
     [](Findings& found) {
       found.near("1 + 1", 1 + 1, 2, 0);
       found.plot("sums", {.title = "Sums", .series = {{"all", {{0, 1}, {1, 2}}}}});
     }},
    {"X-2", "sums", "one and two", "arithmetic", 1,
     [](Findings& found) { found.near("1 + 2", 1 + 2, 4, 0.1); }},
    {"X-3", "powers", "two to the tenth", "arithmetic", 100,
     [](Findings& found) { found.within("2^10", std::pow(2, 10), 1024, 0); }},
};
const ValidationCase empty = {"X-4", "none", "nothing at all", "silence", 1, [](Findings&) {}};
const ValidationCase barred = {"X-5",      "none", "a bar",
                               "geometry", 1,      [](Findings& found) { found.at_most("|u|", 1, 2); }};

// The names of the cases that would be run, and in brackets those that would not.
std::string chosen(const std::vector<std::string>& names, bool all = false) {
  const auto choice = choose_cases(made_up, names, all);
  if (!choice) return choice.error().message;
  std::string text;
  for (const auto& [of, run] : choice.value()) text += run ? of->name + " " : "(" + of->name + ") ";
  return text;
}

TEST(Validate, SlowCasesRunIfNamedOrAskedFor) {
  EXPECT_EQ(chosen({}), "X-1 X-2 (X-3) ");
  EXPECT_EQ(chosen({}, true), "X-1 X-2 X-3 ");
  EXPECT_EQ(chosen({"sums"}), "X-1 X-2 ");
  EXPECT_EQ(chosen({"powers"}), "(X-3) ");
  EXPECT_EQ(chosen({"x-3", "X-1"}), "X-1 X-3 ");
}

TEST(Validate, UnknownNamesAreErrors) {
  const auto choice = choose_cases(made_up, std::vector<std::string>{"X-1", "sum"}, false);
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::usage);
  EXPECT_NE(choice.error().message.find("'sum'; did you mean 'sums'?"), std::string::npos)
      << choice.error().message;
}

std::vector<CaseOutcome> outcomes_of_cases(std::span<const CaseChoice> choice, std::string* told = nullptr) {
  std::FILE* out = std::tmpfile();
  std::vector<CaseOutcome> outcomes = run_cases(choice, out);
  std::string text(std::size_t(std::ftell(out)), ' ');
  std::rewind(out);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), out), text.size());
  std::fclose(out);
  if (told) *told = text;
  return outcomes;
}

std::vector<CaseOutcome> outcomes_of(const std::vector<std::string>& names, std::string* told = nullptr) {
  return outcomes_of_cases(choose_cases(made_up, names, false).value(), told);
}

std::string text_of(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// A check that has gone missing must not pass.
TEST(Validate, ACaseThatFindsNothingFails) {
  std::string told;
  const std::vector<CaseChoice> choice = {{&empty, true}};
  const Result<void> verdict = judge(outcomes_of_cases(choice, &told));
  ASSERT_FALSE(verdict);
  EXPECT_NE(verdict.error().message.find("X-4 (it has found nothing)"), std::string::npos);
  EXPECT_NE(told.find("X-4    nothing at all: it has found nothing  FAIL"), std::string::npos) << told;
  EXPECT_TRUE(judge(outcomes_of_cases(std::vector<CaseChoice>{{&empty, false}})));
}

TEST(Validate, ARowThatFailsIsExitCodeFour) {
  EXPECT_TRUE(judge(outcomes_of({"X-1"})));
  const Result<void> verdict = judge(outcomes_of({}));
  ASSERT_FALSE(verdict);
  EXPECT_EQ(int(verdict.error().code), 4);
  EXPECT_NE(verdict.error().message.find("X-2 (1 + 2)"), std::string::npos) << verdict.error().message;
}

TEST(Validate, TellsEveryRowAndWhatWasNotRun) {
  std::string told;
  outcomes_of({}, &told);
  for (const char* words :
       {"X-1    1 + 1 ", "pass", "-25 %", "FAIL", "two to the tenth: not run; takes 100 s; --all",
        "1 of 2 rows passed, 1 case not run, in "})
    EXPECT_NE(told.find(words), std::string::npos) << words << " in\n" << told;
}

TEST(Validate, WritesAPageWithPlots) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "whorl_validate_page";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(write_markdown(folder / "sums.md", outcomes_of({})));
  const std::string page = text_of(folder / "sums.md");
  for (const char* words : {"## X-1: one and one", "| 1 + 1 | 2 | 2 | +0 % | 0 % | pass |", "**fail**",
                            "Not run", "(images/sums/sums.svg)"})
    EXPECT_NE(page.find(words), std::string::npos) << words << " in\n" << page;
  EXPECT_TRUE(std::filesystem::exists(folder / "images/sums/sums.svg"));
  ASSERT_TRUE(write_markdown(folder / "bar.md", outcomes_of_cases(std::vector<CaseChoice>{{&barred, true}})));
  EXPECT_NE(text_of(folder / "bar.md").find("\n| \\|u\\| | ≤ 2 |"), std::string::npos)
      << text_of(folder / "bar.md");
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(write_markdown(folder / "nosuch" / "sums.md", outcomes_of({"X-2"})));
}

TEST(Validate, CasesSayWhatTheyAre) {
  for (const ValidationCase& c : validation_cases()) {
    EXPECT_FALSE(c.name.empty() || c.group.empty() || c.title.empty() || c.source.empty());
    EXPECT_GT(c.seconds, 0) << c.title;
  }
}

}  // namespace
}  // namespace whorl
