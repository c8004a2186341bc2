// Where a random scene takes place, and the throws that decide it.
#pragma once

#include "base/rng.h"

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace whorl {

std::uint64_t hash_of(std::string_view text);

// The throws for one decision, named by what it is about.
class Dice {
 public:
  Dice(std::uint64_t scene, std::string_view about) : rng_(scene, hash_of(about)) {}

  bool chance(double p) { return rng_.uniform() < p; }
  double uniform(double lo, double hi) { return lo + (hi - lo) * double(rng_.uniform()); }
  double log_uniform(double lo, double hi) { return lo * std::pow(hi / lo, uniform(0, 1)); }
  int below(int n) { return int(uniform(0, n)); }
  int between(int lo, int hi) { return lo + below(hi - lo + 1); }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[std::size_t(below(int(choices.size())))];
  }

 private:
  Rng rng_;
};

// The domain, or as much of space.
struct Room {
  bool bounded = true;
  std::vector<double> low, high;  // m
  double h = 1;                   // m
  int longest = 0;                // cells
  std::vector<bool> periodic;

  double size() const {  // of a middling side
    double product = 1;
    for (std::size_t a = 0; a < low.size(); ++a) product *= high[a] - low[a];
    return std::pow(product, 1 / double(low.size()));
  }
};

Room draw_room(std::uint64_t number, int dimension);

}  // namespace whorl
