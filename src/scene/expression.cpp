// The only file that knows muParser.
#include "scene/expression.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <muParser.h>

namespace whorl {
namespace {

constexpr std::string_view all_variables = "xyzt";

double smoothstep(double low, double high, double x) {
  const double s = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

// 1 from `edge` on.
double step(double edge, double x) { return x < edge ? 0 : 1; }
double clamp(double x, double low, double high) { return std::min(std::max(x, low), high); }
double mod(double x, double period) { return x - period * std::floor(x / period); }
double floor_of(double x) { return std::floor(x); }
double ceil_of(double x) { return std::ceil(x); }

void define_names(mu::Parser& parser) {
  parser.ClearConst();
  parser.DefineConst("pi", std::numbers::pi);
  parser.DefineConst("e", std::numbers::e);
  parser.DefineFun("smoothstep", smoothstep);
  parser.DefineFun("step", step);
  parser.DefineFun("clamp", clamp);
  parser.DefineFun("mod", mod);
  parser.DefineFun("floor", floor_of);
  parser.DefineFun("ceil", ceil_of);
}

// muParser reads `x = 1` as an assignment and goes on.
std::size_t find_assignment(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=')
      ++i;
    else if (i == 0 || std::string_view("<>!").find(text[i - 1]) == std::string_view::npos)
      return i;
  }
  return std::string::npos;
}

std::string spaced(std::string_view variables) {
  std::string list;
  for (const char c : variables) list += (list.empty() ? "" : ", ") + std::string(1, c);
  return list;
}

// A formula in a message, cut off where it is too long to read.
std::string shown(const std::string& text) {
  constexpr std::size_t longest = 80;
  return text.size() <= longest ? text : text.substr(0, longest) + "…";
}

Problem unknown_name(const std::string& name, const std::string& text, std::size_t position,
                     std::string_view variables) {
  std::vector<std::string> names;
  for (const char c : variables) names.emplace_back(1, c);
  for (const auto& more : {Expression::constants(), Expression::functions()})
    names.insert(names.end(), more.begin(), more.end());
  Problem problem{
      fmt::format("'{}' at position {} of \"{}\" is unknown", name, position, shown(text)),
      fmt::format("{}, {} and the functions {}", spaced(variables), fmt::join(Expression::constants(), ", "),
                  fmt::join(Expression::functions(), ", "))};
  if (name.size() > 1) problem.hint = nearest_name(name, names);
  return problem;
}

Problem describe_error(const mu::ParserError& error, const std::string& text, std::string_view variables) {
  // From 1, as editors count; muParser may point beyond the end.
  const std::size_t position = std::min(std::size_t(std::max(error.GetPos(), 0)), text.size()) + 1;
  const std::string token = error.GetToken();
  const auto broken = [&](const std::string& what) {
    return Problem{
        fmt::format("the expression \"{}\" is broken at position {}: {}", shown(text), position, what),
        "a formula of " + spaced(variables)};
  };
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN: {
      // muParser gives the rest of the text; the name is what it begins with.
      const std::size_t end = token.find_first_of("()+-*/^,<>=&|?: \t");
      const std::string name = token.substr(0, end);
      return name.empty() ? broken(fmt::format("'{}' does not fit there", token))
                          : unknown_name(name, text, position, variables);
    }
    case mu::ecUNEXPECTED_EOF:
      return broken("it ends too early");
    case mu::ecMISSING_PARENS:
      return broken("a ')' is missing");
    case mu::ecTOO_MANY_PARAMS:
      return broken(fmt::format("'{}' has too many arguments", token));
    case mu::ecTOO_FEW_PARAMS:
      return broken(fmt::format("'{}' has too few arguments", token));
    case mu::ecEMPTY_EXPRESSION:
      return broken("it is empty");
    default:
      return broken(token.empty() ? error.GetMsg() : fmt::format("'{}' does not fit there", token));
  }
}

}  // namespace

struct Expression::Parser {
  mu::Parser parser;
  double values[4] = {};  // of all_variables

  Parser(const std::string& text, std::string_view variables) {
    define_names(parser);
    for (const char c : variables) parser.DefineVar(std::string(1, c), &values[all_variables.find(c)]);
    parser.SetExpr(text);
  }
};

Expression::Expression(std::string text, std::string_view variables)
    : text_(std::move(text)), variables_(variables), parser_(std::make_unique<Parser>(text_, variables_)) {}

Expression::Expression(const Expression& other) : Expression(other.text_, other.variables_) {
  used_ = other.used_;
}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression other) noexcept {
  std::swap(text_, other.text_);
  std::swap(variables_, other.variables_);
  std::swap(used_, other.used_);
  std::swap(parser_, other.parser_);
  return *this;
}
Expression::~Expression() = default;

std::optional<Problem> Expression::parse(const std::string& text, std::string_view variables,
                                         std::optional<Expression>& out) {
  if (const std::size_t at = find_assignment(text); at != std::string::npos)
    return Problem{fmt::format("the '=' at position {} of \"{}\" would assign", at + 1, shown(text)),
                   "== to compare, in a formula of " + spaced(variables)};
  try {
    Expression made(text, variables);
    static_cast<void>(made.parser_->parser.Eval());  // compiles, and so finds every error there is
    if (made.parser_->parser.GetNumResults() != 1)
      return Problem{fmt::format("the expression \"{}\" has {} results", shown(text),
                                 made.parser_->parser.GetNumResults()),
                     "one; write a decimal point as '.'"};
    for (const auto& [name, address] : made.parser_->parser.GetUsedVar()) made.used_ += name;
    out = std::move(made);
    return {};
  } catch (const mu::ParserError& error) {
    return describe_error(error, text, variables);
  }
}

double Expression::at(double x, double y, double z, double t) const {
  const double values[] = {x, y, z, t};
  std::copy(std::begin(values), std::end(values), parser_->values);
  return parser_->parser.Eval();
}

std::vector<std::string> Expression::constants() { return {"pi", "e"}; }

std::vector<std::string> Expression::functions() {
  mu::Parser parser;
  define_names(parser);
  std::vector<std::string> names;
  for (const auto& [name, function] : parser.GetFunDef()) names.push_back(name);
  return names;
}

}  // namespace whorl
