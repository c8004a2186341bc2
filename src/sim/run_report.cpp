#include "sim/run_report.h"

#include "base/base64.h"
#include "base/json_text.h"
#include "base/plot.h"
#include "io/file.h"
#include "sim/json_reader.h"
#include "sim/kept_scene.h"
#include "sim/run.h"
#include "sim/run_checkpoints.h"
#include "whorl/version.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace whorl {
namespace {

constexpr std::size_t most_images = 24;  // in a page without a video
constexpr std::size_t most_stages = 7;   // in a plot

constexpr const char* style = R"(
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1100px; padding: 0 1em; color: #222; }
  h1 { font-weight: 600; margin-bottom: 0; } h2 { font-weight: 600; margin-top: 2em; }
  video, img { width: 100%; background: #111; } input[type=range] { width: 100%; }
  .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(460px, 1fr)); gap: 1em; }
  .warning { color: #a33a00; } pre { background: #f5f5f2; padding: 1em; overflow-x: auto; font-size: 13px; }
  table { border-collapse: collapse; } td { padding: .15em 1.2em .15em 0; }
)";

std::string escaped(std::string_view words) {
  std::string out;
  for (const char c : words) switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += c;
    }
  return out;
}

// Those that have the key.
std::vector<JsonValue> read_lines(const std::string& path, const char* key) {
  const Result<std::string> text = read_text(path);
  std::vector<JsonValue> found;
  if (!text) return found;
  for (JsonLine& line : json_lines(text.value()))
    if (line.value && line.value->find(key)) found.push_back(std::move(*line.value));
  return found;
}

std::string text_of(const JsonValue* value) {
  const std::string* text = value ? std::get_if<std::string>(&value->content) : nullptr;
  return text ? *text : "";
}

using Value = std::function<double(const JsonValue&)>;

Value number(const char* key, double scale = 1) {
  return [=](const JsonValue& line) { return scale * line.number(key, NAN); };
}
Value number_in(const char* object, const std::string& key) {
  return [=](const JsonValue& line) {
    const JsonValue* found = line.find(object);
    return found ? found->number(key, NAN) : NAN;
  };
}

class Page {
 public:
  Page(const RunPaths& paths, std::vector<JsonValue> frames) : paths_(paths), frames_(std::move(frames)) {}

  Series series(const std::string& name, const Value& value) const {
    Series s{name, {}};
    for (const JsonValue& line : frames_) s.points.emplace_back(line.number("time", 0), value(line));
    return s;
  }

  // Curves that are zero throughout say nothing.
  std::string plot(const std::string& title, const std::string& unit, std::vector<Series> series) const {
    std::erase_if(series, [](const Series& s) {
      return std::all_of(s.points.begin(), s.points.end(), [](const auto& p) { return !(p.second != 0); });
    });
    if (series.empty()) return "";
    return to_svg({.title = title, .x_label = "s", .y_label = unit, .series = std::move(series)});
  }

  // Of an object's members, a curve each.
  std::vector<Series> members(const char* object) const {
    std::vector<std::string> keys;  // in the order in which they first come
    for (const JsonValue& line : frames_)
      if (const JsonValue* found = line.find(object); found && found->object())
        for (const auto& [key, value] : *found->object())
          if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    std::vector<Series> curves;
    for (const std::string& key : keys) curves.push_back(series(key, number_in(object, key)));
    return curves;
  }

  // The stages that take longest.
  std::vector<Series> stages() const {
    std::vector<Series> curves = members("seconds");
    const auto sum = [](const Series& s) {
      double seconds = 0;
      for (const auto& point : s.points) seconds += std::isfinite(point.second) ? point.second : 0;
      return seconds;
    };
    std::stable_sort(curves.begin(), curves.end(),
                     [&](const Series& a, const Series& b) { return sum(a) > sum(b); });
    if (curves.size() > most_stages) curves.resize(most_stages);
    return curves;
  }

  std::string plots() const {
    std::string out = "<div class=\"plots\">\n";
    out += plot("Volume", "m³",
                {series("liquid", number("liquid_volume")), series("mesh", number("mesh_volume"))});
    out += plot("Amount carried", "", members("mass"));
    out += plot("Kinetic energy", "J over density", {series("energy", number("kinetic_energy"))});
    out += plot("Fastest", "m/s", {series("speed", number("max_speed"))});
    out += plot("Divergence after the solve", "1/s", {series("worst", number("max_divergence"))});
    out +=
        plot("Pressure iterations and sub-steps", "a frame",
             {series("iterations", number("pressure_iterations")), series("sub-steps", number("substeps"))});
    out += plot("Time by stage", "s a frame", stages());
    out += plot("Memory, at most", "MiB", {series("memory", number("peak_memory_bytes", 1. / (1 << 20)))});
    out +=
        plot("Size", "", {series("cells", number("active_cells")), series("particles", number("particles"))});
    return out + "</div>\n";
  }

  // Empty where there is none.
  std::string video() const {
    const Result<std::string> bytes = read_text(paths_.video());
    if (!bytes) return "";
    return "<video controls autoplay loop muted src=\"data:video/mp4;base64," + base64(bytes.value()) +
           "\"></video>\n";
  }

  // Some of the images, with a slider.
  std::string images() const {
    const std::set<int> there = paths_.image_frames();
    const std::vector<int> all(there.begin(), there.end());
    const std::size_t count = std::min(all.size(), most_images);
    std::string shown;
    for (std::size_t k = 0; k < count; ++k) {
      const int frame = all[count > 1 ? k * (all.size() - 1) / (count - 1) : 0];
      if (const Result<std::string> image = read_text(paths_.image(frame)))
        shown += fmt::format("<img {} alt=\"frame {}\" src=\"data:image/png;base64,{}\">\n",
                             k + 1 == count ? "" : "hidden", frame, base64(image.value()));
    }
    if (shown.empty()) return "";
    return fmt::format(
        "<div id=\"player\">\n{}</div>\n<input type=\"range\" min=\"0\" max=\"{}\" value=\"{}\" "
        "oninput=\"[...document.querySelectorAll('#player img')].forEach((i, k) => i.hidden = k != "
        "this.value)\">\n",
        shown, count - 1, count - 1);
  }

  std::string figures() const {
    if (frames_.empty()) return "<p>No frame is finished.</p>\n";
    const JsonValue& last = frames_.back();
    double seconds = 0, memory = 0;
    for (const JsonValue& line : frames_) {
      seconds += number_in("seconds", total_stage)(line);
      memory = std::max(memory, line.number("peak_memory_bytes", 0));
    }
    const auto row = [](const std::string& what, const std::string& value) {
      return "<tr><td>" + what + "</td><td>" + value + "</td></tr>\n";
    };
    return "<table>\n" + row("frames", std::to_string(frames_.size())) +
           row("simulated", fmt::format("{:.4g} s", last.number("time", 0))) +
           row("time taken", fmt::format("{:.4g} s", seconds)) +
           row("memory, at most", fmt::format("{:.0f} MiB", memory / (1 << 20))) +
           row("state at the end", escaped(text_of(last.find("state_hash")))) + row("Whorl", version()) +
           "</table>\n";
  }

 private:
  const RunPaths& paths_;
  std::vector<JsonValue> frames_;
};

// One word of a shell's command line.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string do_it_again(const KeptScene& kept) {
  std::string command = "whorl run scene.toml";
  for (const std::string& o : kept.overrides) command += " --set " + quoted(o);
  return command + fmt::format(" --frames {}", kept.last_frame);
}

}  // namespace

std::string frames_there(int finished, int wanted) {
  return finished < wanted ? fmt::format("{} of {} frames are there", finished, wanted)
                           : fmt::format("All {} frames are there", finished);
}

Result<void> keep_words(const RunPaths& paths, const ReportWords& words) {
  if (kept_words(paths) == words) return {};
  return append_line(paths.stages(),
                     fmt::format(R"({{"frames":{},"outcome":{},"warnings":{}}})", finished_frames(paths),
                                 json_text(words.outcome), json_list(words.warnings)));
}

ReportWords kept_words(const RunPaths& paths) {
  const Result<std::string> scene = read_text(paths.scene());
  const std::optional<KeptScene> kept = scene ? parse_kept(scene.value()) : std::nullopt;
  const int finished = finished_frames(paths);
  ReportWords words{frames_there(finished, kept ? kept->last_frame : finished) + ".", {}};
  const std::vector<JsonValue> lines = read_lines(paths.stages(), "outcome");
  if (lines.empty()) return words;
  if (int(lines.back().number("frames", -1)) == finished)
    words.outcome = text_of(lines.back().find("outcome"));
  if (const JsonValue* found = lines.back().find("warnings"))
    if (const auto* list = std::get_if<JsonValue::List>(&found->content))
      for (const JsonValue& warning : *list) words.warnings.push_back(text_of(&warning));
  return words;
}

Result<std::string> report_page(const RunPaths& paths, const ReportWords& words, bool video) {
  const Result<std::string> scene = read_text(paths.scene());
  if (!scene) return scene.error();
  const std::optional<KeptScene> kept = parse_kept(scene.value());
  const Page page(paths, read_lines(paths.statistics(), "frame"));
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<meta "
      "charset=\"utf-8\">\n<title>{0}</title>\n<style>{1}</style>\n"
      "<h1>{0}</h1>\n<p>{2}</p>\n",
      escaped(paths.name), style, escaped(words.outcome));
  for (const std::string& warning : words.warnings)
    out += "<p class=\"warning\">" + escaped(warning) + "</p>\n";
  const std::string played = video ? page.video() : "";
  out += (played.empty() ? page.images() : played) + page.figures() + "<h2>Plots</h2>\n" + page.plots();
  if (kept)
    out += "<h2>Again</h2>\n<p>With this scene as <code>scene.toml</code>:</p>\n<pre>" +
           escaped(do_it_again(*kept)) + "</pre>\n<h2>Scene</h2>\n<pre>" + escaped(kept->text) + "</pre>\n";
  return out + "</html>\n";
}

Result<void> write_report(const RunPaths& paths, const ReportWords& words, bool video) {
  const Result<std::string> page = report_page(paths, words, video);
  if (!page) return page.error();
  return write_whole_text(paths.report(), page.value());
}

}  // namespace whorl
