#include "sim/random_scene.h"

#include "scene/catalogue.h"
#include "sim/random_room.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {
namespace {

std::string text_of(double x) { return fmt::format("{:.5g}", x); }

std::string text_of(const std::vector<double>& x) {
  if (x.size() == 1) return text_of(x[0]);
  std::vector<std::string> entries;
  for (const double entry : x) entries.push_back(text_of(entry));
  return toml_list(entries);
}

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::optional<double> number_in(const std::string& text) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size() || x == 0) return {};
  return x;
}

// Where in the scene a key is.
struct Place {
  std::string path;
  const SceneKey* table = nullptr;  // that it is in
  int entry = 0;                    // of the list that it is in
  bool local = false;               // of something with a shape
  int depth = 0;                    // of nested shapes

  Place at(const std::string& name, const SceneKey& in) const {
    Place below = *this;
    below.path += (path.empty() ? "" : ".") + name;
    below.table = &in;
    return below;
  }
};

class Generator {
 public:
  Generator(std::uint64_t number, const std::string& solver)
      : number_(number),
        solver_(solver),
        dimension_(Dice(number, "dimension").chance(0.25) ? 2 : 3),
        catalogue_(catalogue(dimension_)),
        room_(draw_room(number, dimension_)) {
    if (solver_ == "liquid") room_.bounded = true;  // it needs walls
    draw_sides();
  }

  std::string scene() const {
    std::string keys, tables;
    for (const SceneKey& key : catalogue_.scene.keys) {
      const Place place = Place().at(key.name, catalogue_.scene);
      if (!is_of_scene(key)) continue;
      if (key.kind == KeyKind::list) {
        for (int k = 0; k < entries_in(key, place); ++k)
          tables += fmt::format("\n[[{}]]\n{}", key.name, lines(key, entry(place, k, key)));
      } else if (!is_given(key, place)) {
        continue;
      } else if (key.kind == KeyKind::table) {
        tables += fmt::format("\n[{}]\n{}", key.name, lines(key, place));
      } else if (const std::string value = value_of(key, place); !value.empty()) {
        keys += key.name + " = " + value + "\n";
      }
    }
    return keys + tables;
  }

 private:
  using Entries = std::vector<std::pair<std::string, std::string>>;  // keys and values

  Dice dice(const Place& place, std::string_view about = "") const {
    return Dice(number_, fmt::format("{}#{}", place.path, about));
  }

  // ---- tables and lists

  bool has(const std::string& table) const {
    return is_given(*catalogue_.find(table), Place().at(table, catalogue_.scene));
  }
  int count(const std::string& list) const {
    return entries_in(*catalogue_.find(list), Place().at(list, catalogue_.scene));
  }
  // Beside a key: another one of its table.
  bool beside(const std::string& name, const Place& place) const {
    Place other = place;
    other.path = place.path.substr(0, place.path.rfind('.') + 1) + name;
    return is_given(*place.table->find(name), other);
  }

  bool is_of_scene(const SceneKey& key) const {
    return (key.solver.empty() || key.solver == solver_) && (dimension_ == 3 || !key.only_3d);
  }

  // Whether a key of a source goes with the rest of the scene. Some that do not are drawn all the same, and
  // refused.
  bool fits(const SceneKey& key, const Place& place) const {
    if (!is_of_scene(key)) return dice(place, "unfit").chance(0.001);
    if (!place.path.starts_with("source.") || place.table != catalogue_.find("source")) return true;
    const std::string entry = place.path.substr(0, place.path.rfind('.'));
    const bool on_solid = count("solid") > 0 && Dice(number_, entry + "#on_solid").chance(0.2);
    if (dice(place, "unfit").chance(0.005)) return true;
    if (solver_ == "liquid") {  // a spout or a drain
      const bool hole = Dice(number_, entry + "#drain").chance(0.3);
      if (key.name == "velocity") return !hole;
      return key.name != "sink" || hole;
    }
    if (key.name == "shape" || key.name == "motion") return !on_solid;
    if (key.name == "solid" || key.name == "skin") return on_solid;
    if (key.name == "fuel" || key.name == "fuel_rate") return has("fire");
    if (key.name == "emits" || key.name == "holds") return count("quantity") > 0;
    if (key.name == "color") return beside("density", place) || beside("density_rate", place);
    return true;
  }

  // What a source or a force is for; it must have some of it.
  static bool is_effect(const SceneKey& key, const SceneKey& table) {
    if (table.name == "force") return key.kind == KeyKind::table;
    return key.kind == KeyKind::varying || key.kind == KeyKind::varying_vector ||
           key.kind == KeyKind::varyings;
  }

  // Whether water may stand beyond a side, or flow in there.
  bool has_level(const std::string& side) const {
    const auto found = sides_.find("domain.sides." + side);
    return found != sides_.end() && (found->second == "open" || found->second == "inflow");
  }

  // As a level set does not.
  bool any_side_lets_in() const {
    for (const auto& [path, side] : sides_)
      if (side == "inflow" || (side == "open" && path != "domain.sides.top" && path != "domain.sides.bottom"))
        return true;
    return false;
  }

  bool is_given(const SceneKey& key, const Place& place) const {
    const std::string& path = place.path;
    if (!fits(key, place)) return false;
    if (place.table == catalogue_.find("source") && (key.name == "shape" || key.name == "solid")) return true;
    if (path == "liquid.surface") return !any_side_lets_in() && Dice(number_, path).chance(0.5);
    if (path == "liquid.flip_part") return beside("transfer", place) && Dice(number_, path).chance(0.3);
    const bool by_size = !room_.bounded || Dice(number_, "grid").chance(0.5);
    if (path == "domain") return room_.bounded;
    if (path == "grid.cell_size") return by_size;
    if (path == "grid.resolution") return !by_size;
    if (path == "dimension" || path == "domain.min" || path == "domain.sides" || key.required) return true;
    if (const auto side = sides_.find(path); side != sides_.end()) return true;
    if (path == "domain.inflow_velocity") return true;  // left out where no side blows
    if (path.ends_with(".drag.rate")) return true;      // or mostly it would do nothing
    if (path.starts_with("domain.inflow_velocity.")) return sides_.at("domain.sides." + key.name) == "inflow";
    if (path.starts_with("domain.water_level_at.")) return has_level(key.name) && dice(place).chance(0.3);
    if (path == "domain.water_level" && !dice(place, "unfit").chance(0.02) &&
        !(has_level("left") || has_level("right") || has_level("back") || has_level("front")))
      return false;
    if (key.kind == KeyKind::table && place.table == &catalogue_.scene && key.absent.empty()) return true;
    const double several = 8. / double(place.table->keys.size());  // in the mean
    const double least = key.kind == KeyKind::word ? 0.4 : 0.2;    // schemes are what it is about
    return dice(place, "given").chance(std::clamp(several, least, 0.5));
  }

  Entries entries_of(const SceneKey& table, const Place& place) const {
    Entries entries;
    bool acts = false;
    const SceneKey* effect = nullptr;
    const auto give = [&](const SceneKey& key) {
      if (std::string value = value_of(key, place.at(key.name, table)); !value.empty())
        entries.emplace_back(key.name, std::move(value));
    };
    for (const SceneKey& key : table.keys) {
      const bool effective = is_effect(key, table) && fits(key, place.at(key.name, table));
      if (effective && (!effect || dice(place, key.name).chance(0.3))) effect = &key;
      if (!is_given(key, place.at(key.name, table))) continue;
      acts = acts || effective;
      give(key);
    }
    if (place.local && !acts && effect) give(*effect);
    return entries;
  }

  std::string lines(const SceneKey& table, const Place& place) const {
    std::string text;
    for (const auto& [key, value] : entries_of(table, place)) text += key + " = " + value + "\n";
    return text;
  }

  // Empty where the table is.
  std::string braces(const SceneKey& table, const Place& place) const {
    std::vector<std::string> members;
    for (const auto& [key, value] : entries_of(table, place)) members.push_back(key + " = " + value);
    return members.empty() ? "" : fmt::format("{{ {} }}", fmt::join(members, ", "));
  }

  int entries_in(const SceneKey& list, const Place& place) const {
    Dice d = dice(place, "count");
    if (list.name == "fill") return d.between(1, 2);
    if (list.name == "source" && solver_ == "liquid") return std::max(0, d.between(-1, 2));
    if (list.name == "source") return d.chance(0.97) ? d.between(1, 3) : 0;
    return list.required ? d.between(1, 4) : std::max(0, d.between(-1, 2));
  }

  static Place entry(const Place& list, int k, const SceneKey& table) {
    Place place = list.at(std::to_string(k), table);
    place.entry = k;
    place.local = table.find("shape") != nullptr;
    return place;
  }

  // ---- values

  std::string value_of(const SceneKey& key, const Place& place) const {
    Dice d = dice(place);
    if (place.path == "solver") return quoted(solver_);
    if (place.path == "dimension") return std::to_string(dimension_);
    const bool in_time = solver_ == "liquid" ? key.name == "gravity" || place.path.starts_with("source.")
                                             : place.path.starts_with("domain.inflow_velocity.");
    if (in_time && !key.time_only && (key.kind == KeyKind::varying || key.kind == KeyKind::varying_vector)) {
      SceneKey same_everywhere = key;
      same_everywhere.time_only = true;
      return value_of(same_everywhere, place);
    }
    if (place.path == "grid.cell_size") return text_of(room_.h);
    if (place.path == "grid.resolution") return std::to_string(room_.longest);
    if (place.path == "domain.min") return text_of(room_.low);
    if (place.path == "domain.max") return text_of(room_.high);
    if (place.path.starts_with("domain.water_level") && key.kind == KeyKind::number)
      return text_of(d.uniform(room_.low[1], room_.high[1]));
    if (const auto side = sides_.find(place.path); side != sides_.end()) return quoted(side->second);
    switch (key.kind) {
      case KeyKind::boolean:
        return toml_text(d.chance(key.preset == "true" ? 0.7 : 0.3));
      case KeyKind::integer:
      case KeyKind::number:
      case KeyKind::vector:
        return text_of(numbers(key, place));
      case KeyKind::text:
        return text(key, place);
      case KeyKind::word:
        return word(key, d);
      case KeyKind::varying:
        return varying(key, place);
      case KeyKind::varyings:
        return varyings(key, place);
      case KeyKind::varying_vector:
      case KeyKind::color:
        return varying_vector(key, place);
      case KeyKind::shape:
        return shape(place);
      case KeyKind::shapes:
        return shapes(place);
      case KeyKind::table:
        return braces(key, place);
      case KeyKind::list: {
        std::vector<std::string> tables;
        for (int k = 0; k < entries_in(key, place); ++k) tables.push_back(braces(key, entry(place, k, key)));
        return toml_list(tables);
      }
      default:  // a list of names, or a kind that came later
        if (place.path == "output.vdb" && solver_ == "liquid") return "[\"surface\", \"vel\"]";
        return key.example.empty() ? key.preset : key.example;
    }
  }

  std::string word(const SceneKey& key, Dice& d) const {
    std::vector<std::string> words = key.words;
    // In space, relaxation takes minutes for what the others do at once; the plane has the more of it.
    for (const char* unfit : {"jacobi", "gauss_seidel"})
      if (dimension_ == 3) std::erase(words, unfit);
    for (const char* unfit : {"ic_pcg", "cg"})
      if (dimension_ == 2) std::erase(words, unfit);
    return quoted(d.one_of(words));
  }

  std::string text(const SceneKey& key, const Place& place) const {
    if (key.name == "name")
      return quoted(place.path.substr(0, place.path.find('.')) + std::to_string(place.entry));
    if (key.name == "file") return quoted("meshes/lump.obj");
    if (catalogue_.scene.find(key.name)) return quoted(key.name + "0");  // the first of that list
    return key.example;
  }

  // The size that numbers of this key usually have.
  double usual(const SceneKey& key) const {
    if (key.unit == "m") return room_.size() * (room_.bounded ? 0.15 : 0.08);
    if (const auto x = number_in(key.preset)) return *x;
    if (const auto x = number_in(key.example)) return *x;
    if (key.unit == "K") return 300;
    if (key.unit == "K/s") return 300;
    if (key.name == "min_step") return 1e-3;
    if (key.unit == "s") return 0.1;
    if (key.unit == "degrees") return 60;
    if (key.unit == "m/s") return 30 * room_.h;
    if (key.unit == "m/s²") return 10;
    if (key.unit == "m²/s") return 5 * room_.h * room_.h;
    return 1;
  }

  double number(const SceneKey& key, Dice& d) const {
    const double size = usual(key), lo = key.min, hi = key.max;
    double x = size * d.log_uniform(0.3, 3);
    if (d.chance(0.03)) x = size * d.log_uniform(1e-3, 1e3);
    if (lo < 0 && d.chance(0.5)) x = -x;
    if (d.chance(0.004)) x = std::isfinite(hi) ? hi : size * 1e6;
    if (d.chance(0.004)) x = std::isfinite(lo) ? lo : -size * 1e6;
    if (d.chance(0.002)) return std::isfinite(hi) ? 2 * std::abs(hi) + 1 : -1e30;  // refused, mostly
    x = std::clamp(x, lo, hi);
    return key.kind == KeyKind::integer ? std::round(x) : x;
  }

  // The components of a number or a vector.
  std::vector<double> numbers(const SceneKey& key, const Place& place) const {
    Dice d = dice(place);
    std::vector<double> all(std::size_t(key.count));
    for (double& x : all) x = number(key, d);
    if (key.name == "t") all[0] = 0.1 * (place.entry + 0.9 * d.uniform(0, 1));  // in order
    if (key.unit == "m" && key.kind == KeyKind::vector && key.required)
      for (std::size_t a = 0; a < std::min(all.size(), std::size_t(dimension_)); ++a) {
        const double extent = room_.high[a] - room_.low[a];
        all[a] = d.uniform(room_.low[a] - 0.02 * extent, room_.high[a] + 0.02 * extent);
      }
    // The high end of something lies beyond its low one, mostly.
    const std::string low = key.name == "max"                      ? "min"
                            : key.name == "end" && key.unit == "s" ? "start"
                            : key.name == "max_step"               ? "min_step"
                            : key.name == "max_temperature"        ? "ignition_temperature"
                                                                   : "";
    if (const SceneKey* from = low.empty() ? nullptr : place.table->find(low); from && !d.chance(0.02)) {
      Place there = place;
      there.path = place.path.substr(0, place.path.rfind('.') + 1) + low;
      const std::vector<double> ends = numbers(*from, there);
      for (std::size_t a = 0; a < all.size(); ++a)
        all[a] = std::clamp(ends[a] + usual(key) * d.log_uniform(0.2, 5), key.min, key.max);
    }
    return all;
  }

  double ambient() const {
    const SceneKey* key = catalogue_.find("smoke.ambient_temperature");
    if (!key) return 300;
    const Place place{.path = "smoke.ambient_temperature", .table = catalogue_.find("smoke")};
    return is_given(*key, place) ? numbers(*key, place)[0] : 300;
  }

  // ---- what varies

  // In an unbounded scene, what fills space must fade.
  bool must_fade(const SceneKey& key, const Place& place) const {
    return !room_.bounded && !place.local && key.kind == KeyKind::varying;
  }

  std::string varying(const SceneKey& key, const Place& place) const {
    Dice d = dice(place, "varying");
    if (must_fade(key, place)) return d.chance(0.98) ? quoted(blob(key, d)) : text_of(number(key, d));
    if (d.chance(0.5)) return text_of(number(key, d));
    if (d.chance(0.4)) return keyframes(key, d);
    return quoted(formula(key, d));
  }

  // One for some of the quantities; empty where there is none.
  std::string varyings(const SceneKey& key, const Place& place) const {
    SceneKey of_one = key;
    of_one.kind = KeyKind::varying;
    std::vector<std::string> members;
    const int quantities = count("quantity"), first = dice(place, "first").below(std::max(quantities, 1));
    for (int k = 0; k < quantities; ++k) {
      const std::string name = "quantity" + std::to_string(k);
      const Place at = place.at(name, key);
      if (k == first || dice(at, "given").chance(0.4)) members.push_back(name + " = " + varying(of_one, at));
    }
    return members.empty() ? "" : fmt::format("{{ {} }}", fmt::join(members, ", "));
  }

  std::string varying_vector(const SceneKey& key, const Place& place) const {
    Dice d = dice(place, "varying");
    if (d.chance(0.2)) return keyframes(key, d);
    std::vector<std::string> entries;
    for (int a = 0; a < key.count; ++a)
      entries.push_back(d.chance(0.7) ? text_of(number(key, d)) : quoted(formula(key, d)));
    return toml_list(entries);
  }

  std::string keyframes(const SceneKey& key, Dice& d) const {
    std::vector<std::string> frames;
    double t = d.uniform(-0.1, 0.1);
    for (int k = d.between(1, 4); k > 0; --k, t += d.log_uniform(1e-3, 1)) {
      std::vector<double> values(std::size_t(key.count));
      for (double& x : values) x = number(key, d);
      frames.push_back(fmt::format("[{}, {}]", text_of(t), text_of(values)));
    }
    const std::string interp =
        d.chance(0.5) ? "" : ", interp = " + quoted(d.one_of(word_list<KeyInterpolation>()));
    return fmt::format("{{ keys = {}{} }}", toml_list(frames), interp);
  }

  // One hill round a point.
  std::string blob(const SceneKey& key, Dice& d) const {
    const double width = room_.size() * d.uniform(0.05, 0.2);
    std::vector<std::string> squares;
    for (int a = 0; a < dimension_; ++a) {
      const std::size_t k = std::size_t(a);
      squares.push_back(
          fmt::format("({} - {})^2", "xyz"[k], text_of(d.uniform(room_.low[k], room_.high[k]))));
    }
    return fmt::format("{}{} * exp(-({}) / {})", key.unit == "K" ? text_of(ambient()) + " + " : "",
                       text_of(std::abs(number(key, d))), fmt::join(squares, " + "), text_of(width * width));
  }

  std::string formula(const SceneKey& key, Dice& d) const {
    const std::string a = text_of(number(key, d)), b = text_of(number(key, d));
    const std::string w = text_of(d.log_uniform(1, 100)), k = text_of(d.log_uniform(0.5, 30) / room_.size());
    const std::string c = text_of(d.uniform(-0.5, 0.5) * room_.size());
    const std::string v =
        key.time_only ? "t" : std::string(1, "xyzt"[d.chance(0.1) ? 3 : d.below(dimension_)]);
    if (d.chance(0.015)) {
      const std::vector<std::string> nasty{fmt::format("1 / {}", v),
                                           fmt::format("ln({})", v),
                                           fmt::format("sqrt({} - {})", v, c),
                                           fmt::format("1e30 * {}", v),
                                           fmt::format("exp(1e4 * {})", v),
                                           fmt::format("{} / (t - 0.01)", a),
                                           fmt::format("{}^{}", v, "v"),
                                           fmt::format("{} * (", a),
                                           fmt::format("atanh(3 * {})", v),
                                           fmt::format("-{}", b),
                                           "0 / 0",
                                           "1e400"};
      return d.one_of(nasty);
    }
    std::vector<std::string> sane{fmt::format("{} * abs(cos({} * t))", a, w),
                                  fmt::format("{} * clamp({} * t, 0, 1)", a, w),
                                  fmt::format("{} * (1 + 0.5 * sin({} * {} + {} * t))", a, k, v, w),
                                  fmt::format("{} < {} ? {} : {}", v, c, a, b),
                                  fmt::format("{} * step({}, {})", a, c, v),
                                  fmt::format("{} * mod(floor({} * {}), 2)", a, k, v)};
    if (!key.time_only) sane.push_back(blob(key, d));
    return d.one_of(sane);
  }

  // ---- shapes

  static bool is_nested(const SceneKey& kind) {
    return kind.kind == KeyKind::shapes || kind.find("shape") != nullptr;
  }

  std::string shape(const Place& place) const {
    Dice d = dice(place, "kind");
    const SceneKey* kind = nullptr;
    for (bool fits = false; !fits;) {
      kind = &d.one_of(catalogue_.shape.keys);
      const bool endless = kind->name == "plane" || kind->name == "complement";
      fits = d.chance(endless && !room_.bounded ? 0.01
                      : is_nested(*kind)        ? (place.depth < 2 ? 0.4 : 0)
                      : kind->find("file")      ? 0.1
                                                : 1);
    }
    Place below = place.at(kind->name, catalogue_.shape);
    below.local = false;
    ++below.depth;
    return fmt::format("{{ {} = {} }}", kind->name,
                       kind->kind == KeyKind::shapes ? shapes(below) : braces(*kind, below));
  }

  std::string shapes(const Place& place) const {
    Dice d = dice(place, "parts");
    std::vector<std::string> all;
    for (int k = d.between(1, 3); k > 0; --k)
      all.push_back(shape(place.at(std::to_string(k), catalogue_.shape)));
    return all.size() == 1 && d.chance(0.5) ? all[0] : toml_list(all);
  }

  // ---- the domain

  void draw_sides() {
    std::vector<std::string> words = catalogue_.find("domain.sides.default")->words;
    Dice d(number_, "sides");
    std::erase(words, "periodic");
    std::vector<std::string> free;  // sides that need no other
    for (int a = 0; a < dimension_; ++a)
      for (int end = 0; end < 2; ++end) {
        const std::string path = "domain.sides." + std::string(side_names[a][end]);
        const bool periodic = room_.periodic[std::size_t(a)];
        sides_[path] = periodic ? "periodic" : d.one_of(words);
        if (!periodic) free.push_back(path);
      }
    if (free.empty()) return;
    // What sides and sources blow in must get out, mostly.
    const auto is_open = [](const auto& side) { return side.second == "open"; };
    if (std::none_of(sides_.begin(), sides_.end(), is_open) && !d.chance(0.2))
      sides_[d.one_of(free)] = "open";
    if (d.chance(0.02)) sides_[d.one_of(free)] = "periodic";
  }

  std::uint64_t number_;
  std::string solver_;
  int dimension_;
  const Catalogue& catalogue_;
  Room room_;
  std::map<std::string, std::string> sides_;  // by path
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string random_scene(std::uint64_t number, const std::string& solver) {
  return Generator(number, solver).scene();
}

std::string without_refused(const std::string& scene, const std::string& message) {
  std::set<std::size_t> refused;  // lines, from 1
  for (const std::string& problem : lines_of(message)) {
    const std::size_t colon = problem.find(".toml:");
    if (colon != std::string::npos) refused.insert(std::size_t(std::atoi(problem.c_str() + colon + 6)));
  }
  std::string rest;
  bool whole_table = false;
  const std::vector<std::string> lines = lines_of(scene);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const bool taken = k > 0 && refused.contains(k + 1);  // the first line stands for what is missing
    if (lines[k].starts_with('[')) whole_table = taken;
    if (!taken && !whole_table) rest += lines[k] + "\n";
  }
  return rest;
}

}  // namespace whorl
