// The file of a simulation's state: a header that says what it is of, then the state by its visitor.
//
//   format, version   that wrote it
//   frame, substeps   how far the simulation has come
//   scene             every key that the frames to come depend on, a line each, "grid.resolution = 64"
//   fixed             what cannot change within a run, likewise
//
// The scene is there in full rather than as a hash: what differs can be named.
#pragma once

#include "exec/exec.h"
#include "scene/config.h"
#include "whorl/error.h"
#include "whorl/version.h"

#include <cstdint>
#include <string>

namespace whorl {

inline constexpr std::uint32_t checkpoint_format = 1;  // goes up whenever the records change

struct CheckpointHeader {
  std::uint32_t format = checkpoint_format;
  std::string version = whorl::version();
  std::int32_t frame = 0;     // the last one finished
  std::int32_t substeps = 0;  // of the next one
  bool whitewater = false;    // whether it goes on, too
  std::string scene, fixed;

  template <class Self, class Visitor>
  static void visit(Self& h, Visitor& v) {
    v("checkpoint.format", h.format);
    v("checkpoint.version", h.version);
    v("checkpoint.frame", h.frame);
    v("checkpoint.substeps", h.substeps);
    v("checkpoint.whitewater", h.whitewater);
    v("checkpoint.scene", h.scene);
    v("checkpoint.fixed", h.fixed);
  }
};

// That of a simulation of the scene at its start.
CheckpointHeader header_for(Exec& ex, const SceneConfig& scene);

// ErrorCode::usage for a file that is damaged. One that another version wrote in a way that this one cannot
// read has the format 0, and nothing else.
Result<CheckpointHeader> read_header(Exec& ex, const std::string& path);

// Whether a simulation that starts with `own` can go on from the file at `path`, whose header is `found`: as
// if it had never stopped, or, where that is wanted, with a scene that has changed. ErrorCode::usage for
// another version, ErrorCode::invalid_scene for a scene that differs, with every key that does.
Result<void> check_header(const std::string& path, const CheckpointHeader& found, const CheckpointHeader& own,
                          bool changed);

}  // namespace whorl
