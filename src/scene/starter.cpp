// A scene to begin with: the values that make it, every other key as a comment with its default.
#include "scene/catalogue.h"
#include "scene/scene.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whorl {
namespace {

struct Choice {
  std::string_view path, value;
};

// A burner over the middle of the floor of a box with room for the smoke to spread.
constexpr Choice smoke_choices[] = {
    {"solver", "\"smoke\""},
    {"dimension", "3"},
    {"time.fps", "24"},
    {"time.frames", "120"},
    {"domain.min", "[-0.9, 0, -0.9]"},
    {"domain.max", "[0.9, 2.7, 0.9]"},
    {"domain.sides", "{ default = \"open\", bottom = \"wall\" }"},
    {"grid.resolution", "128"},
    {"smoke.advection", "\"maccormack\""},
    {"smoke.vorticity_confinement", "0.2"},
    {"source.name", "\"burner\""},
    {"source.shape", "{ sphere = { center = [0, 0.2, 0], radius = 0.12 } }"},
    {"source.density_rate", "8"},
    {"source.temperature", "400"},
    {"source.velocity", "[\"0.3 * sin(7 * t)\", 0.2, \"0.3 * cos(9 * t)\"]"},
    {"output.vdb", "[\"density\", \"temperature\", \"vel\"]"},
};

// A dam that breaks.
constexpr Choice liquid_choices[] = {
    {"solver", "\"liquid\""},
    {"dimension", "3"},
    {"time.fps", "30"},
    {"time.frames", "120"},
    {"domain.min", "[0, 0, 0]"},
    {"domain.max", "[2, 1, 1]"},
    {"domain.sides", "{ default = \"wall\", top = \"open\" }"},
    {"grid.resolution", "96"},
    {"fill.name", "\"column\""},
    {"fill.shape", "{ box = { min = [0, 0, 0], max = [0.6, 0.6, 1] } }"},
    {"output.vdb", "[\"surface\", \"vel\"]"},
};

std::span<const Choice> choices_for(const std::string& solver) {
  if (solver == "liquid") return liquid_choices;
  return smoke_choices;
}

std::string_view chosen(std::span<const Choice> choices, const std::string& path) {
  for (const Choice& choice : choices)
    if (choice.path == path) return choice.value;
  return {};
}

// What a commented key shows: its default, or a value to start from. The tests see to it that one is there.
std::string sample_of(const SceneKey& key) { return key.preset.empty() ? key.example : key.preset; }

std::string key_line(std::span<const Choice> choices, const SceneKey& key, const std::string& path,
                     bool commented) {
  const std::string_view value = commented ? "" : chosen(choices, path);
  const std::string setting = value.empty() ? fmt::format("# {} = {}", key.name, sample_of(key))
                                            : fmt::format("{} = {}", key.name, value);
  std::string note = key.doc;
  if (!key.unit.empty()) note += fmt::format(" [{}]", key.unit);
  if (!key.absent.empty()) note += fmt::format(" Left out: {}.", key.absent);
  return fmt::format("{:<44} # {}\n", setting, note);
}

// Sections without a chosen key stay comments.
bool any_chosen(std::span<const Choice> choices, const std::string& section) {
  return std::any_of(choices.begin(), choices.end(),
                     [&](const Choice& c) { return c.path.starts_with(section + "."); });
}

bool fits(const SceneKey& key, const std::string& solver) {
  return key.solver.empty() || key.solver == solver;
}

std::string section_text(const SceneKey& section, const std::string& solver) {
  const std::span<const Choice> choices = choices_for(solver);
  const bool commented = !any_chosen(choices, section.name);
  const std::string brackets =
      section.kind == KeyKind::list ? "[[" + section.name + "]]" : "[" + section.name + "]";
  std::string text = fmt::format("\n{:<44} # {}\n", (commented ? "# " : "") + brackets, section.doc);
  for (const SceneKey& key : section.keys)
    if (fits(key, solver)) text += key_line(choices, key, section.name + "." + key.name, commented);
  return text;
}

}  // namespace

Result<std::string> starter_scene(const std::string& solver) {
  const std::vector<std::string> solvers = word_list<SolverKind>();
  if (std::find(solvers.begin(), solvers.end(), solver) == solvers.end()) {
    const std::string nearest = nearest_name(solver, solvers);
    return Error{ErrorCode::usage,
                 fmt::format("no starter scene for '{}'; allowed: {}{}", solver, fmt::join(solvers, ", "),
                             nearest.empty() ? "" : "; did you mean '" + nearest + "'?")};
  }
  const Catalogue& keys = catalogue(3);
  std::string text =
      "# A Whorl scene: SI units, y up. Lines that begin with # show the other keys with their defaults;\n"
      "# help-scene KEY tells more of any of them.\n\n";
  for (const SceneKey& key : keys.scene.keys)
    if (key.keys.empty()) text += key_line(choices_for(solver), key, key.name, false);
  for (const SceneKey& key : keys.scene.keys)
    if (!key.keys.empty() && fits(key, solver)) text += section_text(key, solver);
  return text;
}

}  // namespace whorl
