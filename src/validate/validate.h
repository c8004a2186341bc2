// Runs the cases with outside answers and tells what they find.
#pragma once

#include "validate/case_list.h"
#include "whorl/error.h"

#include <cstdio>
#include <optional>
#include <vector>

namespace whorl {

// A case of the table: what was found, or nothing where it was not run.
struct CaseOutcome {
  const ValidationCase* of;
  std::optional<Findings> found;
};

struct CaseChoice {
  const ValidationCase* of;
  bool run;
};

// Those with these names or in these groups; without names all. Slow ones are run only if named or if `all`.
Result<std::vector<CaseChoice>> choose_cases(std::span<const ValidationCase> cases,
                                             std::span<const std::string> names, bool all);

// Each row is printed as it is found, and in the end how many passed.
std::vector<CaseOutcome> run_cases(std::span<const CaseChoice> choice, std::FILE* out);

// ErrorCode::diverged with the rows that failed, and the cases that were run and have none.
Result<void> judge(std::span<const CaseOutcome> outcomes);

}  // namespace whorl
