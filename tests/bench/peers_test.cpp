// Every peer that is built solves the problem it is handed; those that are not are skipped.
#include "peers.h"
#include "sphere_problem.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

namespace whorl::bench {

void PrintTo(const Peer& peer, std::ostream* out) { *out << peer.name; }

namespace {

bool not_built(const Error& error) { return error.message.starts_with("not built"); }

class Peers : public testing::TestWithParam<Peer> {};

TEST_P(Peers, MeetsTheTolerance) {
  const Result<PoissonFile> problem = sphere_problem(16);
  ASSERT_TRUE(problem) << problem.error().message;
  const Result<PeerResult> result = run_peer(GetParam(), problem.value(), {.threads = 2});
  if (!result && not_built(result.error())) GTEST_SKIP() << GetParam().name << ": " << result.error().message;
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_LE(result.value().true_residual, 1e-6);
  EXPECT_GT(result.value().true_residual, 1e-8);
  const SolverFigures& figures = result.value().figures;
  EXPECT_GT(figures.iterations, 2);
  EXPECT_LT(figures.iterations, 60);
  EXPECT_GT(figures.setup_s, 0);
  EXPECT_GT(figures.solve_s, 0);
  EXPECT_GT(figures.peak_memory_bytes, 1 << 20);
}

// Cut faces, as a smooth solid has them.
TEST_P(Peers, SolvesOrRefusesFractionsOfFaces) {
  Result<PoissonFile> problem = sphere_problem(16);
  ASSERT_TRUE(problem) << problem.error().message;
  PoissonFile& file = problem.value();
  const std::size_t i = file.stride(0) * 3 + file.stride(1) * 4 + 5;
  file.low_weight(1)[i] -= 0.75f;
  file.diagonal()[i] -= 0.75f;
  file.diagonal()[i - file.stride(1)] -= 0.75f;
  const Result<PeerResult> result = run_peer(GetParam(), file, {.threads = 2});
  if (!result && not_built(result.error())) GTEST_SKIP() << GetParam().name << ": " << result.error().message;
  if (std::string_view(GetParam().name) == "openvdb") {
    ASSERT_FALSE(result);
    EXPECT_TRUE(result.error().message.starts_with("refused")) << result.error().message;
  } else {
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_LE(result.value().true_residual, 1e-6);
  }
}

TEST_P(Peers, IsStoppedWhenItsTimeIsUp) {
  const Result<PoissonFile> problem = sphere_problem(64);
  ASSERT_TRUE(problem) << problem.error().message;
  const Result<PeerResult> result = run_peer(GetParam(), problem.value(), {.timeout_s = 0.1, .threads = 2});
  ASSERT_FALSE(result);
  if (not_built(result.error())) GTEST_SKIP() << GetParam().name << ": " << result.error().message;
  EXPECT_EQ(result.error().message, "stopped: not done in 0.1 s");
}

INSTANTIATE_TEST_SUITE_P(All, Peers, testing::ValuesIn(peers),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(PeerTimes, GrowWithTheCellsAndTheIterations) {
  const SolverFigures smaller{.setup_s = 1, .solve_s = 2};
  EXPECT_DOUBLE_EQ(predicted_seconds({"", "", 3, true, false}, smaller, 64, 128), 8 + 16);
  EXPECT_DOUBLE_EQ(predicted_seconds({"", "", 4, true, false}, smaller, 64, 128), 8 + 32);
}

TEST(PeerRun, NamesWhatIsNotBuilt) {
  const Result<PoissonFile> problem = sphere_problem(8);
  ASSERT_TRUE(problem) << problem.error().message;
  const Result<PeerResult> result = run_peer({"nosuch", "", 3, true, false}, problem.value(), {});
  ASSERT_FALSE(result);
  EXPECT_TRUE(not_built(result.error())) << result.error().message;
}

}  // namespace
}  // namespace whorl::bench
