// What a frame of a simulation says and shows. SI units.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace whorl {

// One line of frames.jsonl. In 2D, a mass is per metre of depth, and the third entry of a vector is zero but
// for the angular momentum's, which is about z.
struct FrameStatistics {
  int frame = 0;
  double time = 0;  // s
  int substeps = 0;
  double dt_min = 0, dt_max = 0;
  int pressure_iterations = 0;    // of all sub-steps together
  double pressure_residual = 0;   // the worst divergence that a sub-step's solve left, 1/s
  double max_divergence = 0;      // of the velocity as it is stored, in double, 1/s
  double pressure_tolerance = 0;  // what was asked of the last sub-step, 1/s
  std::int64_t active_tiles = 0, active_cells = 0;
  std::int64_t particles = 0;                        // of a liquid; of smoke: its vortex particles
  std::vector<std::pair<std::string, double>> mass;  // the integral of each carried quantity
  double liquid_volume = 0;                          // m³ (m² in 2D), by its particles
  double mesh_volume = 0;                            // m³: what the mesh written encloses, if one is
  double kinetic_energy = 0;                         // per unit of air density
  std::array<double, 3> momentum{}, angular_momentum{}, center_of_mass{};
  double max_speed = 0;
  // The integral of density, or volume of liquid, that sources gave off so far, that left by open sides or
  // into sinks or faded, and that was added to make up for the error of advection.
  double injected = 0, drained = 0, corrected = 0;
  double given_up =
      0;  // m³ (m² in 2D) that closed regions had to lose or gain in this frame, as a piston asks
  std::int64_t not_evened = 0;  // steps of this frame in which a liquid's particles stayed crowded
  std::uint64_t state_hash = 0;
  std::vector<std::pair<std::string, double>> seconds;  // by stage
  std::uint64_t peak_memory_bytes = 0;
};

std::string to_json(const FrameStatistics& statistics);  // one line

// The values of one brick of 8 cells a side: the last axis runs fastest.
struct FrameTile {
  std::array<int, 3> first_cell{};          // in 2D, the third is 0
  std::span<const float> values;            // 512, or 64 in 2D
  std::span<const std::uint8_t> is_active;  // a byte a row of 8 cells, a bit a cell
};

}  // namespace whorl
