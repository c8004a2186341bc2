// Meshes from files of every kind, good and bad.
#include "io/mesh_file.h"
#include "geometry/mesh_distance.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>

namespace whorl {
namespace {

// A tetrahedron whose coordinates floats hold.
const float corner[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1.5f, 0}, {0.25f, 0.5f, 3}};
const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

// The triangles as corners, each beginning with its least, in order: what does not depend on the kind of
// file.
std::vector<std::array<Vec<double, 3>, 3>> sorted(const TriangleMesh& mesh) {
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    Triangle t = corners(mesh, i);
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    triangles.push_back(t);
  }
  std::sort(triangles.begin(), triangles.end(), [](const Triangle& x, const Triangle& y) {
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  return triangles;
}

std::vector<Triangle> expected(const Vec<double, 3>& moved = {}) {
  TriangleMesh mesh;
  for (const auto& x : corner) mesh.vertices.push_back(Vec<double, 3>{x[0], x[1], x[2]} + moved);
  for (const auto& t : face) mesh.triangles.push_back({t[0], t[1], t[2]});
  return sorted(mesh);
}

template <class T>
std::string line(const char* first, const T* x, int more = 0) {
  std::ostringstream text;
  text << first << ' ' << x[0] + more << ' ' << x[1] + more << ' ' << x[2] + more << '\n';
  return text.str();
}

template <class T>
void append(std::string& bytes, const T& value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}

std::string obj_text() {
  std::string text = "o tetrahedron\n";
  for (const auto& x : corner) text += line("v", x);
  for (const auto& t : face) text += line("f", t, 1);
  return text;
}

std::string ply_header(int vertices, int faces) {
  std::ostringstream text;
  text << "ply\nformat ascii 1.0\nelement vertex " << vertices
       << "\nproperty float x\nproperty float y\nproperty float z\nelement face " << faces
       << "\nproperty list uchar int vertex_indices\nend_header\n";
  return text.str();
}

// `more` stands after the vertices and has so many of them.
std::string ply_text(const std::string& more = "", int more_vertices = 0) {
  std::string text = ply_header(4 + more_vertices, 4);
  for (const auto& x : corner) text += line("", x);
  text += more;
  for (const auto& t : face) text += line("3", t);
  return text;
}

std::string stl_bytes() {
  std::string bytes(80, ' ');
  append(bytes, std::uint32_t(4));
  for (const auto& t : face) {
    for (int i = 0; i < 3; ++i) append(bytes, 0.f);
    for (const int i : t)
      for (const float x : corner[i]) append(bytes, x);
    append(bytes, std::uint16_t(0));
  }
  return bytes;
}

// The buffer of the glTF files: indices, then places.
std::string gltf_buffer() {
  std::string bytes;
  for (const auto& t : face)
    for (const int i : t) append(bytes, std::uint16_t(i));
  for (const auto& x : corner)
    for (const float c : x) append(bytes, c);
  return bytes;
}

// With the mesh in a node of a node, so moved by (1, 2, 3).
std::string gltf_json(const std::string& buffer) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"translation":[1,2,0],"children":[1]},{"translation":[0,0,3],"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":1},"indices":0}]}],
"accessors":[{"bufferView":0,"componentType":5123,"count":12,"type":"SCALAR"},
{"bufferView":1,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[2,1.5,3]}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":24},{"buffer":0,"byteOffset":24,"byteLength":48}],
"buffers":[{)" +
         buffer + R"("byteLength":72}]})";
}

std::string glb_bytes() {
  std::string json = gltf_json("");
  while (json.size() % 4) json += ' ';
  std::string bytes;
  append(bytes, std::uint32_t(0x46546C67));
  append(bytes, std::uint32_t(2));
  append(bytes, std::uint32_t(12 + 8 + json.size() + 8 + 72));
  append(bytes, std::uint32_t(json.size()));
  append(bytes, std::uint32_t(0x4E4F534A));
  bytes += json;
  append(bytes, std::uint32_t(72));
  append(bytes, std::uint32_t(0x004E4942));
  return bytes + gltf_buffer();
}

std::vector<Triangle> read_sorted(const std::string& path) {
  const Result<TriangleMesh> mesh = read_mesh(path);
  EXPECT_TRUE(mesh) << (mesh ? "" : mesh.error().message);
  return mesh ? sorted(mesh.value()) : std::vector<Triangle>();
}

TEST(MeshFile, EveryKindGivesTheSameMesh) {
  const TemporaryFolder folder;
  write_text(folder / "t.obj", obj_text());
  write_text(folder / "t.ply", ply_text());
  write_text(folder / "t.STL", stl_bytes());
  write_text(folder / "t.bin", gltf_buffer());
  write_text(folder / "t.gltf", gltf_json(R"("uri":"t.bin",)"));
  write_text(folder / "t.glb", glb_bytes());
  for (const char* name : {"t.obj", "t.ply", "t.STL"})
    EXPECT_EQ(read_sorted(folder / name), expected()) << name;
  for (const char* name : {"t.gltf", "t.glb"})
    EXPECT_EQ(read_sorted(folder / name), expected({1, 2, 3})) << name << ", placed by its nodes";
}

TEST(MeshFile, QuadsAreCutAndLinesLeftOut) {
  const TemporaryFolder folder;
  write_text(folder / "q.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nl 1 3\n");
  const Result<TriangleMesh> mesh = read_mesh(folder / "q.obj");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh.value().triangles.size(), 2u);
  EXPECT_NEAR(surface_area(mesh.value()), 1, 1e-12);
}

TEST(MeshFile, BrokenMeshesAreReadAsTheyAre) {
  const TemporaryFolder folder;
  write_text(folder / "b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3\nf 1 1 2\n");
  const Result<TriangleMesh> mesh = read_mesh(folder / "b.obj");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_GE(mesh.value().triangles.size(), 2u);
  EXPECT_EQ(cleaned(mesh.value()).triangles.size(), 1u);
}

TEST(MeshFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  write_text(folder / "bunny.blend", "x");
  write_text(folder / "points.obj", "v 0 0 0\nv 1 0 0\n");
  write_text(folder / "lines.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
  write_text(folder / "text.ply", "this is no mesh\n");
  write_text(folder / "cut.stl", stl_bytes().substr(0, 100));
  write_text(folder / "text.gltf", "{");
  write_text(folder / "empty.gltf",
             R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"here"}]})");
  const auto said = [&](const std::string& name) {
    const Result<TriangleMesh> mesh = read_mesh(folder / name);
    EXPECT_FALSE(mesh) << name;
    EXPECT_TRUE(mesh || mesh.error().code == ErrorCode::invalid_scene) << name;
    return mesh ? std::string() : mesh.error().message;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(said("missing.obj"), "missing.obj: there is no such file"));
  EXPECT_TRUE(has(said("bunny.blend"), "allowed: .obj, .ply, .stl, .gltf, .glb")) << said("bunny.blend");
  EXPECT_TRUE(has(said("points.obj"), "points.obj: it ")) << said("points.obj");
  EXPECT_TRUE(has(said("lines.obj"), "lines.obj: it ")) << said("lines.obj");
  EXPECT_TRUE(has(said("empty.gltf"), "empty.gltf: it holds no triangles")) << said("empty.gltf");
  for (const char* name : {"text.ply", "cut.stl", "text.gltf"})
    EXPECT_TRUE(has(said(name), "it cannot be read as")) << said(name);
}

// Assimp would never come back from these.
TEST(MeshFile, APlyFileHasAHeaderThatEnds) {
  const TemporaryFolder folder;
  const std::string good = ply_header(3, 1) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const auto said = [&](const std::string& text) {
    write_text(folder / "t.ply", text);
    const Result<TriangleMesh> mesh = read_mesh(folder / "t.ply");
    return mesh ? std::string() : mesh.error().message;
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  };
  EXPECT_EQ(said(good), "");
  EXPECT_EQ(said(replaced("\n", "\r\n")), "");
  EXPECT_NE(said(replaced("end_header\n", "")).find("its header has"), std::string::npos);
  EXPECT_NE(said(replaced("vertex 3", "vertex 4000000000")).find("it should hold 4000000000 of 'vertex'"),
            std::string::npos);
}

// Reading a square and one more face of it that has a corner which is not there.
void expect_face_is_refused(const std::string& last) {
  const TemporaryFolder folder;
  const std::string places = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
  write_text(folder / "t.ply", ply_header(4, 2) + places + "3 0 1 2\n" + last + "\n");
  const Result<TriangleMesh> mesh = read_mesh(folder / "t.ply");
  ASSERT_FALSE(mesh) << last;
  EXPECT_EQ(mesh.error().code, ErrorCode::invalid_scene) << last;
  EXPECT_NE(mesh.error().message.find("t.ply: it cannot be read as ply"), std::string::npos)
      << mesh.error().message;
}
TEST(MeshFile, ATriangleWithACornerThatIsNotThereIsAnError) {
  for (const char* last : {"3 0 1 4", "3 0 2 1000000000", "3 0 1 -1"}) {
    expect_face_is_refused(last);
    if (HasFatalFailure()) return;
  }
}
TEST(MeshFile, AQuadWithACornerThatIsNotThereIsAnError) {
  for (const char* last : {"4 0 1 2 4", "4 0 1 2 99999", "4 9 1 2 3"}) {
    expect_face_is_refused(last);
    if (HasFatalFailure()) return;
  }
}

TEST(MeshFile, AMeshThatIsOnePointIsAnError) {
  const TemporaryFolder folder;
  write_text(folder / "p.ply", ply_header(4, 2) + "1 2 3\n1 2 3\n1 2 3\n1 2 3\n3 0 1 2\n3 0 2 3\n");
  const Result<TriangleMesh> mesh = read_mesh(folder / "p.ply");
  ASSERT_FALSE(mesh);
  EXPECT_NE(mesh.error().message.find("none of its triangles has an area"), std::string::npos)
      << mesh.error().message;
}

// A vertex far away that no face has does not make the mesh look large: its cells and distances are the same.
TEST(MeshFile, AStrayVertexDoesNotMatter) {
  const TemporaryFolder folder;
  write_text(folder / "t.ply", ply_text());
  write_text(folder / "s.ply", ply_text("1e6 -2e6 3e6\n", 1));
  const Result<TriangleMesh> mesh = read_mesh(folder / "t.ply"), stray = read_mesh(folder / "s.ply");
  ASSERT_TRUE(mesh && stray);
  EXPECT_EQ(stray.value().vertices.size(), mesh.value().vertices.size());
  EXPECT_EQ(sorted(stray.value()), expected());
  const double cell = mesh_cell_size(mesh.value(), 0.1, 3);
  ASSERT_EQ(mesh_cell_size(stray.value(), 0.1, 3), cell);
  Exec ex({.threads = 2});
  const MeshDistance alone(ex, mesh.value(), cell), with_stray(ex, stray.value(), cell);
  for (const Vec<double, 3>& x :
       {Vec<double, 3>{0.4, 0.4, 0.3}, Vec<double, 3>{1, 1, 1}, Vec<double, 3>{-3, 5, 2}})
    EXPECT_NEAR(with_stray.distance(x), alone.distance(x), 1e-9) << x;
  EXPECT_LT(alone.distance({0.4, 0.4, 0.3}), 0);
}

}  // namespace
}  // namespace whorl
