// A case that has rows, all of which pass.
#pragma once

#include "cases/findings.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace whorl {

inline void expect_rows(const Findings& found) {
  EXPECT_FALSE(found.rows().empty());
  for (const ValidationRow& row : found.rows()) {
    const auto [reference, value, error, tolerance] = texts_of(row);
    std::printf("%s: %s, expected %s %s\n", row.what.c_str(), value.c_str(), reference.c_str(),
                error.c_str());
    EXPECT_TRUE(row.passes()) << row.what << " is " << row.value << ", expected " << reference
                              << (tolerance.empty() ? "" : " within ") << tolerance;
  }
}

inline void expect_rows(void (*run)(Findings&)) {
  Findings found;
  run(found);
  expect_rows(found);
}

}  // namespace whorl
