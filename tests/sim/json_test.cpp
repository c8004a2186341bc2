#include "base/json_text.h"
#include "sim/json_reader.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

TEST(Json, ReadsWhatWhorlWrites) {
  const auto line = parse_json(
      R"({"frame":7,"time":0.25,"mass":{"density":1.5e-3},"momentum":[1,-2,0],"hash":"0af\"\\\n","none":null,"ok":true})");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->number("frame", 0), 7);
  EXPECT_EQ(line->find("mass")->number("density", 0), 1.5e-3);
  EXPECT_EQ(std::get<JsonValue::List>(line->find("momentum")->content).size(), 3u);
  EXPECT_EQ(std::get<std::string>(line->find("hash")->content), "0af\"\\\n");
  EXPECT_EQ(line->number("none", -1), -1);
  EXPECT_EQ(line->find("nosuch"), nullptr);
}

TEST(Json, RefusesEveryPartOfALine) {
  const std::string line = R"({"frame":7,"mass":{"density":1.5},"momentum":[1,2],"hash":"a\"b","ok":true})";
  ASSERT_TRUE(parse_json(line));
  for (std::size_t length = 0; length < line.size(); ++length)
    EXPECT_FALSE(parse_json(line.substr(0, length))) << line.substr(0, length);
  for (const char* wrong : {"{} {}", "{\"a\":1,}", "[1 2]", "nan", "{a:1}", "\"\\u12\""})
    EXPECT_FALSE(parse_json(wrong)) << wrong;
  EXPECT_FALSE(parse_json(std::string(100000, '[')));
}

TEST(Json, ReadsBackAnyText) {
  for (const std::string text : {"", "plume", "a \"b\" \\ c", "line\nline\ttab\x01", "Wölkchen"}) {
    const auto value = parse_json(json_text(text));
    ASSERT_TRUE(value) << json_text(text);
    EXPECT_EQ(std::get<std::string>(value->content), text);
  }
  EXPECT_EQ(json_text(0.1), "0.1");
  EXPECT_EQ(json_text(1.0 / 0.0), "null");
  EXPECT_EQ(json_list({"a", "b"}), R"(["a","b"])");
  EXPECT_EQ(json_object({{"a", 1}, {"b", 0.5}}), R"({"a":1,"b":0.5})");
}

}  // namespace
}  // namespace whorl
