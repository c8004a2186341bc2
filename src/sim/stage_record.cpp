#include "sim/stage_record.h"

#include "base/rng.h"
#include "grid/archive.h"
#include "io/file.h"
#include "sim/json_reader.h"
#include "sim/scene_keys.h"
#include "whorl/version.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace whorl {
namespace {

constexpr std::array all_stages = {Stage::surface, Stage::whitewater, Stage::render, Stage::video};

bool KeyUse::*use_by(Stage stage) {
  switch (stage) {
    case Stage::surface:
      return &KeyUse::surface;
    case Stage::whitewater:
      return &KeyUse::whitewater;
    case Stage::render:
      return &KeyUse::render;
    case Stage::video:
      return &KeyUse::video;
  }
  return nullptr;
}

void each_object(const std::string& path, const std::function<void(const JsonValue&)>& f) {
  const Result<std::string> text = read_text(path);
  if (!text) return;
  for (const JsonLine& line : json_lines(text.value()))
    if (line.value) f(*line.value);
}

// Half a line at the end would swallow the one that is written next.
Result<void> mend_last_line(const std::string& path) {
  const Result<std::string> text = read_text(path);
  if (!text || text.value().empty() || text.value().ends_with('\n')) return {};
  return write_whole_text(path, text.value() + "\n");
}

std::string text_of(const JsonValue& object, std::string_view key) {
  const JsonValue* found = object.find(key);
  const std::string* text = found ? std::get_if<std::string>(&found->content) : nullptr;
  return text ? *text : "";
}

// 0 where there is none.
std::uint64_t hash_of(const JsonValue& object, std::string_view key) {
  const std::string digits = text_of(object, key);
  std::uint64_t hash = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), hash, 16);
  return hash;
}

}  // namespace

const char* to_string(Stage stage) {
  switch (stage) {
    case Stage::surface:
      return "surface";
    case Stage::whitewater:
      return "whitewater";
    case Stage::render:
      return "render";
    case Stage::video:
      return "video";
  }
  return "";
}

StageRecord::StageRecord(Exec& ex, const SceneConfig& scene, RunPaths paths, const PictureFiles& pictures)
    : paths_(std::move(paths)),
      pictures_(pictures),
      shows_whitewater_(std::visit([](const auto& own) { return own.whitewater.has_value(); }, scene)),
      mended_(mend_last_line(paths_.stages())) {
  for (const Stage stage : all_stages) {
    const std::string keys =
        fmt::format("{} {}\n", version(), to_string(stage)) + key_lines(ex, scene, use_by(stage));
    keys_[std::size_t(stage)] = hash_bytes(ex, keys.data(), keys.size());
  }
  each_object(paths_.stages(), [&](const JsonValue& line) {
    for (const Stage stage : all_stages)
      if (text_of(line, "stage") == to_string(stage))
        of_[{stage, int(line.number("frame", 0))}] = hash_of(line, "of");
  });
}

// There is one video.
std::uint64_t& StageRecord::noted(Stage stage, int frame) {
  return of_[{stage, stage == Stage::video ? 0 : frame}];
}

std::uint64_t StageRecord::noted(Stage stage, int frame) const {
  const auto found = of_.find({stage, stage == Stage::video ? 0 : frame});
  return found == of_.end() ? 0 : found->second;
}

namespace {

bool exists(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
}

}  // namespace

bool StageRecord::has_files(Stage stage, int frame) const {
  switch (stage) {
    case Stage::surface:
      return exists(paths_.mesh(frame));
    case Stage::whitewater:
      return exists(paths_.whitewater(frame));
    case Stage::render:
      return (!pictures_.png || exists(paths_.image(frame))) && (!pictures_.exr || exists(paths_.exr(frame)));
    case Stage::video:
      return exists(paths_.video());
  }
  return false;
}

std::uint64_t StageRecord::input(Stage stage, int frame, std::uint64_t state) const {
  std::uint64_t hash = mix64(keys_[std::size_t(stage)], state);
  if (stage == Stage::whitewater) hash = mix64(hash, noted(Stage::whitewater, frame - 1));
  if (stage == Stage::render && shows_whitewater_ && exists(paths_.whitewater(frame)))
    hash = mix64(hash, noted(Stage::whitewater, frame));
  for (int shown = 1; stage == Stage::video && shown <= frame; ++shown)
    hash = mix64(hash, noted(Stage::render, shown));
  return std::max<std::uint64_t>(hash, 1);
}

bool StageRecord::is_fresh(Stage stage, int frame, std::uint64_t state) const {
  return state != 0 && noted(stage, frame) == input(stage, frame, state) && has_files(stage, frame);
}

Result<void> StageRecord::note(Stage stage, int frame, std::uint64_t state) {
  const std::uint64_t now = input(stage, frame, state);
  if (std::exchange(noted(stage, frame), now) == now) return {};
  return write(stage, frame, now);
}

Result<void> StageRecord::write(Stage stage, int frame, std::uint64_t of) const {
  if (!mended_) return mended_;
  return append_line(paths_.stages(), fmt::format(R"({{"frame":{},"stage":"{}","of":"{:016x}"}})",
                                                  stage == Stage::video ? 0 : frame, to_string(stage), of));
}

namespace {

// Pictures show whitewater, and so come last.
std::vector<Stage> in_order(const RunStages& stages) {
  std::vector<Stage> list;
  if (stages.surface) list.push_back(Stage::surface);
  if (stages.whitewater) list.push_back(Stage::whitewater);
  if (stages.render) list.push_back(Stage::render);
  return list;
}

}  // namespace

Result<void> StageRecord::note(const RunStages& made, int frame, std::uint64_t state) {
  for (const Stage stage : in_order(made))
    if (Result<void> written = note(stage, frame, state); !written) return written;
  return {};
}

Result<void> StageRecord::forget(const RunStages& stale, int frame, std::uint64_t state) {
  std::vector<Stage> forgotten;
  const auto drop = [&](Stage stage) {
    if (std::exchange(noted(stage, frame), 0) != 0) forgotten.push_back(stage);
  };
  // Pictures may differ though all that went into them is the same: by the time that they had, or by what
  // volumes leave out. The video must not stay behind.
  if (stale.render) drop(Stage::video);
  for (const Stage stage : in_order(stale))
    // What becomes the same may as well be replaced.
    if (noted(stage, frame) != input(stage, frame, state)) drop(stage);
  for (const Stage stage : forgotten)
    if (Result<void> written = write(stage, frame, 0); !written) return written;
  return forgotten.empty() ? Result<void>() : flush();
}

Result<void> StageRecord::flush() const {
  if (!exists(paths_.stages()) || flush_file(paths_.stages())) return {};
  return cannot_write(paths_.stages());
}

std::map<int, std::uint64_t> state_hashes(const RunPaths& paths) {
  std::map<int, std::uint64_t> hashes;
  each_object(paths.statistics(), [&](const JsonValue& line) {
    hashes[int(line.number("frame", 0))] = hash_of(line, "state_hash");
  });
  return hashes;
}

}  // namespace whorl
