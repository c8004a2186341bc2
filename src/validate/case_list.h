// The cases that have outside answers.
#pragma once

#include "cases/findings.h"

#include <span>
#include <string>

namespace whorl {

struct ValidationCase {
  std::string name;    // "V-B1"; more than one case may have it
  std::string group;   // "advection"
  std::string title;   // "a blob after one turn"
  std::string source;  // of the answers
  double seconds;      // that it takes, about, on two cores
  void (*run)(Findings&);

  bool quick() const { return seconds <= 10; }
};

std::span<const ValidationCase> validation_cases();

}  // namespace whorl
