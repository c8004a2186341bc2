#include "sim/evaluate.h"

#include "stages/box_cells.h"

#include <cmath>

#include <fmt/format.h>

namespace whorl {

namespace {

Error not_finite(const std::string& key, double value, const std::string& place, double t) {
  return {ErrorCode::invalid_scene,
          fmt::format("{}: its expression gives {} at {}t = {:.6g} s; it must give a number everywhere", key,
                      value, place, t)};
}

template <int D>
std::string text_of(const Vec<double, D>& x) {
  std::string text;
  for (int a = 0; a < D; ++a) text += fmt::format("{} = {:.6g}, ", "xyz"[a], x[a]);
  return text;
}

}  // namespace

template <int D>
Result<void> evaluate(Exec& ex, Field<float, D>& out, int location, const Varying& value,
                      const GridLayout<D>& layout, double t, const std::string& key) {
  const Topology<D>& topology = *out.topology();
  const TopologyView<D> cells = topology.view();
  const PerWorker<Varying> values(ex, value);
  std::vector<std::int64_t> wrong(std::size_t(topology.tile_count()), -1);  // a place in the tile
  ex.parallel_chunks(
      topology.tile_count(), 1, [&](std::int64_t begin, std::int64_t end, std::int64_t, int worker) {
        for (std::int64_t tile = begin; tile < end; ++tile) {
          const Coord<D> first = topology.tiles()[std::size_t(tile)] * tile_side;
          float* place = out.data() + std::size_t(tile) * tile_cells<D>;
          CellIndex<D> i{
              int(tile), topology.tile_set().neighbours + std::size_t(tile) * neighbourhood<D>, {}};
          std::int64_t k = 0;
          for_each_coord(Box<D>{first, first + Coord<D>::filled(tile_side)}, [&](const Coord<D>& c) {
            i.at = c - first;
            const bool lives =
                location == at_centres ? cells.active_bits(i) : cells.live_face_bits(i, location);
            if (!lives) {  // beyond the domain a formula need not have a value
              place[k++] = out.background();
              return;
            }
            const double x =
                values[worker].at(layout.origin + sample_place(c, location, layout.cell_size), t);
            if (!std::isfinite(float(x))) wrong[std::size_t(tile)] = k;
            place[k++] = float(x);
          });
        }
      });
  for (std::size_t tile = 0; tile < wrong.size(); ++tile) {
    if (wrong[tile] < 0) continue;
    Coord<D> cell = topology.tiles()[tile] * tile_side;
    std::int64_t rest = wrong[tile];
    for (int a = D - 1; a >= 0; --a, rest /= tile_side) cell[a] += int(rest % tile_side);
    const Vec<double, D> x = layout.origin + sample_place(cell, location, layout.cell_size);
    return not_finite(key, value.at(x, t), text_of(x), t);
  }
  return {};
}

template <int D>
Result<CellValues<D>> evaluate(const Box<D>& cells, int location, const Varying& value,
                               const GridLayout<D>& layout, double t, const std::string& key) {
  if (!value.depends_on_space()) {
    const Result<double> number = evaluate(value, t, key);
    if (!number) return number.error();
    return CellValues<D>(float(number.value()));
  }
  std::vector<float> each;
  each.reserve(std::size_t(cells.volume()));
  std::optional<Error> wrong;
  for_each_coord(cells, [&](const Coord<D>& c) {
    const Vec<double, D> x = layout.origin + sample_place(c, location, layout.cell_size);
    each.push_back(float(value.at(x, t)));
    if (!wrong && !std::isfinite(each.back())) wrong = not_finite(key, each.back(), text_of(x), t);
  });
  if (wrong) return *wrong;
  return CellValues<D>(cells, std::move(each));
}

Result<double> evaluate(const Varying& value, double t, const std::string& key) {
  const double x = value.at(0, 0, 0, t);
  if (!std::isfinite(float(x))) return not_finite(key, x, "", t);
  return x;
}

template Result<void> evaluate(Exec&, Field<float, 2>&, int, const Varying&, const GridLayout<2>&, double,
                               const std::string&);
template Result<void> evaluate(Exec&, Field<float, 3>&, int, const Varying&, const GridLayout<3>&, double,
                               const std::string&);
template Result<CellValues<2>> evaluate(const Box<2>&, int, const Varying&, const GridLayout<2>&, double,
                                        const std::string&);
template Result<CellValues<3>> evaluate(const Box<3>&, int, const Varying&, const GridLayout<3>&, double,
                                        const std::string&);

}  // namespace whorl
