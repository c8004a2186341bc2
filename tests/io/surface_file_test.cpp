// Meshes of liquids that are written can be read.
#include "io/surface_file.h"

#include "io/full_disk.h"
#include "io/mesh_file.h"
#include "io/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace whorl {
namespace {

SurfaceMesh pyramid() {
  return {{{{0, 0, 0}, {2, 0, 0}, {0, 1.5, 0}, {0, 0, 3.25}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}},
          {{1, 2, 3}, {4, 5, 6}, {-1, 0.5f, 0}, {0, 0, 1e-3f}},
          {{"age", {1, 2, 3, 4}}, {"2nd colour", {5, 6, 7, 8}}}};
}

std::vector<std::array<Vec<double, 3>, 3>> triangles_of(const TriangleMesh& mesh) {
  std::vector<std::array<Vec<double, 3>, 3>> triangles;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    Triangle t = corners(mesh, i);
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    triangles.push_back(t);
  }
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

TEST(SurfaceFile, PlyAndObjRoundTrip) {
  const TemporaryFolder folder;
  const SurfaceMesh surface = pyramid();
  ASSERT_TRUE(write_ply(folder / "s.ply", surface));
  ASSERT_TRUE(write_obj(folder / "s.obj", surface));
  SurfaceMesh bare{surface.mesh, {}, {}};
  ASSERT_TRUE(write_ply(folder / "bare.ply", bare));
  for (const char* name : {"s.ply", "s.obj", "bare.ply"}) {
    const Result<TriangleMesh> read = read_mesh(folder / name);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(triangles_of(read.value()), triangles_of(surface.mesh)) << name;
  }
  EXPECT_EQ(folder.names(), (std::set<std::string>{"s.ply", "s.obj", "bare.ply"}));
}

TEST(SurfaceFile, PlyHoldsVelocitiesAndColumns) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_ply(folder / "s.ply", pyramid()));
  const std::string text = text_in(folder / "s.ply");
  const std::size_t header = text.find("end_header\n") + 11;
  EXPECT_NE(text.find("property float vx\nproperty float vy\nproperty float vz\nproperty float age\n"
                      "property float _2nd_colour\nelement face 4\n"),
            std::string::npos)
      << text.substr(0, header);
  ASSERT_EQ(text.size(), header + 4 * 8 * 4 + 4 * 13);
  float second[8];
  std::memcpy(second, text.data() + header + 32, 32);
  const float expected[8] = {2, 0, 0, 4, 5, 6, 2, 6};
  for (int k = 0; k < 8; ++k) EXPECT_EQ(second[k], expected[k]);
}

TEST(SurfaceFile, PlyIsReadAsItWasWritten) {
  const TemporaryFolder folder;
  SurfaceMesh surface = pyramid();
  surface.columns[1].name = "_2nd_colour";
  for (const bool moving : {true, false}) {
    if (!moving) surface.velocity.clear();
    ASSERT_TRUE(write_ply(folder / "s.ply", surface));
    const Result<SurfaceMesh> read = read_ply(folder / "s.ply");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read.value().mesh.vertices, surface.mesh.vertices);
    EXPECT_EQ(read.value().mesh.triangles, surface.mesh.triangles);
    EXPECT_EQ(read.value().velocity, surface.velocity);
    ASSERT_EQ(read.value().columns.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(read.value().columns[k].name, surface.columns[k].name);
      EXPECT_EQ(read.value().columns[k].values, surface.columns[k].values);
    }
  }
}

TEST(SurfaceFile, PlyMayHaveZUp) {
  const TemporaryFolder folder;
  const SurfaceMesh surface = pyramid();
  ASSERT_TRUE(write_ply(folder / "s.ply", surface, UpAxis::z));
  EXPECT_NE(text_in(folder / "s.ply").find("comment metres, z up\n"), std::string::npos);
  const Result<SurfaceMesh> read = read_ply(folder / "s.ply");
  ASSERT_TRUE(read) << read.error().message;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec<double, 3>& x = surface.mesh.vertices[i];
    const Vec<float, 3>& u = surface.velocity[i];
    EXPECT_EQ(read.value().mesh.vertices[i], (Vec<double, 3>{x[0], -x[2], x[1]}));
    EXPECT_EQ(read.value().velocity[i], (Vec<float, 3>{u[0], -u[2], u[1]}));
  }
  EXPECT_EQ(read.value().mesh.triangles, surface.mesh.triangles);
}

TEST(SurfaceFile, BrokenPlyIsAnError) {
  const TemporaryFolder folder;
  const std::string path = folder / "s.ply";
  ASSERT_TRUE(write_ply(path, pyramid()));
  const std::string good = text_in(path);
  const auto refused = [&](const std::string& bytes, const std::string& why) {
    write_text(path, bytes);
    const Result<SurfaceMesh> read = read_ply(path);
    ASSERT_FALSE(read) << why;
    EXPECT_EQ(read.error().code, ErrorCode::usage);
    EXPECT_EQ(read.error().message.find(path), 0u);
    EXPECT_NE(read.error().message.find(why), std::string::npos) << read.error().message;
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  for (std::size_t size = 0; size < good.size(); size += 5) refused(good.substr(0, size), "");
  refused(good + "x", "it should hold 4 vertices of 32 bytes");
  refused(replaced("vertex 4", "vertex 18446744073709551615"), "it should hold");
  refused(replaced("float x", "double x"), "do not begin with float x");
  refused(replaced("float age", "int age"), "'int age', which is no float");
  refused(replaced("uchar int", "uchar uint"), "its faces are not");
  refused(replaced("element face", "element edge"), "not vertices and faces alone");
  std::string bytes = good;
  bytes[bytes.size() - 13] = 4;
  refused(bytes, "no triangle of its vertices");
  bytes = good;
  bytes[bytes.size() - 4] = 4;
  refused(bytes, "no triangle of its vertices");
  EXPECT_FALSE(read_ply(folder / "missing.ply"));
}

TEST(SurfaceFile, UsdHasOneSampleAFrame) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_usd_frame(folder / "s.0007.usda", pyramid(), 7, {.fps = 30}));
  const std::string text = text_in(folder / "s.0007.usda");
  for (const char* part :
       {"#usda 1.0\n", "upAxis = \"Y\"", "metersPerUnit = 1\n", "timeCodesPerSecond = 30\n",
        "startTimeCode = 7\n", "def Mesh \"surface\"\n",
        "point3f[] points.timeSamples = {\n        7: [(0, 0, 0), (2, 0, 0), (0, 1.5, 0), (0, 0, 3.25)],",
        "int[] faceVertexCounts.timeSamples = {\n        7: [3, 3, 3, 3],",
        "int[] faceVertexIndices.timeSamples = {\n        7: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],",
        "vector3f[] velocities.timeSamples = {\n        7: [(1, 2, 3), (4, 5, 6), (-1, 0.5, 0), (0, 0, "
        "0.001)],",
        "float3[] extent.timeSamples = {\n        7: [(0, 0, 0), (2, 1.5, 3.25)],",
        "float[] primvars:_2nd_colour.timeSamples = {\n        7: [5, 6, 7, 8],"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
}

TEST(SurfaceFile, UsdSequenceNamesItsFrames) {
  const TemporaryFolder folder;
  const std::vector<UsdFrame> frames{{1, "s.0001.usda"}, {2, "s.0002.usda"}, {4, "s.0004.usda"}};
  ASSERT_TRUE(write_usd_sequence(folder / "s.usda", frames, pyramid()));
  EXPECT_EQ(folder.names(), (std::set<std::string>{"s.usda", "s.manifest.usda"}));
  const std::string text = text_in(folder / "s.usda");
  for (const char* part :
       {"double2[] active = [(1, 0), (2, 1), (4, 2)]", "double2[] times = [(1, 1), (2, 2), (4, 4)]",
        "asset[] assetPaths = [@./s.0001.usda@, @./s.0002.usda@, @./s.0004.usda@]",
        "asset manifestAssetPath = @./s.manifest.usda@", "string primPath = \"/surface\"",
        "endTimeCode = 4\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const std::string manifest = text_in(folder / "s.manifest.usda");
  for (const char* part : {"point3f[] points\n", "int[] faceVertexIndices\n", "vector3f[] velocities\n"})
    EXPECT_NE(manifest.find(part), std::string::npos) << part;
  EXPECT_TRUE(write_usd_sequence(folder / "none.usda", {}, {}));
}

// An @ ends a path that one begins.
TEST(SurfaceFile, UsdPathsMayHoldAnAt) {
  const TemporaryFolder folder;
  const std::vector<UsdFrame> frames{{1, "me@home.0001.usda"}, {2, "a@@@b.0002.usda"}};
  ASSERT_TRUE(write_usd_sequence(folder / "me@home.usda", frames, pyramid()));
  const std::string text = text_in(folder / "me@home.usda");
  for (const char* part : {R"([@@@./me@home.0001.usda@@@, @@@./a\@@@b.0002.usda@@@])",
                           "asset manifestAssetPath = @@@./me@home.manifest.usda@@@"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(SurfaceFile, AFullDiskLeavesTheOldFile) {
  const TemporaryFolder folder;
  write_text(folder / "s.ply", "old");
  SurfaceMesh large = pyramid();
  large.mesh.vertices.resize(100'000);
  large.velocity.resize(100'000);
  large.columns.clear();
  const FullDisk full(100'000);
  for (const auto& written : {write_ply(folder / "s.ply", large), write_obj(folder / "s.ply", large),
                              write_usd_frame(folder / "s.ply", large, 1)}) {
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::resources);
    EXPECT_NE(written.error().message.find("s.ply"), std::string::npos);
  }
  EXPECT_EQ(text_in(folder / "s.ply"), "old");
  EXPECT_EQ(folder.names(), std::set<std::string>{"s.ply"});
}

}  // namespace
}  // namespace whorl
