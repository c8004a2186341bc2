// What the tests of benchmarks share.
#pragma once

#include "harness.h"
#include "whorl/error.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace whorl::bench {

// What the benchmark writes to its file.
inline std::string json_of(int (*benchmark)(const Options&), Options options) {
  std::string folder = std::filesystem::temp_directory_path() / "whorl_bench_test_XXXXXX";
  EXPECT_TRUE(mkdtemp(folder.data()));
  options.json = folder + "/figures.json";
  EXPECT_EQ(benchmark(options), 0);
  std::ifstream in(options.json);
  std::string json((std::istreambuf_iterator<char>(in)), {});
  std::filesystem::remove_all(folder);
  return json;
}

inline bool not_installed(const Error& error) { return error.message == "not installed"; }

}  // namespace whorl::bench
