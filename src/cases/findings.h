// What a case finds beside the outside answer: rows of a table, and plots. Whatever does not converge or is
// no number fails.
#pragma once

#include "base/plot.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace whorl {

enum class RowLimit {
  relative,  // |value - reference| ≤ tolerance · |reference|
  absolute,  // |value - reference| ≤ tolerance
  at_most,   // value ≤ reference
  at_least,  // value ≥ reference
};

struct ValidationRow {
  std::string what;  // "MacCormack, N = 128"
  RowLimit limit = RowLimit::relative;
  double reference = 0, value = 0, tolerance = 0;

  bool passes() const;
};

// As people read it; error and tolerance are empty where a row has none.
struct RowTexts {
  std::string reference, value, error, tolerance;
};
RowTexts texts_of(const ValidationRow& row);

struct NamedPlot {
  std::string name;  // of its file, without an ending
  Plot plot;
};

// Of errors; one that is no number stays.
inline double worse(double a, double b) { return std::isnan(a) || a > b ? a : b; }

class Findings {
 public:
  // `seen` is called with each row as it is found.
  explicit Findings(std::function<void(const ValidationRow&)> seen = {}) : seen_(std::move(seen)) {}

  void near(const std::string& what, double value, double reference, double part);
  void within(const std::string& what, double value, double reference, double distance);
  void at_most(const std::string& what, double value, double bound);
  void at_least(const std::string& what, double value, double bound);
  // A row only where it does not hold, and one however often that is.
  void require(const std::string& what, bool holds);
  void require_solved(bool converged) { require("every solve converges", converged); }
  void plot(const std::string& name, Plot plot) { plots_.push_back({name, std::move(plot)}); }

  const std::vector<ValidationRow>& rows() const { return rows_; }
  const std::vector<NamedPlot>& plots() const { return plots_; }

 private:
  void add(ValidationRow row);
  std::function<void(const ValidationRow&)> seen_;
  std::vector<ValidationRow> rows_;
  std::vector<NamedPlot> plots_;
};

}  // namespace whorl
