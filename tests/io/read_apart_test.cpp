// Whatever becomes of what is read apart, the test goes on.
#include "io/process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>
#include <vector>

namespace whorl {
namespace {

TEST(ReadApart, HandsOverWhatWasRead) {
  int seen = 0;
  const std::string large(1 << 20, 'x');  // more than a pipe holds
  const auto text = read_apart(0, [&]() -> Result<std::string> {
    seen = 1;
    return large;
  });
  ASSERT_TRUE(text && *text);
  EXPECT_EQ(text->value(), large);
  EXPECT_EQ(seen, 0) << "it ran in this process";
}

TEST(ReadApart, HandsOverErrors) {
  const auto refused = read_apart(0, []() -> Result<std::string> {
    return Error{ErrorCode::invalid_scene, "no"};
  });
  ASSERT_TRUE(refused && !*refused);
  EXPECT_EQ(refused->error().code, ErrorCode::invalid_scene);
  EXPECT_EQ(refused->error().message, "no");
  const auto threw = read_apart(0, []() -> Result<std::string> { throw std::runtime_error("what"); });
  ASSERT_TRUE(threw && !*threw);
  EXPECT_EQ(threw->error().message, "what");
}

TEST(ReadApart, OutlivesCrashes) {
  for (const int fault : {SIGSEGV, SIGABRT, SIGKILL})
    EXPECT_FALSE(read_apart(0, [&]() -> Result<std::string> {
      raise(fault);
      return std::string();
    })) << fault;
}

TEST(ReadApart, OutlivesHangs) {
  EXPECT_FALSE(read_apart(0, []() -> Result<std::string> {
    volatile bool endless = true;
    while (endless) {
    }
    return std::string();
  }));
}

TEST(ReadApart, HasALimitOfMemory) {
  constexpr std::size_t far_too_much = std::size_t(4) << 30;
  const auto read = read_apart(
      1, [&]() -> Result<std::string> { return std::to_string(std::vector<char>(far_too_much).size()); });
  // A sanitizer ends the process where others throw.
  if (read) {
    ASSERT_FALSE(*read);
    EXPECT_EQ(read->error().code, ErrorCode::resources);
  }
}

}  // namespace
}  // namespace whorl
