#include "sim/initial.h"

#include "scene/quantities.h"
#include "scene/scene.h"
#include "sim/evaluate.h"
#include "sim/smoke_params.h"
#include "stages/box_cells.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {

namespace {

constexpr int first_reach = 8;  // tiles round the origin

template <int D>
using Tiles = std::vector<Coord<D>>;

template <int D>
void add_tiles(std::set<Coord<D>>& to, const Box<D>& tiles) {
  for_each_coord(tiles, [&](const Coord<D>& tile) { to.insert(tile); });
}

// Which of some tiles hold smoke at the start.
template <int D>
class InitialSmoke {
 public:
  InitialSmoke(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout)
      : ex_(ex),
        scene_(scene),
        layout_(layout),
        density_(ex, scene.smoke.initial_density),
        temperature_(ex, ambient_or_given()),
        others_(ex, quantities_of(scene)) {}

  // The keys of the scene that say there is something; empty where none does.
  std::vector<std::string> keys() const {
    const auto is_nothing = [](const Varying& value) {
      return value.constant() && value.at(0, 0, 0, 0) == 0;
    };
    std::vector<std::string> given;
    if (!is_nothing(scene_.smoke.initial_density)) given.push_back("smoke.initial_density");
    if (scene_.smoke.initial_temperature) given.push_back("smoke.initial_temperature");
    for (const CarriedQuantity& q : others_[0])
      if (!q.of_density && std::none_of(q.initial.begin(), q.initial.end(), is_nothing))
        given.push_back(q.key);
    return given;
  }

  Tiles<D> among(const Tiles<D>& tiles) const {
    std::vector<char> smoky(tiles.size());
    ex_.parallel_chunks(std::int64_t(tiles.size()), 4,
                        [&](std::int64_t begin, std::int64_t end, std::int64_t, int worker) {
                          for (std::int64_t k = begin; k < end; ++k)
                            smoky[std::size_t(k)] = holds_smoke(tiles[std::size_t(k)], worker);
                        });
    Tiles<D> found;
    for (std::size_t k = 0; k < tiles.size(); ++k)
      if (smoky[k]) found.push_back(tiles[k]);
    return found;
  }

 private:
  Varying ambient_or_given() const {
    return scene_.smoke.initial_temperature.value_or(Varying(scene_.smoke.ambient_temperature));
  }
  bool holds_smoke(const Coord<D>& tile, int worker) const {
    bool found = false;
    const Coord<D> first = tile * tile_side;
    for_each_coord(Box<D>{first, first + Coord<D>::filled(tile_side)}, [&](const Coord<D>& cell) {
      if (found || !layout_.domain.cells.contains(cell)) return;
      const Vec<double, D> x = layout_.centre(cell);
      const double heat = temperature_[worker].at(x, 0) - scene_.smoke.ambient_temperature;
      found = !(std::abs(density_[worker].at(x, 0)) <= scene_.smoke.density_threshold &&
                std::abs(heat) <= scene_.smoke.temperature_threshold);
      for (const CarriedQuantity& q : others_[worker]) {
        double value = 1;
        for (const Varying& factor : q.initial) value *= factor.at(x, 0);
        found = found || !(std::abs(value) <= q.threshold);
      }
    });
    return found;
  }

  Exec& ex_;
  const Scene<D>& scene_;
  const GridLayout<D>& layout_;
  PerWorker<Varying> density_, temperature_;
  PerWorker<std::vector<CarriedQuantity>> others_;
};

Error nothing_to_simulate(bool with_sources) {
  return {ErrorCode::invalid_scene,
          fmt::format("smoke: nothing in this scene makes smoke or heat{}; add a {}[[source]] or an "
                      "initial_density, or set sparse = false for a grid that fills the domain",
                      with_sources ? ": there is no inside to the shapes of its sources" : "",
                      with_sources ? "larger " : "")};
}

Error nothing_near(const std::vector<std::string>& keys) {
  return {ErrorCode::invalid_scene,
          fmt::format(
              "{}: there is nothing within {} cells of the origin or near a source, where a scene without "
              "a [domain] looks for it; move it there, or put a [domain] round it",
              fmt::join(keys, ", "), first_reach * tile_side)};
}

template <int D>
Error too_much(const std::vector<std::string>& keys, std::size_t tiles) {
  return {
      ErrorCode::resources,
      fmt::format("{}: more than {:.3g} cells are filled, more than memory holds; make it fade to {}, put a "
                  "[domain] round it, or use larger cells",
                  fmt::join(keys, ", "), double(tiles) * tile_cells<D>,
                  keys[0] == "smoke.initial_temperature" ? "the ambient temperature" : "zero")};
}

// From the tiles given outwards, as long as there is smoke.
template <int D>
Result<Tiles<D>> spread(const InitialSmoke<D>& smoke, const std::set<Coord<D>>& start, std::size_t most) {
  std::set<Coord<D>> seen = start, found;
  Tiles<D> front(start.begin(), start.end());
  while (!front.empty()) {
    std::set<Coord<D>> next;
    for (const Coord<D>& tile : smoke.among(front)) {
      found.insert(tile);
      add_tiles(next, Box<D>{tile - Coord<D>::filled(1), tile + Coord<D>::filled(2)});
    }
    if (found.size() > most) return too_much<D>(smoke.keys(), found.size());
    front.clear();
    for (const Coord<D>& tile : next)
      if (seen.insert(tile).second) front.push_back(tile);
  }
  return Tiles<D>(found.begin(), found.end());
}

template <int D>
Result<TopologyPtr<D>> initial_topology(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout) {
  if (!scene.smoke.sparse && scene.domain) return Topology<D>::of_box(ex, layout.domain);
  if (!scene.smoke.sparse)
    return Error{ErrorCode::invalid_scene,
                 "smoke.sparse: found false in a scene without a [domain] to fill; add a "
                 "[domain], or leave the key out"};

  const std::uint64_t memory = available_memory();
  const std::size_t most = std::size_t(memory ? memory : std::uint64_t(4) << 30) /
                           (std::size_t(tile_cells<D>) * smoke_bytes_per_cell);
  std::set<Coord<D>> wanted;
  for (const SourceConfig<D>& source : scene.source) {
    const Box<D> cells = source_cells(scene, source, layout);
    if (cells.volume() / (tile_cells<D>) > std::int64_t(most))
      return Error{
          ErrorCode::resources,
          "source." + source.name +
              ".shape: it covers more cells than memory holds; make it smaller, put a [domain] round "
              "the scene, or use larger cells"};
    add_tiles(wanted, tiles_of(cells));
  }
  const InitialSmoke<D> smoke(ex, scene, layout);
  if (!smoke.keys().empty()) {
    std::set<Coord<D>> start = wanted;
    if (scene.domain)
      add_tiles(start, tiles_of(layout.domain.cells));
    else
      add_tiles(start, Box<D>{Coord<D>::filled(-first_reach), Coord<D>::filled(first_reach)});
    Result<Tiles<D>> found = scene.domain ? Result<Tiles<D>>(smoke.among({start.begin(), start.end()}))
                                          : spread(smoke, start, most);
    if (!found) return found.error();
    if (found.value().empty() && !scene.domain) return nothing_near(smoke.keys());
    wanted.insert(found.value().begin(), found.value().end());
  }
  const auto may_come_in = [&](const SourceConfig<D>& source) {
    const auto carries_it = [&](const SolidConfig<D>& solid) {
      return solid.name == source.solid && !solid.motion.keys.empty();
    };
    return !source.motion.keys.empty() || std::any_of(scene.solid.begin(), scene.solid.end(), carries_it);
  };
  if (wanted.empty() && std::none_of(scene.source.begin(), scene.source.end(), may_come_in))
    return nothing_to_simulate(!scene.source.empty());

  // Clear air round it, as the first step will want.
  const int clear = (margin_of(scene, layout) + tile_side - 1) / tile_side;
  std::set<Coord<D>> all;
  for (const Coord<D>& tile : wanted)
    add_tiles(all, Box<D>{tile - Coord<D>::filled(clear), tile + Coord<D>::filled(clear + 1)});
  return Topology<D>::of_tiles(ex, layout.domain, {all.begin(), all.end()});
}

// The product of a quantity's factors.
template <int D>
Result<void> fill(Exec& ex, Field<float, D>& q, const CarriedQuantity& quantity,
                  const GridLayout<D>& layout) {
  q.fill(ex, 1);
  Field<float, D> factor(ex, q.topology());
  for (const Varying& value : quantity.initial) {
    if (Result<void> done = evaluate(ex, factor, at_centres, value, layout, 0, quantity.key); !done)
      return done;
    const FieldView<float, D> product = q.view();
    const FieldView<const float, D> f = std::as_const(factor).view();
    for_rows(ex, q.topology()->tile_set(),
             [=](const RowIndex<D>& r) { product.store(r, product(r) * f(r)); });
  }
  return {};
}

}  // namespace

template <int D>
Result<SmokeState<D>> initial_smoke(Exec& ex, const Scene<D>& scene, const GridLayout<D>& layout) {
  const Zone zone(ex.profile(), "initial_smoke");
  const Result<TopologyPtr<D>> topology = initial_topology(ex, scene, layout);
  if (!topology) return topology.error();
  const SmokeConfig<D>& smoke = scene.smoke;
  Vec<float, D> wind;
  for (int a = 0; a < D; ++a) wind[a] = float(smoke.wind[a]);
  const std::vector<CarriedQuantity> quantities = quantities_of(scene);
  SmokeState<D> s =
      make_smoke(ex, topology.value(), wind, float(smoke.ambient_temperature), quantities.size());

  Result<void> done =
      evaluate(ex, s.density, at_centres, smoke.initial_density, layout, 0, "smoke.initial_density");
  if (done && smoke.initial_temperature)
    done = evaluate(ex, s.temperature, at_centres, *smoke.initial_temperature, layout, 0,
                    "smoke.initial_temperature");
  for (std::size_t k = 0; k < quantities.size() && done; ++k)
    done = fill(ex, s.others[k], quantities[k], layout);
  for (int a = 0; a < D && done; ++a) {
    done = evaluate(ex, s.velocity[a], a, smoke.initial_velocity.component[std::size_t(a)], layout, 0,
                    "smoke.initial_velocity");
    const FieldView<float, D> u = s.velocity[a].view();
    const TopologyView<D> cells = s.topology()->view();
    const Lane<float> blow(wind[a]);
    for_rows(ex, s.topology()->tile_set(), [=](const RowIndex<D>& r) {
      u.store(r, select(Lane<float>::mask_from_bits(cells.live_face_bits(r, a)), u(r) + blow, blow));
    });
  }
  if (!done) return done.error();
  return s;
}

template Result<SmokeState<2>> initial_smoke(Exec&, const Scene<2>&, const GridLayout<2>&);
template Result<SmokeState<3>> initial_smoke(Exec&, const Scene<3>&, const GridLayout<3>&);

}  // namespace whorl
