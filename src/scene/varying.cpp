#include "scene/varying.h"

#include "base/check.h"
#include "scene/key.h"

#include <algorithm>

#include <fmt/format.h>

namespace whorl {

double key_progress(double time, double from, double to, KeyInterpolation interpolation) {
  const double s = std::clamp((time - from) / (to - from), 0.0, 1.0);
  switch (interpolation) {
    case KeyInterpolation::linear:
      return s;
    case KeyInterpolation::step:
      return s < 1 ? 0 : 1;
    case KeyInterpolation::smooth:
      return s * s * (3 - 2 * s);
  }
  return s;
}

Varying::Varying(std::vector<KeyedValue> keys, KeyInterpolation interpolation) {
  CHECK(!keys.empty(), "a value with keys needs one");
  content_ = std::make_shared<const Keys>(Keys{std::move(keys), interpolation});
}

double Varying::Keys::at(double t) const {
  const auto next =
      std::upper_bound(keys.begin(), keys.end(), t, [](double x, const KeyedValue& k) { return x < k.time; });
  if (next == keys.begin()) return next->value;
  const KeyedValue& last = *(next - 1);
  if (next == keys.end()) return last.value;
  return last.value + (next->value - last.value) * key_progress(t, last.time, next->time, interpolation);
}

double Varying::at(double x, double y, double z, double t) const {
  if (const double* number = std::get_if<double>(&content_)) return *number;
  if (const Expression* formula = std::get_if<Expression>(&content_)) return formula->at(x, y, z, t);
  return std::get<1>(content_)->at(t);
}

bool Varying::depends_on_time() const {
  if (const Expression* formula = std::get_if<Expression>(&content_)) return formula->uses('t');
  return content_.index() == 1;
}

bool Varying::depends_on_space() const {
  const Expression* formula = std::get_if<Expression>(&content_);
  return formula && (formula->uses('x') || formula->uses('y') || formula->uses('z'));
}

std::string Varying::text() const {
  if (const double* number = std::get_if<double>(&content_)) return fmt::format("{}", *number);
  if (const Expression* formula = std::get_if<Expression>(&content_))
    return fmt::format("\"{}\"", formula->text());
  const Keys& keyed = *std::get<1>(content_);
  std::string keys, interpolation;
  for (const KeyedValue& key : keyed.keys)
    keys += fmt::format("{}[{}, {}]", keys.empty() ? "" : ", ", key.time, key.value);
  if (keyed.interpolation != KeyInterpolation::linear)
    interpolation = fmt::format(", interp = {}", toml_text(keyed.interpolation));
  return fmt::format("{{ keys = [{}]{} }}", keys, interpolation);
}

}  // namespace whorl
