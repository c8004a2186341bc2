#include "io/particle_file.h"

#include "base/check.h"
#include "io/output_buffer.h"
#include "io/ply_header.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

namespace whorl {

namespace {

constexpr const char* layout[] = {"double x", "double y", "double z", "float vx",
                                  "float vy", "float vz", "double id"};
constexpr std::size_t fixed_bytes = 3 * 8 + 3 * 4 + 8;
constexpr double largest_id = 0x1p53;

struct Header {
  std::uint64_t count = 0;
  std::vector<std::string> columns;
};

// What is wrong with the header, or nothing.
std::string parse_header(std::istream& in, Header& header) {
  std::vector<PlyElement> elements;
  if (const std::string wrong = read_ply_header(in, elements); !wrong.empty()) return wrong;
  for (const PlyElement& element : elements)
    if (&element != &elements.front() || element.name != "vertex")
      return fmt::format("it has an element '{}' besides particles", element.name);
  if (elements.empty() || elements.front().properties.size() < std::size(layout))
    return "its header lacks a line";
  const std::vector<std::string>& properties = elements.front().properties;
  std::set<std::string> names;
  for (std::size_t k = 0; k < properties.size(); ++k) {
    const std::string& property = properties[k];
    if (k < std::size(layout)) {
      if (property != layout[k]) return fmt::format("it has '{}' where '{}' belongs", property, layout[k]);
      continue;
    }
    const std::string name = property.substr(std::min(property.find(' ') + 1, property.size()));
    if (!property.starts_with("float ") || name.find(' ') != name.npos || !names.insert(name).second)
      return fmt::format("'property {}' is no column of floats of its own", property);
    header.columns.push_back(name);
  }
  header.count = elements.front().count;
  return "";
}

template <class T>
T take(const char*& from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  from += sizeof(T);
  return value;
}

// One particle; false where it cannot be one.
bool take_particle(const char* from, ParticleTable& table, std::size_t i) {
  bool good = true;
  for (int a = 0; a < 3; ++a) good &= std::isfinite(table.position[i][a] = take<double>(from));
  for (int a = 0; a < 3; ++a) good &= std::isfinite(table.velocity[i][a] = take<float>(from));
  const double id = take<double>(from);
  good = good && id >= 0 && id <= largest_id && id == std::floor(id);
  if (good) table.id[i] = std::uint64_t(id);
  for (NamedColumn& column : table.columns) column.values[i] = take<float>(from);
  return good;
}

}  // namespace

ParticleTable particle_table(const ParticleSet<3>& p, double h, const std::vector<std::string>& names) {
  CHECK(names.size() <= p.others.size(), names.size(), " names for ", p.others.size(),
        " that the particles carry");
  ParticleTable table;
  const std::size_t n = std::size_t(p.size());
  table.position.resize(n);
  table.velocity.resize(n);
  table.id.assign(p.id.begin(), p.id.end());
  for (std::size_t c = 0; c < names.size(); ++c)
    table.columns.push_back({names[c], {p.others[c].begin(), p.others[c].end()}});
  for (int tile = 0; n && tile < p.topology->tile_count(); ++tile)
    for (std::uint32_t i = p.tile_begin(tile); i < p.tile_end(tile); ++i)
      for (int a = 0; a < 3; ++a) {
        table.position[i][a] = h * (double(p.topology->tiles()[std::size_t(tile)][a]) * tile_side +
                                    double(p.position[std::size_t(a)][i]));
        table.velocity[i][a] = p.velocity[std::size_t(a)][i];
      }
  return table;
}

ParticleSet<3> particle_set(Exec& ex, ParticleTable table, const Domain<3>& domain, double h) {
  NewParticles<3> more{std::move(table.position), std::move(table.velocity)};
  for (auto& x : more.position)
    for (int a = 0; a < 3; ++a)
      x[a] = std::clamp(x[a] / h, double(domain.cells.lo[a]),
                        std::nextafter(double(domain.cells.hi[a]), -HUGE_VAL));
  ParticleSet<3> p;
  add_particles(ex, p, domain, more);
  for (const NamedColumn& column : table.columns) {
    Buffer<float> values = ex.buffer<float>(column.values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = column.values[p.id[i]];
    p.others.push_back(std::move(values));
  }
  p.made = 0;
  for (std::uint64_t& id : p.id) {
    id = table.id[id];
    p.made = std::max(p.made, id + 1);
  }
  return p;
}

Result<void> write_particles_ply(const std::string& path, const ParticleTable& p, UpAxis up) {
  const std::size_t n = p.position.size();
  CHECK(p.velocity.size() == n && p.id.size() == n, n, " places, ", p.velocity.size(), " velocities, ",
        p.id.size(), " ids");
  for (const NamedColumn& column : p.columns) CHECK(column.values.size() == n, column.name);
  return write_buffered(path, [&](OutputBuffer& out) {
    out.text("ply\nformat binary_little_endian 1.0\ncomment particles; metres, {} up\nelement vertex {}\n",
             up == UpAxis::z ? "z" : "y", n);
    for (const char* property : layout) out.text("property {}\n", property);
    for (const NamedColumn& column : p.columns) {
      CHECK(column.name.find_first_of(" \t\r\n") == std::string::npos && !column.name.empty(),
            "a column's name: '", column.name, "'");
      out.text("property float {}\n", column.name);
    }
    out.text("end_header\n");
    for (std::size_t i = 0; i < n; ++i) {
      out.binary(turned(p.position[i], up));
      out.binary(turned(p.velocity[i], up));
      out.binary(double(p.id[i]));
      for (const NamedColumn& column : p.columns) out.binary(column.values[i]);
    }
  });
}

Result<ParticleTable> read_particles_ply(const std::string& path) {
  const auto refuse = [&](const std::string& why) { return Error{ErrorCode::usage, path + ": " + why}; };
  std::ifstream in(path, std::ios::binary);
  if (!in) return refuse("it cannot be opened");
  Header header;
  if (const std::string wrong = parse_header(in, header); !wrong.empty()) return refuse(wrong);
  // How much there is, before any memory is asked for.
  const std::uint64_t bytes = bytes_left(in), each = fixed_bytes + 4 * header.columns.size();
  if (!in || bytes / each != header.count || bytes % each != 0)
    return refuse(fmt::format("it should hold {} particles of {} bytes, and holds {} bytes", header.count,
                              each, bytes));

  ParticleTable table;
  const std::size_t n = std::size_t(header.count);
  table.position.resize(n);
  table.velocity.resize(n);
  table.id.resize(n);
  for (const std::string& name : header.columns) table.columns.push_back({name, std::vector<float>(n)});
  constexpr std::size_t at_once = 4096;
  std::vector<char> buffer(at_once * each);
  for (std::size_t i = 0; i < n; i += at_once) {
    const std::size_t some = std::min(at_once, n - i);
    if (!in.read(buffer.data(), std::streamsize(some * each))) return refuse("it cannot be read");
    for (std::size_t k = 0; k < some; ++k)
      if (!take_particle(buffer.data() + k * each, table, i + k))
        return refuse(fmt::format("particle {} has a place, a velocity or an id that cannot be", i + k));
  }
  return table;
}

}  // namespace whorl
