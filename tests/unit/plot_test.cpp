// Plots as SVG, and bytes as text.
#include "base/plot.h"
#include "base/base64.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace whorl {
namespace {

// Of the first line.
std::vector<std::pair<double, double>> drawn_points(const std::string& svg) {
  std::vector<std::pair<double, double>> points;
  const std::size_t from = svg.find("points=\"") + 8;
  const std::string text = svg.substr(from, svg.find('"', from) - from);
  const std::regex pair("([-0-9.]+),([-0-9.]+)");
  for (std::sregex_iterator it(text.begin(), text.end(), pair), end; it != end; ++it)
    points.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  return points;
}

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(Base64, IsThatOfTheStandard) {
  // RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\x01"), "//4B");
}

TEST(Plot, IsLinearInBothAxes) {
  const std::string svg = to_svg({.title = "Volume", .series = {{"all", {{0, 1}, {1, 2}, {3, 4}}}}});
  const auto points = drawn_points(svg);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR((points[2].first - points[0].first) / (points[1].first - points[0].first), 3, 0.01);
  EXPECT_NEAR((points[2].second - points[0].second) / (points[1].second - points[0].second), 3, 0.01);
  EXPECT_LT(points[2].second, points[0].second);  // upwards
  EXPECT_EQ(count(svg, ">all</text>"), 1);
  EXPECT_EQ(count(svg, ">0</text>"), 2);
  EXPECT_EQ(count(svg, ">-0</text>"), 0);
  EXPECT_EQ(count(svg, ">Volume</text>"), 1);
}

TEST(Plot, IsLogarithmicWhereAskedFor) {
  const auto points =
      drawn_points(to_svg({.series = {{"all", {{1, 1}, {10, 10}, {100, 1000}}}}, .logarithmic = true}));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR((points[2].first - points[0].first) / (points[1].first - points[0].first), 2, 0.01);
  EXPECT_NEAR((points[2].second - points[0].second) / (points[1].second - points[0].second), 3, 0.01);
}

TEST(Plot, LeavesOutWhatIsNoNumber) {
  const std::string svg =
      to_svg({.series = {{"gaps", {{0, 1}, {1, NAN}, {2, 3}}}, {"nothing", {{0, INFINITY}}}}});
  EXPECT_EQ(drawn_points(svg).size(), 2u);
  EXPECT_EQ(count(svg, "<polyline"), 1);
  EXPECT_EQ(count(svg, "nan") + count(svg, "inf"), 0);
  EXPECT_EQ(count(to_svg({}), "nan"), 0);
  // One value throughout.
  EXPECT_EQ(count(to_svg({.series = {{"flat", {{0, 0}, {1, 0}}}}}), "nan"), 0);
}

TEST(Plot, MarksMayStandAlone) {
  const std::string svg =
      to_svg({.series = {{"line", {{0, 1}, {1, 2}}}, {"marks", {{0, 1}, {1, 2}, {2, 2}}, false}}});
  EXPECT_EQ(count(svg, "<polyline"), 1);
  EXPECT_EQ(count(svg, "<circle"), 3);
}

TEST(Plot, NamesAreText) { EXPECT_EQ(count(to_svg({.title = "a < b & c"}), "a &lt; b &amp; c"), 1); }

}  // namespace
}  // namespace whorl
