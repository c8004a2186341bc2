// The file that hands a pressure problem to other solvers, and the residual their answers are judged by.
#include "poisson_file.h"
#include "base/box.h"
#include "base/rng.h"
#include "cases/poisson_case.h"
#include "sphere_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace whorl::bench {
namespace {

constexpr int D = 3;

TEST(PoissonFile, GivesBackWhatWasWritten) {
  Result<PoissonFile> made = PoissonFile::temporary(5);
  ASSERT_TRUE(made) << made.error().message;
  PoissonFile& file = made.value();
  for (std::size_t i = 0; i < file.cells(); ++i) {
    EXPECT_EQ(file.diagonal()[i], 0);
    file.diagonal()[i] = float(i);
    for (int a = 0; a < D; ++a) file.low_weight(a)[i] = float(1000 * (a + 1)) + float(i);
    file.b()[i] = 1e9 + double(i);
  }
  const Result<PoissonFile> opened = PoissonFile::open(file.path());
  ASSERT_TRUE(opened) << opened.error().message;
  const PoissonFile& again = opened.value();
  ASSERT_EQ(again.n(), 5);
  for (std::size_t i = 0; i < again.cells(); ++i) {
    EXPECT_EQ(again.diagonal()[i], float(i));
    for (int a = 0; a < D; ++a) EXPECT_EQ(again.low_weight(a)[i], float(1000 * (a + 1)) + float(i));
    EXPECT_EQ(again.b()[i], 1e9 + double(i));
  }
}

TEST(PoissonFile, LeavesNothingInTheTemporaryFolder) {
  std::string folder = std::filesystem::temp_directory_path() / "whorl_bench_test_XXXXXX";
  ASSERT_TRUE(mkdtemp(folder.data()));
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  setenv("TMPDIR", folder.c_str(), 1);
  {
    const Result<PoissonFile> file = PoissonFile::temporary(4);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_NE(std::filesystem::read_symlink(file.value().path()).string().find(folder), std::string::npos);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
  }
  std::filesystem::remove(folder);
  const Result<PoissonFile> nowhere = PoissonFile::temporary(4);
  if (before)
    setenv("TMPDIR", kept.c_str(), 1);
  else
    unsetenv("TMPDIR");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::resources);
}

TEST(PoissonFile, RefusesAnotherFile) {
  EXPECT_FALSE(PoissonFile::open("/nonexistent"));
  EXPECT_FALSE(PoissonFile::open("/dev/null"));
  Result<AnswerFile> answer = AnswerFile::temporary(4);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(PoissonFile::open(answer.value().path()));
  EXPECT_FALSE(AnswerFile::open(answer.value().path(), 5));
  EXPECT_TRUE(AnswerFile::open(answer.value().path(), 4));
}

TEST(PoissonFile, AnswerKeepsFiguresAndValuesApart) {
  Result<AnswerFile> made = AnswerFile::temporary(2);
  ASSERT_TRUE(made) << made.error().message;
  {
    Result<AnswerFile> opened = AnswerFile::open(made.value().path(), 2);
    ASSERT_TRUE(opened) << opened.error().message;
    opened.value().figures() = {1.5, 2.5, 7, 1 << 20};
    for (std::size_t i = 0; i < 8; ++i) opened.value().x()[i] = double(i);
  }
  const SolverFigures& figures = made.value().figures();
  EXPECT_EQ(figures.setup_s, 1.5);
  EXPECT_EQ(figures.solve_s, 2.5);
  EXPECT_EQ(figures.iterations, 7);
  EXPECT_EQ(figures.peak_memory_bytes, 1 << 20);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(made.value().x()[i], double(i));
}

// Random weights, some cells no unknowns, and the matrix written out in full.
TEST(TrueResidual, IsThatOfTheDenseMatrix) {
  constexpr int n = 4;
  Result<PoissonFile> made = PoissonFile::temporary(n);
  ASSERT_TRUE(made) << made.error().message;
  PoissonFile& file = made.value();
  Rng rng(1, 2);
  const std::size_t cells = file.cells();
  std::vector<double> x(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    file.diagonal()[i] = i % 5 == 3 ? 0 : 6 + rng.uniform();
    file.b()[i] = double(rng.uniform(-1, 1));
    x[i] = double(rng.uniform(-1, 1));
  }
  std::vector<double> matrix(cells * cells);
  std::size_t i = 0;
  for_each_coord(Box<D>{{}, Coord<D>::filled(n)}, [&](const Coord<D>& c) {
    matrix[i * cells + i] = double(file.diagonal()[i]);
    for (int a = 0; a < D; ++a) {
      const std::size_t j = i - file.stride(a);
      if (c[a] == 0 || !(file.diagonal()[i] > 0 && file.diagonal()[j] > 0)) continue;
      file.low_weight(a)[i] = rng.uniform();
      matrix[i * cells + j] = matrix[j * cells + i] = -double(file.low_weight(a)[i]);
    }
    ++i;
  });
  double residual = 0, right_side = 0;
  for (std::size_t row = 0; row < cells; ++row) {
    if (!(file.diagonal()[row] > 0)) continue;
    double r = file.b()[row];
    for (std::size_t k = 0; k < cells; ++k) r -= matrix[row * cells + k] * x[k];
    residual += r * r;
    right_side += file.b()[row] * file.b()[row];
  }
  EXPECT_NEAR(true_residual(file, x), std::sqrt(residual / right_side), 1e-13);
}

TEST(SphereProblem, HasWallsAnOpenTopAndAHole) {
  constexpr int n = 16;
  const Result<PoissonFile> made = sphere_problem(n);
  ASSERT_TRUE(made) << made.error().message;
  const PoissonFile& file = made.value();
  const auto at = [&](int x, int y, int z) {
    return (std::size_t(x) * n + std::size_t(y)) * n + std::size_t(z);
  };
  EXPECT_EQ(file.diagonal()[at(0, 0, 0)], 3);
  EXPECT_EQ(file.diagonal()[at(0, n - 1, 0)], 4);
  EXPECT_EQ(file.diagonal()[at(n - 1, n - 1, n - 1)], 4);
  EXPECT_EQ(file.diagonal()[at(1, 1, 1)], 6);
  EXPECT_EQ(file.diagonal()[at(n / 2, n / 2, n / 2)], 0);
  EXPECT_EQ(file.b()[at(n / 2, n / 2, n / 2)], 0);
  EXPECT_EQ(file.low_weight(0)[at(0, 5, 5)], 0);
  EXPECT_EQ(file.low_weight(0)[at(1, 5, 5)], 1);
  double volume = 0;
  for (const float d : file.diagonal()) volume += d > 0;
  EXPECT_NEAR(1 - volume / double(file.cells()), 4. / 3 * M_PI * 0.008, 0.003);
}

TEST(SphereProblem, IsTheOneThatWhorlSolves) {
  constexpr int n = 24;
  const Result<PoissonFile> made = sphere_problem(n);
  ASSERT_TRUE(made) << made.error().message;
  const PoissonFile& file = made.value();
  Exec ex;
  const PoissonCase<D> whorls(ex, n);
  const Topology<D>& topology = *whorls.topology;
  std::size_t i = 0;
  for_each_coord(Box<D>{{}, Coord<D>::filled(n)}, [&](const Coord<D>& c) {
    CellIndex<D> at{};
    Coord<D> tile;
    for (int a = 0; a < D; ++a) at.at[a] = c[a] % tile_side, tile[a] = c[a] / tile_side;
    at.tile = topology.map().find(tile);
    EXPECT_NEAR(file.b()[i], whorls.right_side.get(c) / (n * n), 1e-18) << c;
    if (!topology.has_active(at.tile)) {
      EXPECT_EQ(file.diagonal()[i], 0) << c;
    } else {
      EXPECT_EQ(file.diagonal()[i], whorls.system.view().diagonal(at)) << c;
      for (int a = 0; a < D; ++a)
        EXPECT_EQ(file.low_weight(a)[i], whorls.system.view().link(at, a, -1)) << c;
    }
    ++i;
  });
}

}  // namespace
}  // namespace whorl::bench
