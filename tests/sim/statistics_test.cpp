#include "sim_case.h"

#include "sim/statistics.h"

namespace whorl {
namespace {

TEST(Statistics, AreOneLineOfJson) {
  FrameStatistics s;
  s.frame = 7;
  s.time = 0.25;
  s.mass = {{"density", 1.5}};
  s.momentum = {1, 2, 3};
  s.max_speed = NAN;
  s.state_hash = 0xabc;
  s.seconds = {{"advect", 0.5}};
  const std::string json = to_json(s);
  EXPECT_EQ(json.find('\n'), std::string::npos);
  for (const char* part :
       {"{\"frame\":7,\"time\":0.25,", "\"mass\":{\"density\":1.5}", "\"momentum\":[1,2,3]",
        "\"max_speed\":null", "\"state_hash\":\"0000000000000abc\"", "\"seconds\":{\"advect\":0.5}",
        "\"ledger\":{\"injected\":0"})
    EXPECT_NE(json.find(part), std::string::npos) << part << " in " << json;
}

TEST(Statistics, NameTheStagesOfAStep) {
  Exec ex;
  auto simulation = simulation_of<2>(ex, box_of_air<2>() + "[smoke]\nsparse = false\n");
  const FrameStatistics s = next_frame(ex, simulation);
  double step = 0, parts = 0;
  for (const auto& [name, seconds] : s.seconds) {
    EXPECT_EQ(name.find('/'), std::string::npos) << name;
    if (name == "step") step = seconds;
    if (name == "advect" || name == "project") parts += seconds;
  }
  EXPECT_GT(parts, 0);
  EXPECT_LE(parts, step);
  EXPECT_GT(s.peak_memory_bytes, 1u << 20);
  EXPECT_EQ(s.active_cells, 32 * 32);
  EXPECT_EQ(s.active_tiles, 16);
}

}  // namespace
}  // namespace whorl
