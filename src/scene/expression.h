// A formula of x, y, z (m) and t (s), as a scene writes it.
#pragma once

#include "scene/problem.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whorl {

// Evaluating writes to the parser inside: one Expression a thread. A copy has a parser of its own and
// costs some microseconds, so copy it once for each worker, not for each point.
class Expression {
 public:
  // `variables` are the letters it may use, out of "xyzt". Leaves `out` alone if there is a problem.
  static std::optional<Problem> parse(const std::string& text, std::string_view variables,
                                      std::optional<Expression>& out);

  Expression(const Expression& other);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression other) noexcept;
  ~Expression();

  double at(double x, double y, double z, double t) const;

  const std::string& text() const { return text_; }
  bool uses(char variable) const { return used_.find(variable) != std::string::npos; }

  // Every name that a formula may use besides its variables, for the reference and for typos.
  static std::vector<std::string> constants();
  static std::vector<std::string> functions();

 private:
  struct Parser;
  Expression(std::string text, std::string_view variables);

  std::string text_, variables_, used_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace whorl
