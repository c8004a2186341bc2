// whorl-bench NAME [--size N] [--threads N …] [--json FILE] [--svg FILE] [--only SOLVER]; `whorl bench` calls
// it. No option parser: this program is built where only a compiler is to be had.
#include "harness.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using whorl::bench::Options;

struct Benchmark {
  const char* name;
  int (*run)(const Options&);
};
constexpr Benchmark benchmarks[] = {
    {"stencil", whorl::bench::stencil}, {"advect", whorl::bench::advect}, {"poisson", whorl::bench::poisson},
    {"sparse", whorl::bench::sparse},   {"smoke", whorl::bench::smoke},   {"liquid", whorl::bench::liquid},
    {"diffuse", whorl::bench::diffuse},
#if WHORL_HAVE_CUDA
    {"cuda", whorl::bench::cuda},
#endif
};

int usage(const char* what, const char* word) {
  std::fprintf(
      stderr,
      "whorl-bench: %s '%s'; try: whorl-bench stencil|advect|poisson|sparse|smoke|liquid|diffuse [--size N] "
      "[--threads N ...] [--json FILE] [--svg FILE] [--only SOLVER]\n",
      what, word);
  return 2;
}

// A whole number from 1 to a million, or 0.
int parse_count(const char* text) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  return *text && !*end && value >= 1 && value <= 1000000 ? int(value) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return usage("no benchmark named", "");
  const Benchmark* chosen = nullptr;
  for (const Benchmark& b : benchmarks)
    if (std::strcmp(argv[1], b.name) == 0) chosen = &b;
  if (!chosen) return usage("no such benchmark", argv[1]);

  Options options;
  for (int k = 2; k < argc; ++k) {
    const std::string word = argv[k];
    const char* value = k + 1 < argc ? argv[k + 1] : "";
    if (word == "--json" && *value) {
      options.json = value;
      ++k;
    } else if (word == "--only" && *value) {
      options.only = value;
      ++k;
    } else if (word == "--svg" && *value) {
      options.svg = value;
      ++k;
    } else if (word == "--size") {
      options.size = parse_count(value);
      if (!options.size) return usage("--size takes a whole number, not", value);
      ++k;
    } else if (word == "--threads") {
      while (k + 1 < argc && argv[k + 1][0] != '-') {
        options.threads.push_back(parse_count(argv[++k]));
        if (!options.threads.back()) return usage("--threads takes whole numbers, not", argv[k]);
      }
      if (options.threads.empty()) return usage("--threads takes whole numbers, not", value);
    } else {
      return usage("unknown option", argv[k]);
    }
  }
  return chosen->run(options);
}
