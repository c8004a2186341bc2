#include "io/mesh_file.h"

#include "io/ply_header.h"
#include "io/process.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {
namespace {

constexpr std::string_view kinds[] = {".obj", ".ply", ".stl", ".gltf", ".glb"};

Error wrong(const std::string& path, const std::string& what) {
  return {ErrorCode::invalid_scene, path + ": " + what};
}

// The triangles of a node and of those below it.
void add_node(TriangleMesh& mesh, const aiScene& scene, const aiNode& node, const aiMatrix4x4& above) {
  const aiMatrix4x4 place = above * node.mTransformation;
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& part = *scene.mMeshes[node.mMeshes[m]];
    const int first = int(mesh.vertices.size());
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D x = place * part.mVertices[i];
      mesh.vertices.push_back({double(x.x), double(x.y), double(x.z)});
    }
    for (unsigned i = 0; i < part.mNumFaces; ++i) {
      const aiFace& face = part.mFaces[i];
      if (face.mNumIndices != 3) continue;
      std::array<int, 3> triangle;
      for (unsigned k = 0; k < 3; ++k) triangle[k] = first + int(face.mIndices[k]);
      mesh.triangles.push_back(triangle);
    }
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i) add_node(mesh, scene, *node.mChildren[i], place);
}

// Without vertices that no triangle has: a stray one far away would make the mesh look large.
TriangleMesh with_used_vertices(const TriangleMesh& mesh) {
  TriangleMesh used;
  std::vector<int> number(mesh.vertices.size(), -1);
  for (std::array<int, 3> triangle : mesh.triangles) {
    for (int& corner : triangle) {
      int& n = number[std::size_t(corner)];
      if (n < 0) n = int(used.vertices.size()), used.vertices.push_back(mesh.vertices[std::size_t(corner)]);
      corner = n;
    }
    used.triangles.push_back(triangle);
  }
  return used;
}

// A mesh as bytes, to go from one process to another: how many vertices, these, and the triangles.
std::string packed(const TriangleMesh& mesh) {
  const std::uint64_t vertices = mesh.vertices.size();
  std::string bytes;
  const auto append = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  append(&vertices, sizeof vertices);
  append(mesh.vertices.data(), vertices * sizeof mesh.vertices[0]);
  append(mesh.triangles.data(), mesh.triangles.size() * sizeof mesh.triangles[0]);
  return bytes;
}

TriangleMesh unpacked(std::string_view bytes) {
  std::uint64_t vertices = 0;
  const auto take = [&](void* data, std::size_t size) {
    if (size > 0) std::memcpy(data, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  take(&vertices, sizeof vertices);
  TriangleMesh mesh;
  mesh.vertices.resize(vertices);
  take(mesh.vertices.data(), vertices * sizeof mesh.vertices[0]);
  mesh.triangles.resize(bytes.size() / sizeof mesh.triangles[0]);
  take(mesh.triangles.data(), bytes.size());
  return mesh;
}

// Of the header of a PLY file, where Assimp would go round and round, or ask for memory without end. Empty:
// nothing.
std::string wrong_with_ply(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<PlyElement> elements;
  std::string wrong = read_ply_header(in, elements, PlyFormats::all);
  const std::uint64_t bytes = bytes_left(in);
  for (const PlyElement& element : elements)
    if (wrong.empty() && element.count > bytes)
      wrong =
          fmt::format("it should hold {} of '{}', and holds {} bytes", element.count, element.name, bytes);
  return wrong;
}

// All that Assimp finds in the file.
Result<std::string> packed_triangles(const std::string& path) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  // Looked over first, for a face with a corner that is not there would be read all the same; and nothing
  // mended: Whorl copes with what it finds.
  const aiScene* scene = importer.ReadFile(path, aiProcess_ValidateDataStructure);
  if (scene) scene = importer.ApplyPostProcessing(aiProcess_Triangulate | aiProcess_SortByPType);
  if (!scene || !scene->mRootNode) {
    const std::string why = importer.GetErrorString();
    return Error{ErrorCode::invalid_scene, why.empty() ? "it holds nothing" : why};
  }
  TriangleMesh mesh;
  add_node(mesh, *scene, *scene->mRootNode, aiMatrix4x4());
  return packed(with_used_vertices(mesh));
}

}  // namespace

Result<TriangleMesh> read_mesh(const std::string& path) {
  std::string kind = std::filesystem::path(path).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds))
    return wrong(path, fmt::format("a kind of file that holds no mesh; allowed: {}", fmt::join(kinds, ", ")));
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return wrong(path, "there is no such file");

  const auto cannot_read = [&](const std::string& why) {
    return wrong(path, fmt::format("it cannot be read as {}: {}", kind.substr(1), why));
  };
  if (kind == ".ply")
    if (const std::string why = wrong_with_ply(path); !why.empty()) return cannot_read(why);
  // Assimp crashes, hangs and leaks on some files that are damaged.
  const auto packed =
      read_apart(std::filesystem::file_size(path, failed), [&] { return packed_triangles(path); });
  if (!packed) return cannot_read("it is damaged");
  if (!*packed) return cannot_read(packed->error().message);
  const TriangleMesh mesh = unpacked(packed->value());
  if (mesh.triangles.empty()) return wrong(path, "it holds no triangles");
  if (cleaned(mesh).triangles.empty()) return wrong(path, "none of its triangles has an area");
  return mesh;
}

}  // namespace whorl
