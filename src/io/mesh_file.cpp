#include "io/mesh_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
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

}  // namespace

Result<TriangleMesh> read_mesh(const std::string& path) {
  std::string kind = std::filesystem::path(path).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds))
    return wrong(path, fmt::format("a kind of file that holds no mesh; allowed: {}", fmt::join(kinds, ", ")));
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return wrong(path, "there is no such file");

  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  // Looked over first, for a face with a corner that is not there would be read all the same; and nothing
  // mended: Whorl copes with what it finds.
  const aiScene* scene = importer.ReadFile(path, aiProcess_ValidateDataStructure);
  if (scene) scene = importer.ApplyPostProcessing(aiProcess_Triangulate | aiProcess_SortByPType);
  if (!scene || !scene->mRootNode) {
    std::string why = importer.GetErrorString();
    if (why.empty()) why = "it holds nothing";
    return wrong(path, fmt::format("it cannot be read as {}: {}", kind.substr(1), why));
  }
  TriangleMesh mesh;
  add_node(mesh, *scene, *scene->mRootNode, aiMatrix4x4());
  mesh = with_used_vertices(mesh);
  if (mesh.triangles.empty()) return wrong(path, "it holds no triangles");
  if (cleaned(mesh).triangles.empty()) return wrong(path, "none of its triangles has an area");
  return mesh;
}

}  // namespace whorl
