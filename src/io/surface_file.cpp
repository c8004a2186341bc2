#include "io/surface_file.h"

#include "base/check.h"
#include "io/output_buffer.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace whorl {

namespace {

using Points = std::vector<Vec<double, 3>>;

// What is written has one value a vertex, or none.
void check_sizes(const SurfaceMesh& surface) {
  const std::size_t n = surface.mesh.vertices.size();
  CHECK(surface.velocity.empty() || surface.velocity.size() == n, surface.velocity.size(), " velocities for ",
        n, " vertices");
  for (const NamedColumn& column : surface.columns)
    CHECK(column.values.size() == n, column.name, " has ", column.values.size(), " values for ", n,
          " vertices");
}

// A name that USD takes: letters, digits and underscores, no digit first.
std::string identifier(const std::string& name) {
  std::string made = name;
  for (char& c : made)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return made.empty() || std::isdigit(static_cast<unsigned char>(made[0])) ? "_" + made : made;
}

// The last line of a layer's metadata and the mesh's first, without what it holds.
void begin_layer(OutputBuffer& out, const UsdOptions& options, int first, int last) {
  out.text("#usda 1.0\n(\n    defaultPrim = \"{}\"\n    upAxis = \"Y\"\n    metersPerUnit = 1\n",
           identifier(options.prim));
  out.text("    timeCodesPerSecond = {0}\n    framesPerSecond = {0}\n", options.fps);
  out.text("    startTimeCode = {}\n    endTimeCode = {}\n)\n\n", first, last);
}

template <class Values, class Write>
void time_sample(OutputBuffer& out, const char* declaration, int frame, const Values& values,
                 const Write& write) {
  out.text("    {}.timeSamples = {{\n        {}: [", declaration, frame);
  bool first = true;
  for (const auto& value : values) {
    if (!first) out.text(", ");
    first = false;
    write(value);
  }
  out.text("],\n    }}\n");
}

// A quoted path of an asset: within @, or within @@@ where it has an @ itself.
std::string asset(std::string file) {
  if (file.find('@') == std::string::npos) return fmt::format("@./{}@", file);
  for (std::size_t at = 0; (at = file.find("@@@", at)) != std::string::npos; at += 4)
    file.insert(at, 1, '\\');
  return fmt::format("@@@./{}@@@", file);
}

}  // namespace

Result<void> write_ply(const std::string& path, const SurfaceMesh& surface, UpAxis up) {
  check_sizes(surface);
  const TriangleMesh& mesh = surface.mesh;
  return write_buffered(path, [&](OutputBuffer& out) {
    out.text("ply\nformat binary_little_endian 1.0\ncomment metres, {} up\nelement vertex {}\n",
             up == UpAxis::z ? "z" : "y", mesh.vertices.size());
    for (const char* name : {"x", "y", "z"}) out.text("property float {}\n", name);
    if (!surface.velocity.empty())
      for (const char* name : {"vx", "vy", "vz"}) out.text("property float {}\n", name);
    for (const NamedColumn& column : surface.columns)
      out.text("property float {}\n", identifier(column.name));
    out.text("element face {}\nproperty list uchar int vertex_indices\nend_header\n", mesh.triangles.size());
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      out.binary(turned(convert<float>(mesh.vertices[i]), up));
      if (!surface.velocity.empty()) out.binary(turned(surface.velocity[i], up));
      for (const NamedColumn& column : surface.columns) out.binary(column.values[i]);
    }
    for (const std::array<int, 3>& t : mesh.triangles) {
      out.binary(std::uint8_t(3));
      out.binary(t);
    }
  });
}

Result<void> write_obj(const std::string& path, const SurfaceMesh& surface) {
  return write_buffered(path, [&](OutputBuffer& out) {
    for (const auto& x : surface.mesh.vertices)
      out.text("v {} {} {}\n", float(x[0]), float(x[1]), float(x[2]));
    for (const auto& t : surface.mesh.triangles) out.text("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  });
}

Result<void> write_usd_frame(const std::string& path, const SurfaceMesh& surface, int frame,
                             const UsdOptions& options) {
  check_sizes(surface);
  return write_buffered(path, [&](OutputBuffer& out) {
    begin_layer(out, options, frame, frame);
    out.text("def Mesh \"{}\"\n{{\n    uniform token subdivisionScheme = \"none\"\n",
             identifier(options.prim));
    const auto number = [&](const auto& x) { out.text("{}", x); };
    const auto vector = [&](const auto& x) {
      out.text("({}, {}, {})", float(x[0]), float(x[1]), float(x[2]));
    };
    const TriangleMesh& mesh = surface.mesh;
    Vec<double, 3> extent[2] = {};
    if (!mesh.vertices.empty()) extent[0] = extent[1] = mesh.vertices[0];
    for (const auto& x : mesh.vertices)
      for (int a = 0; a < 3; ++a) {
        extent[0][a] = std::min(extent[0][a], x[a]);
        extent[1][a] = std::max(extent[1][a], x[a]);
      }
    time_sample(out, "float3[] extent", frame, extent, vector);
    time_sample(out, "int[] faceVertexCounts", frame, mesh.triangles, [&](const auto&) { out.text("3"); });
    time_sample(out, "int[] faceVertexIndices", frame, mesh.triangles,
                [&](const auto& t) { out.text("{}, {}, {}", t[0], t[1], t[2]); });
    time_sample(out, "point3f[] points", frame, mesh.vertices, vector);
    if (!surface.velocity.empty()) time_sample(out, "vector3f[] velocities", frame, surface.velocity, vector);
    for (const NamedColumn& column : surface.columns) {
      const std::string name = identifier(column.name);
      out.text("    float[] primvars:{} (\n        interpolation = \"vertex\"\n    )\n", name);
      time_sample(out, ("float[] primvars:" + name).c_str(), frame, column.values, number);
    }
    out.text("}}\n");
  });
}

Result<void> write_usd_sequence(const std::string& path, std::span<const UsdFrame> frames,
                                const SurfaceMesh& surface, const UsdOptions& options) {
  const std::string prim = identifier(options.prim);
  const std::filesystem::path place(path);
  const std::string manifest = place.stem().string() + ".manifest.usda";
  const Result<void> listed = write_buffered(place.parent_path() / manifest, [&](OutputBuffer& out) {
    out.text("#usda 1.0\n(\n    defaultPrim = \"{0}\"\n)\n\nover \"{0}\"\n{{\n", prim);
    for (const char* varying :
         {"float3[] extent", "int[] faceVertexCounts", "int[] faceVertexIndices", "point3f[] points"})
      out.text("    {}\n", varying);
    if (!surface.velocity.empty()) out.text("    vector3f[] velocities\n");
    for (const NamedColumn& column : surface.columns)
      out.text("    float[] primvars:{}\n", identifier(column.name));
    out.text("}}\n");
  });
  if (!listed) return listed;
  return write_buffered(path, [&](OutputBuffer& out) {
    begin_layer(out, options, frames.empty() ? 0 : frames.front().frame,
                frames.empty() ? 0 : frames.back().frame);
    out.text("def Mesh \"{}\" (\n    clips = {{\n        dictionary default = {{\n", prim);
    const auto list = [&](const char* declaration, const auto& item) {
      out.text("            {} = [", declaration);
      for (std::size_t k = 0; k < frames.size(); ++k) out.text("{}{}", k ? ", " : "", item(k));
      out.text("]\n");
    };
    list("double2[] active", [&](std::size_t k) { return fmt::format("({}, {})", frames[k].frame, k); });
    list("asset[] assetPaths", [&](std::size_t k) { return asset(frames[k].file); });
    out.text("            asset manifestAssetPath = {}\n", asset(manifest));
    out.text("            string primPath = \"/{}\"\n", prim);
    list("double2[] times", [&](std::size_t k) { return fmt::format("({0}, {0})", frames[k].frame); });
    out.text("        }}\n    }}\n)\n{{\n    uniform token subdivisionScheme = \"none\"\n");
    for (const NamedColumn& column : surface.columns)
      out.text("    float[] primvars:{} (\n        interpolation = \"vertex\"\n    )\n",
               identifier(column.name));
    out.text("}}\n");
  });
}

}  // namespace whorl
