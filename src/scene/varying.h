// A number of a scene that may change in time and space: a constant, keyframes, or a formula.
#pragma once

#include "base/vec.h"
#include "scene/expression.h"

#include <array>
#include <memory>
#include <variant>
#include <vector>

namespace whorl {

enum class KeyInterpolation {
  linear,
  step,    // the value of the last key passed
  smooth,  // at rest at every key
};

struct KeyedValue {
  double time, value;
};

// One Varying a thread, where expression() is true; a copy is cheap and independent (see Expression).
class Varying {
 public:
  Varying(double constant = 0) : content_(constant) {}
  Varying(std::vector<KeyedValue> keys, KeyInterpolation interpolation);  // times ascend; at least one
  Varying(Expression formula) : content_(std::move(formula)) {}

  // Before the first key and after the last, the value is theirs. A formula may answer NaN or infinity.
  double at(double x, double y, double z, double t) const;
  double at(const Vec<double, 2>& p, double t) const { return at(p[0], p[1], 0, t); }
  double at(const Vec<double, 3>& p, double t) const { return at(p[0], p[1], p[2], t); }

  bool depends_on_time() const;
  bool depends_on_space() const;
  bool constant() const { return content_.index() == 0; }
  bool expression() const { return content_.index() == 2; }

  std::string text() const;  // as a scene writes it

 private:
  struct Keys {
    std::vector<KeyedValue> keys;
    KeyInterpolation interpolation;

    double at(double t) const;
  };
  std::variant<double, std::shared_ptr<const Keys>, Expression> content_;
};

template <int D>
struct VaryingVector {
  std::array<Varying, D> component;

  VaryingVector() = default;
  VaryingVector(const Vec<double, D>& constant) {
    for (int a = 0; a < D; ++a) component[std::size_t(a)] = constant[a];
  }

  Vec<double, D> at(const Vec<double, D>& p, double t) const {
    Vec<double, D> value;
    for (int a = 0; a < D; ++a) value[a] = component[std::size_t(a)].at(p, t);
    return value;
  }
  bool depends_on_time() const {
    for (const Varying& c : component)
      if (c.depends_on_time()) return true;
    return false;
  }
  bool depends_on_space() const {
    for (const Varying& c : component)
      if (c.depends_on_space()) return true;
    return false;
  }
};

// Red, green and blue, in any dimension.
struct VaryingColor {
  std::array<Varying, 3> channel;
};

// Between 0 and 1 on the way from one key to the next.
double key_progress(double time, double from, double to, KeyInterpolation interpolation);

}  // namespace whorl
