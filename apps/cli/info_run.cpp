#include "base/json_text.h"
#include "info.h"
#include "text.h"

#include <algorithm>

#include <fmt/format.h>

using whorl::json_text;

namespace {

std::string frames_text(const whorl::RunSummary& run) {
  if (run.wanted == 0) return plural(run.finished, "frame") + " finished";
  if (run.finished == run.wanted) return plural(run.wanted, "frame") + ", all finished";
  return fmt::format("{} of {} finished", run.finished, plural(run.wanted, "frame"));
}

// The stages that took one part in a hundred or more.
std::string stages_text(const whorl::RunSummary& run) {
  const double total = whorl::total_seconds(run.by_stage);
  std::string text = duration_text(total);
  const char* join = ": ";
  for (const auto& [stage, seconds] : run.by_stage) {
    if (stage == whorl::total_stage || seconds < total / 100) continue;
    text += join + stage + " " + duration_text(seconds);
    join = ", ";
  }
  return text;
}

std::string missing_text(const std::vector<std::string>& missing) {
  constexpr std::size_t shown = 3;
  std::string text = missing.front();
  for (std::size_t k = 1; k < std::min(shown, missing.size()); ++k) text += ", " + missing[k];
  if (missing.size() > shown) text += fmt::format(" and {} more", missing.size() - shown);
  return text;
}

std::string files_text(const whorl::RunSummary& run) {
  std::string text;
  for (const auto& [kind, count] : run.files)
    if (count > 0) text += fmt::format("{} {}, ", count, kind);
  return text + (run.video ? "a video" : "no video");
}

}  // namespace

std::string run_text(const whorl::RunSummary& run) {
  std::string text =
      fmt::format("{}: the run '{}', {}\n", run.paths.folder, run.paths.name, frames_text(run));
  const auto line = [&](const char* label, const std::string& what) {
    text += fmt::format("  {:<11}{}\n", label, what);
  };
  if (run.finished > 0) {
    line("time", fmt::format("{:.4g} s to {:.4g} s", run.first_time, run.last_time));
    line("cells", fmt::format("{} at most, {} in the last frame", count_text(double(run.most_cells)),
                              count_text(double(run.last_cells))));
    line("took", stages_text(run));
    line("divergence", run.worst_frame == 0 ? "none"
                                            : fmt::format("{:.2g} 1/s at worst, in frame {}",
                                                          run.worst_divergence, run.worst_frame));
    line("memory", bytes_text(run.peak_memory_bytes) + " at most");
    line("hashes", run.hashes == run.finished ? "of every frame"
                                              : fmt::format("of {} of {} frames", run.hashes, run.finished));
  }
  line("files", files_text(run));
  if (!run.missing.empty()) line("missing", missing_text(run.missing));
  if (run.damaged_lines > 0)
    line("damaged", plural(run.damaged_lines, "line") + " of frames.jsonl cannot be read");
  return text;
}

std::string run_json(const whorl::RunSummary& run) {
  std::string files;
  for (const auto& [kind, count] : run.files) files += fmt::format("{}:{},", json_text(kind), count);
  return fmt::format(
      R"({{"kind":"run","name":{},"folder":{},"frames_finished":{},"frames_wanted":{},"time":[{},{}],)"
      R"("active_cells":{{"most":{},"last":{}}},"seconds":{},"stages":{},"max_divergence":{},)"
      R"("max_divergence_frame":{},"peak_memory_bytes":{},"hashes":{},{}"video":{},)"
      R"("missing":{},"damaged_lines":{}}})"
      "\n",
      json_text(run.paths.name), json_text(run.paths.folder), run.finished,
      run.wanted > 0 ? std::to_string(run.wanted) : "null", json_text(run.first_time),
      json_text(run.last_time), run.most_cells, run.last_cells, json_text(whorl::total_seconds(run.by_stage)),
      whorl::json_object(run.by_stage), json_text(run.worst_divergence), run.worst_frame,
      run.peak_memory_bytes, run.hashes, files, run.video, whorl::json_list(run.missing), run.damaged_lines);
}
