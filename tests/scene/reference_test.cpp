// Everything that is said of keys covers every key: walks the describe() lists.
#include "scene/catalogue.h"
#include "scene/key_texts.h"
#include "scene/scene.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <sstream>

namespace whorl {
namespace {

using Visit = std::function<void(const SceneKey&, const std::string& path)>;

void walk(const SceneKey& table, const std::string& path, const Visit& visit) {
  for (const SceneKey& key : table.keys) {
    const std::string at = path.empty() ? key.name : path + "." + key.name;
    visit(key, at);
    walk(key, at, visit);
  }
}

void for_each_key(const Visit& visit, int dimension = 3) {
  walk(catalogue(dimension).scene, "", visit);
  walk(catalogue(dimension).shape, "shape", visit);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Reference, EveryKeyHasALineOfDocAndASaneRange) {
  int keys = 0;
  for (const int dimension : {2, 3})
    for_each_key(
        [&](const SceneKey& key, const std::string& path) {
          ++keys;
          EXPECT_GT(key.doc.size(), 8u) << path;
          EXPECT_EQ(key.doc.back(), '.') << path;
          EXPECT_LT(key.min, key.max) << path;
          EXPECT_EQ(key.dimension, dimension) << path;
          EXPECT_FALSE(allowed_text(key).empty()) << path;
        },
        dimension);
  EXPECT_GT(keys, 150);
}

TEST(Reference, FindsKeysThroughListsAndShapes) {
  const Catalogue& keys = catalogue(3);
  EXPECT_EQ(keys.find("time.fps")->name, "fps");
  EXPECT_EQ(keys.find("source.burner.density")->name, "density");
  EXPECT_EQ(keys.find("source.density")->name, "density");
  EXPECT_EQ(keys.find("source.burner.shape.union.0.box.min")->name, "min");
  EXPECT_EQ(keys.find("solid.0.motion.keys.2.t")->name, "t");
  EXPECT_EQ(keys.find("source.burner.emits.dye")->name, "emits");
  EXPECT_EQ(keys.find("source.burner.emits.dye.x"), nullptr);
  EXPECT_EQ(keys.find("time.fsp"), nullptr);
  EXPECT_EQ(keys.find("source.burner.oven.density"), nullptr);
  EXPECT_EQ(keys.path_of("cfl"), "time.cfl");
  EXPECT_EQ(keys.path_of("tube_radius"), "shape.torus.tube_radius");
}

TEST(Reference, HelpCoversEveryKey) {
  const std::string overview = help_text("").value();
  for_each_key([&](const SceneKey& key, const std::string& path) {
    EXPECT_TRUE(contains(overview, key.name) && contains(overview, key.doc)) << path;
    const Result<std::string> help = help_text(path);
    ASSERT_TRUE(help) << path;
    EXPECT_TRUE(contains(help.value(), path) && contains(help.value(), key.doc)) << path;
    if (!key.keys.empty()) return;
    EXPECT_TRUE(contains(help.value(), allowed_text(key))) << path;
    EXPECT_TRUE(contains(help.value(), key.preset)) << path;
    const bool top_level = catalogue(3).find(key.name);  // then the last part alone means that one
    EXPECT_TRUE(top_level || contains(help_text(key.name).value(), key.doc)) << key.name;
  });
}

// Each key is used by what it changes: a run keeps what stays the same, and makes anew what does not.
TEST(KeyUses, AreWhatAKeyChanges) {
  const Result<SceneConfig> scene = parse_scene(R"(
solver = "liquid"
[domain]
max = [1, 1, 1]
[grid]
resolution = 16
[[fill]]
shape = { box = { min = [0, 0, 0], max = [1, 0.5, 1] } }
[[source]]
shape = { sphere = { center = [0.5, 0.5, 0.5], radius = 0.1 } }
velocity = [0, 1, 0]
[[solid]]
shape = { sphere = { center = [0.5, 0.5, 0.5], radius = 0.1 } }
color = [1, 0, 0]
[[force]]
uniform = { acceleration = [1, 0, 0] }
[whitewater]
)",
                                                "t");
  ASSERT_TRUE(scene) << scene.error().message;
  std::map<std::string, std::string> uses;  // s, m, w, r, v: simulate, surface (its mesh), …
  std::set<std::string> unused;
  for (const KeyText& key : key_texts(scene.value())) {
    std::string& use = uses[key.key];
    for (const auto& [letter, part] : {std::pair('s', &KeyUse::simulate),
                                       {'m', &KeyUse::surface},
                                       {'w', &KeyUse::whitewater},
                                       {'r', &KeyUse::render},
                                       {'v', &KeyUse::video}})
      if (key.use.*part) use += letter;
    if (use.empty()) unused.insert(key.key);
  }
  for (const auto& [key, use] : std::map<std::string, std::string>{{"solver", "smwr"},
                                                                   {"gravity", "sw"},
                                                                   {"time.fps", "smwrv"},
                                                                   {"time.cfl", "s"},
                                                                   {"domain.max", "smwr"},
                                                                   {"domain.sides.default", "smwr"},
                                                                   {"grid.resolution", "smwr"},
                                                                   {"liquid.transfer", "s"},
                                                                   {"fill.0.shape.box.max", "s"},
                                                                   {"source.0.velocity", "s"},
                                                                   {"solid.0.shape.sphere.radius", "smwr"},
                                                                   {"solid.0.color", "r"},
                                                                   {"solid.0.material", "r"},
                                                                   {"whitewater.seed", "sw"},
                                                                   {"output.mesh_refinement", "mr"},
                                                                   {"output.mesh_walls", "m"},
                                                                   {"output.width", "r"},
                                                                   {"output.png", "r"},
                                                                   {"render.light.sun", "r"}})
    EXPECT_EQ(uses[key], use) << key;
  EXPECT_EQ(unused, (std::set<std::string>{"name", "time.frames", "fill.0.name", "source.0.name",
                                           "solid.0.name", "force.0.name", "output.vdb", "output.half",
                                           "output.mesh", "output.particles", "output.video",
                                           "checkpoint.seconds", "checkpoint.keep"}));
}

TEST(Reference, HelpAnswersATypoWithTheNearestKey) {
  const auto said = [](const std::string& key) { return help_text(key).error(); };
  EXPECT_EQ(said("smoke.advecton").code, ErrorCode::usage);
  EXPECT_TRUE(contains(said("smoke.advecton").message, "did you mean 'smoke.advection'?"));
  EXPECT_TRUE(contains(said("fsp").message, "did you mean 'fps'?"));
  EXPECT_TRUE(contains(said("vorticty").message, "did you mean 'vorticity_confinement'?"))
      << said("vorticty").message;
  EXPECT_TRUE(contains(said("qqqqqqqqq").message, "help-scene alone"));
}

TEST(Reference, MarkdownCoversEveryKeyAndFunction) {
  const std::string page = reference_markdown();
  for_each_key([&](const SceneKey& key, const std::string& path) {
    EXPECT_TRUE(contains(page, "| `" + key.name + "` |")) << path;
    EXPECT_TRUE(contains(page, key.doc)) << path;
    EXPECT_TRUE(!key.keys.empty() || contains(page, allowed_text(key))) << path;
    EXPECT_TRUE(key.preset.empty() || contains(page, "`" + key.preset + "`")) << path;
  });
  for (const std::string& name : Expression::functions())
    EXPECT_TRUE(contains(page, "`" + name + "`")) << name;
}

// A reader of JSON that keeps nothing: whether the text is one value.
class JsonSyntax {
 public:
  explicit JsonSyntax(const std::string& text) : in_(text) {}
  bool ok() { return value() && !(in_ >> std::ws, in_.peek() != EOF); }

 private:
  bool take(char c) { return (in_ >> std::ws).peek() == c && in_.get(); }
  bool string() {
    if (!take('"')) return false;
    for (int c; (c = in_.get()) != '"';) {
      if (c == EOF || c == '\n') return false;
      if (c == '\\') in_.get();
    }
    return true;
  }
  bool members(char close, bool keyed) {
    if (take(close)) return true;
    do
      if ((keyed && !(string() && take(':'))) || !value()) return false;
    while (take(','));
    return take(close);
  }
  bool value() {
    if (take('{')) return members('}', true);
    if (take('[')) return members(']', false);
    if ((in_ >> std::ws).peek() == '"') return string();
    std::string word;
    while (std::isalnum(in_.peek()) ||
           std::string_view("+-.").find(char(in_.peek())) != std::string_view::npos)
      word += char(in_.get());
    std::istringstream number(word);
    double x;
    return word == "true" || word == "false" || (number >> x && number.peek() == EOF);
  }
  std::istringstream in_;
};

TEST(Reference, SchemaIsJsonAndCoversEveryKey) {
  EXPECT_TRUE(JsonSyntax(R"({"a": [1, -2.5e3, true, {"b": "c\"d"}], "e": {}})").ok());
  EXPECT_FALSE(JsonSyntax(R"({"a": [1,, 2]})").ok());
  EXPECT_FALSE(JsonSyntax(R"({"a": 1}})").ok());
  const std::string schema = json_schema();
  EXPECT_TRUE(JsonSyntax(schema).ok());
  for_each_key([&](const SceneKey& key, const std::string& path) {
    EXPECT_TRUE(contains(schema, "\"" + key.name + "\": { ")) << path;
    EXPECT_TRUE(contains(schema, "\"description\": \"" + key.doc)) << path;
    for (const std::string& word : key.words) EXPECT_TRUE(contains(schema, "\"" + word + "\"")) << path;
  });
}

// ---- the starter

TEST(Starter, LoadsAsItIsAndShowsEveryKey) {
  for (const std::string& solver : word_list<SolverKind>()) {
    const std::string text = starter_scene(solver).value();
    const Result<SceneConfig> loaded = parse_scene(text, "starter.toml");
    ASSERT_TRUE(loaded) << loaded.error().message;
    const auto& scene = std::get<Scene<3>>(loaded.value());
    EXPECT_EQ(scene.source.size() + scene.fill.size(), 1u);
    EXPECT_TRUE(scene.domain);
    const auto fits = [&](const SceneKey& key) { return key.solver.empty() || key.solver == solver; };
    for (const SceneKey& top : catalogue(3).scene.keys) {
      if (!fits(top)) continue;
      EXPECT_TRUE(contains(text, top.keys.empty() ? top.name + " = " : "[" + top.name + "]")) << top.name;
      for (const SceneKey& key : top.keys)
        EXPECT_EQ(contains(text, "\n" + key.name + " = ") || contains(text, "\n# " + key.name + " = ") ||
                      !fits(key),
                  true)
            << key.name;
    }
  }
}

// A user takes the # off any one line; what then stands there must be right.
TEST(Starter, EveryCommentedKeyCanBeUncommented) {
  for (const std::string& solver : word_list<SolverKind>()) {
    std::vector<std::string> lines;
    std::istringstream in(starter_scene(solver).value());
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    const auto uncommented = [&](std::size_t first, std::size_t last) {
      std::string text;
      for (std::size_t i = 0; i < lines.size(); ++i)
        text +=
            (i >= first && i <= last && lines[i].starts_with("# ") ? lines[i].substr(2) : lines[i]) + "\n";
      return parse_scene(text, "starter.toml");
    };
    int tried = 0;
    for (std::size_t i = 3; i < lines.size(); ++i) {
      if (!lines[i].starts_with("# ")) continue;
      std::size_t last = i;
      if (lines[i].starts_with("# ["))
        while (last + 1 < lines.size() && lines[last + 1].starts_with("# ")) ++last;
      const Result<SceneConfig> result = uncommented(i, last);
      ++tried;
      // Some contradict what the starter says elsewhere, or does not say, and are told so.
      if (lines[i].starts_with("# cell_size") || lines[i].starts_with("# solid = "))
        EXPECT_TRUE(!result && contains(result.error().message, "one of the two"));
      else if (lines[i].starts_with("# inflow_velocity") || lines[i].starts_with("# water_level"))
        EXPECT_TRUE(!result && contains(result.error().message, "a side that is "));
      else if (lines[i].starts_with("# skin"))
        EXPECT_TRUE(!result && contains(result.error().message, "without the solid"));
      else if (lines[i].starts_with("# fuel"))
        EXPECT_TRUE(!result && contains(result.error().message, "a [fire] table with it"));
      else if (lines[i].starts_with("# [liquid]"))
        EXPECT_TRUE(!result && contains(result.error().message, "transfer = \"flip\" with it"));
      else if (lines[i].starts_with("# [[source]]") && solver == "liquid")
        EXPECT_TRUE(!result && contains(result.error().message, "a spout and a drain at once"));
      else
        EXPECT_TRUE(result) << lines[i] << "\n" << result.error().message;
      i = last;
    }
    EXPECT_GT(tried, solver == "smoke" ? 30 : 15) << solver;
  }
}

TEST(Starter, KnowsTheSolversThereAre) {
  const Result<std::string> none = starter_scene("smok");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::usage);
  EXPECT_TRUE(contains(none.error().message, "did you mean 'smoke'?"));
}

}  // namespace
}  // namespace whorl
