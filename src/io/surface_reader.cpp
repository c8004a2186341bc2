#include "io/ply_header.h"
#include "io/surface_file.h"

#include <cstring>
#include <fstream>

#include <fmt/format.h>

namespace whorl {
namespace {

constexpr const char* place[] = {"float x", "float y", "float z"};
constexpr const char* motion[] = {"float vx", "float vy", "float vz"};

struct Layout {
  std::uint64_t vertices = 0, triangles = 0;
  bool has_velocity = false;
  std::vector<std::string> columns;

  std::uint64_t floats() const { return 3 + (has_velocity ? 3 : 0) + columns.size(); }  // a vertex
};

bool begins(const std::vector<std::string>& properties, std::size_t from, const char* const (&names)[3]) {
  if (properties.size() < from + 3) return false;
  for (std::size_t a = 0; a < 3; ++a)
    if (properties[from + a] != names[a]) return false;
  return true;
}

// What is wrong with the header, or nothing.
std::string parse_header(std::istream& in, Layout& layout) {
  std::vector<PlyElement> elements;
  if (const std::string wrong = read_ply_header(in, elements); !wrong.empty()) return wrong;
  if (elements.size() != 2 || elements[0].name != "vertex" || elements[1].name != "face")
    return "it is not vertices and faces alone";
  const std::vector<std::string>& properties = elements[0].properties;
  if (!begins(properties, 0, place)) return "its vertices do not begin with float x, y and z";
  layout.has_velocity = begins(properties, 3, motion);
  for (std::size_t k = layout.has_velocity ? 6 : 3; k < properties.size(); ++k) {
    if (!properties[k].starts_with("float "))
      return fmt::format("its vertices have '{}', which is no float", properties[k]);
    layout.columns.push_back(properties[k].substr(6));
  }
  if (elements[1].properties != std::vector<std::string>{"list uchar int vertex_indices"})
    return "its faces are not 'list uchar int vertex_indices'";
  layout.vertices = elements[0].count;
  layout.triangles = elements[1].count;
  return "";
}

}  // namespace

Result<SurfaceMesh> read_ply(const std::string& path) {
  const auto refuse = [&](const std::string& why) { return Error{ErrorCode::usage, path + ": " + why}; };
  std::ifstream in(path, std::ios::binary);
  if (!in) return refuse("it cannot be opened");
  Layout layout;
  if (const std::string wrong = parse_header(in, layout); !wrong.empty()) return refuse(wrong);
  constexpr std::uint64_t triangle_bytes = 1 + 3 * 4;
  // How much there is, before any memory is asked for.
  const std::uint64_t bytes = bytes_left(in), stride = 4 * layout.floats();
  if (layout.vertices > bytes / stride || layout.triangles > bytes / triangle_bytes ||
      layout.vertices * stride + layout.triangles * triangle_bytes != bytes)
    return refuse(fmt::format("it should hold {} vertices of {} bytes and {} triangles, and holds {} bytes",
                              layout.vertices, stride, layout.triangles, bytes));

  SurfaceMesh surface;
  for (const std::string& name : layout.columns)
    surface.columns.push_back({name, std::vector<float>(layout.vertices)});
  surface.mesh.vertices.resize(layout.vertices);
  if (layout.has_velocity) surface.velocity.resize(layout.vertices);
  std::vector<float> vertex(layout.floats());
  for (std::size_t i = 0; i < layout.vertices; ++i) {
    in.read(reinterpret_cast<char*>(vertex.data()), std::streamsize(stride));
    const float* value = vertex.data();
    for (int a = 0; a < 3; ++a) surface.mesh.vertices[i][a] = double(*value++);
    for (int a = 0; a < 3 && layout.has_velocity; ++a) surface.velocity[i][a] = *value++;
    for (NamedColumn& column : surface.columns) column.values[i] = *value++;
  }
  surface.mesh.triangles.resize(layout.triangles);
  for (std::array<int, 3>& triangle : surface.mesh.triangles) {
    char face[triangle_bytes];
    in.read(face, triangle_bytes);
    std::memcpy(triangle.data(), face + 1, 3 * 4);
    bool good = face[0] == 3;
    for (const int corner : triangle) good = good && corner >= 0 && std::uint64_t(corner) < layout.vertices;
    if (!good) return refuse("it has a face that is no triangle of its vertices");
  }
  if (!in) return refuse("it cannot be read");
  return surface;
}

}  // namespace whorl
