#include "base/json_text.h"
#include "io/vdb_info.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace whorl {

namespace {

std::string json_box(const VdbGridInfo& grid) {
  if (!grid.active_voxels) return "null";
  return fmt::format("[[{}],[{}]]", fmt::join(grid.first, ","), fmt::join(grid.last, ","));
}

std::string json_or_null(std::optional<double> x) { return x ? json_text(*x) : "null"; }

std::string to_json(const VdbGridInfo& grid) {
  return fmt::format(
      R"({{"name": {}, "type": {}, "half": {}, "class": {}, "vector_type": {}, "unit": {}, )"
      R"("voxel_size": {}, "origin": {}, "background": {}, "active_voxels": {}, "active_box": {}, )"
      R"("min": {}, "max": {}, "memory_bytes": {}}})",
      json_text(grid.name), json_text(grid.type), grid.half, json_text(grid.grid_class),
      json_text(grid.vector_type), json_text(grid.unit), json_list(grid.voxel_size), json_list(grid.origin),
      json_list(grid.background), grid.active_voxels, json_box(grid), json_or_null(grid.min),
      json_or_null(grid.max), grid.memory_bytes);
}

std::string json_value(const VdbMetadata& entry) {
  if (!entry.is_number) return json_text(entry.value);
  return std::isfinite(std::strtod(entry.value.c_str(), nullptr)) ? entry.value : "null";
}

std::string short_number(double x) { return fmt::format("{:.6g}", x == 0 ? 0 : x); }

std::string point(const std::array<double, 3>& x) {
  return fmt::format("{} {} {}", short_number(x[0]), short_number(x[1]), short_number(x[2]));
}
std::string point(const std::array<int, 3>& x) { return fmt::format("{}", fmt::join(x, " ")); }

std::string shown_value(const VdbMetadata& entry) {
  const bool fraction = entry.is_number && entry.value.find('.') != std::string::npos;
  return fraction ? short_number(std::strtod(entry.value.c_str(), nullptr)) : entry.value;
}

std::string bytes(std::uint64_t n) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double x = double(n);
  int unit = 0;
  while (x >= 1024 && unit < 4) x /= 1024, ++unit;
  return fmt::format("{:.{}f} {}", x, unit == 0 ? 0 : 1, units[unit]);
}

std::vector<std::string> table_row(const VdbGridInfo& grid) {
  const bool cubes = grid.voxel_size[0] == grid.voxel_size[1] && grid.voxel_size[1] == grid.voxel_size[2];
  return {grid.name,
          grid.half ? grid.type + " as half" : grid.type,
          grid.grid_class,
          fmt::format("{}", grid.active_voxels),
          grid.active_voxels ? point(grid.first) : "-",
          grid.active_voxels ? point(grid.last) : "-",
          grid.min ? short_number(*grid.min) : "-",
          grid.max ? short_number(*grid.max) : "-",
          grid.unit.empty() ? "-" : grid.unit,
          cubes ? short_number(grid.voxel_size[0]) : point(grid.voxel_size),
          point(grid.origin)};
}

// Columns as wide as their widest entry, two spaces between them; `numbers` has a letter a column, 'n' for
// those that stand to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows, const std::string& numbers) {
  std::vector<std::size_t> width(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += numbers[c] == 'n' ? fmt::format("{:>{}}  ", row[c], width[c])
                                : fmt::format("{:<{}}  ", row[c], width[c]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

}  // namespace

std::string to_json(const VdbInfo& info) {
  std::vector<std::string> metadata, grids;
  for (const VdbMetadata& entry : info.metadata)
    metadata.push_back(fmt::format("{}: {}", json_text(entry.name), json_value(entry)));
  for (const VdbGridInfo& grid : info.grids) grids.push_back(to_json(grid));
  return fmt::format("{{\"file_bytes\": {},\n \"metadata\": {{{}}},\n \"grids\": [{}]}}\n", info.file_bytes,
                     fmt::join(metadata, ", "), fmt::join(grids, ",\n           "));
}

std::string to_text(const VdbInfo& info) {
  std::vector<std::vector<std::string>> heading = {{"size", bytes(info.file_bytes)}};
  for (const VdbMetadata& entry : info.metadata) heading.push_back({entry.name, shown_value(entry)});
  std::vector<std::vector<std::string>> table = {
      {"grid", "type", "class", "active", "first", "last", "min", "max", "unit", "voxel", "voxel 0 at"}};
  for (const VdbGridInfo& grid : info.grids) table.push_back(table_row(grid));
  return aligned(heading, "--") + '\n' + (info.grids.empty() ? "no grids\n" : aligned(table, "---n--nn-n-"));
}

}  // namespace whorl
