// Values that change: keyframes and expressions, and what is said of broken ones.
#include "scene/varying.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <thread>

namespace whorl {
namespace {

Expression formula(const std::string& text, std::string_view variables = "xyzt") {
  std::optional<Expression> made;
  const auto problem = Expression::parse(text, variables, made);
  EXPECT_FALSE(problem) << (problem ? problem->found : "");
  if (!made) static_cast<void>(Expression::parse("0", variables, made));
  return *made;
}

Problem broken(const std::string& text, std::string_view variables = "xyzt") {
  std::optional<Expression> made;
  const auto problem = Expression::parse(text, variables, made);
  EXPECT_TRUE(problem) << text;
  EXPECT_FALSE(made);
  return problem.value_or(Problem{});
}

TEST(Expression, KnowsPlaceAndTime) {
  EXPECT_DOUBLE_EQ(formula("x + 10*y + 100*z + 1000*t").at(1, 2, 3, 4), 4321);
  EXPECT_DOUBLE_EQ(formula("sin(pi * x) * exp(-t) + ln(e)").at(0.5, 0, 0, 1), std::exp(-1.0) + 1);
  EXPECT_DOUBLE_EQ(formula("x > 0 && y == 2 ? 5 : 7").at(1, 2, 0, 0), 5);
  EXPECT_DOUBLE_EQ(formula("x >= 1 ? x^2 : -1").at(3, 0, 0, 0), 9);
}

TEST(Expression, KnowsItsOwnFunctions) {
  EXPECT_DOUBLE_EQ(formula("smoothstep(0, 2, x)").at(1, 0, 0, 0), 0.5);
  EXPECT_DOUBLE_EQ(formula("smoothstep(0, 2, x)").at(9, 0, 0, 0), 1);
  EXPECT_DOUBLE_EQ(formula("clamp(x, -1, 1)").at(-3, 0, 0, 0), -1);
  EXPECT_DOUBLE_EQ(formula("mod(x, 3)").at(-1, 0, 0, 0), 2);
  EXPECT_DOUBLE_EQ(formula("floor(x) + 10*ceil(x)").at(1.5, 0, 0, 0), 21);
  EXPECT_DOUBLE_EQ(formula("step(1, x) + 10*step(1, t)").at(0.5, 0, 0, 1), 10);
}

TEST(Expression, TellsWhatItUses) {
  const Expression e = formula("x * sin(t)");
  EXPECT_TRUE(e.uses('x') && e.uses('t'));
  EXPECT_FALSE(e.uses('y') || e.uses('z'));
}

TEST(Expression, CopiesAreIndependent) {
  const Expression original = formula("x + t");
  const Expression copy = original;
  EXPECT_DOUBLE_EQ(original.at(1, 0, 0, 1), 2);
  EXPECT_DOUBLE_EQ(copy.at(10, 0, 0, 10), 20);
  EXPECT_DOUBLE_EQ(original.at(3, 0, 0, 1), 4);
  double sums[2] = {};
  const auto work = [&](int id) {
    const Varying mine = original;  // a parser a thread
    for (int i = 0; i < 2000; ++i) sums[id] += mine.at(i, 0, 0, id);
  };
  std::thread other(work, 0);
  work(1);
  other.join();
  EXPECT_EQ(sums[0], 1999000);
  EXPECT_EQ(sums[1], 2001000);
}

TEST(Expression, NamesWhatIsUnknownAndWhere) {
  const Problem typo = broken("2 * sinn(x)");
  EXPECT_EQ(typo.found, "'sinn' at position 5 of \"2 * sinn(x)\" is unknown");
  EXPECT_EQ(typo.hint, "sin");
  EXPECT_EQ(broken("x + q").found, "'q' at position 5 of \"x + q\" is unknown");
  EXPECT_EQ(broken("z", "xyt").allowed.substr(0, 14), "x, y, t, pi, e");
  EXPECT_EQ(broken("x", "t").allowed.substr(0, 8), "t, pi, e");
}

TEST(Expression, SaysWhatIsBrokenAndWhere) {
  const auto said = [](const std::string& text, const std::string& part) {
    const std::string found = broken(text).found;
    EXPECT_NE(found.find(part), std::string::npos) << found;
  };
  said("sin(x", "position 6: a ')' is missing");
  said("x +* 2", "position 4: '*' does not fit there");
  said("x +", "position 4: it ends too early");
  said("", "it is empty");
  said("x y", "position 3: 'y' does not fit there");
  said("sin(1, 2)", "'sin' has too many arguments");
  said("atan2(1)", "'atan2' has too few arguments");
  said("1, 5", "2 results");
  said("x = 3", "'=' at position 3");
  said("1;2", "position 2");
  said("√x", "unknown");
  EXPECT_LT(broken(std::string(5000, '(')).found.size(), 200u) << "a long formula is cut off";
}

TEST(Varying, ConstantsDependOnNothing) {
  const Varying v = 3.5;
  EXPECT_EQ(v.at(1, 2, 3, 4), 3.5);
  EXPECT_TRUE(v.constant());
  EXPECT_FALSE(v.depends_on_time() || v.depends_on_space() || v.expression());
  EXPECT_EQ(v.text(), "3.5");
}

TEST(Varying, KeysHoldTheirEndsAndPassThroughEachOther) {
  const std::vector<KeyedValue> keys = {{1, 10}, {2, 20}, {4, 6}};
  const Varying linear(keys, KeyInterpolation::linear), step(keys, KeyInterpolation::step),
      smooth(keys, KeyInterpolation::smooth);
  for (const Varying* v : {&linear, &step, &smooth}) {
    EXPECT_TRUE(v->depends_on_time());
    EXPECT_FALSE(v->depends_on_space());
    EXPECT_EQ(v->at(0, 0, 0, -5), 10);
    EXPECT_EQ(v->at(0, 0, 0, 1), 10);
    EXPECT_EQ(v->at(0, 0, 0, 2), 20);
    EXPECT_EQ(v->at(0, 0, 0, 4), 6);
    EXPECT_EQ(v->at(0, 0, 0, 9), 6);
  }
  EXPECT_DOUBLE_EQ(linear.at(0, 0, 0, 1.25), 12.5);
  EXPECT_DOUBLE_EQ(linear.at(0, 0, 0, 3), 13);
  EXPECT_DOUBLE_EQ(step.at(0, 0, 0, 1.99), 10);
  EXPECT_DOUBLE_EQ(smooth.at(0, 0, 0, 1.25), 10 + 10 * 0.15625);
  EXPECT_DOUBLE_EQ(smooth.at(0, 0, 0, 3), 13);
  EXPECT_EQ(linear.text(), "{ keys = [[1, 10], [2, 20], [4, 6]] }");
  EXPECT_EQ(smooth.text(), "{ keys = [[1, 10], [2, 20], [4, 6]], interp = \"smooth\" }");
}

TEST(Varying, ExpressionsTellWhatTheyDependOn) {
  EXPECT_TRUE(Varying(formula("sin(t)")).depends_on_time());
  EXPECT_FALSE(Varying(formula("sin(t)")).depends_on_space());
  EXPECT_TRUE(Varying(formula("z")).depends_on_space());
  EXPECT_FALSE(Varying(formula("z")).depends_on_time());
  EXPECT_TRUE(Varying(formula("z")).expression());
}

TEST(VaryingVector, EvaluatesEachComponent) {
  VaryingVector<2> v;
  v.component = {Varying(formula("x + t")), Varying(7)};
  EXPECT_EQ(v.at({1, 2}, 3), (Vec<double, 2>{4, 7}));
  EXPECT_TRUE(v.depends_on_time() && v.depends_on_space());
  EXPECT_FALSE(VaryingVector<3>(Vec<double, 3>{1, 2, 3}).depends_on_time());
}

}  // namespace
}  // namespace whorl
