#include "sim/random_room.h"

#include <algorithm>

namespace whorl {

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0;
  for (const char c : text) hash = mix64(hash, std::uint64_t(static_cast<unsigned char>(c)));
  return hash;
}

Room draw_room(std::uint64_t number, int dimension) {
  Dice dice(number, "room");
  Room room;
  room.bounded = dice.chance(0.75);
  room.h = dice.chance(0.7) ? dice.uniform(0.02, 0.05) : dice.log_uniform(1e-3, 10);
  for (int a = 0; a < dimension; ++a) {
    const bool periodic = room.bounded && dice.chance(0.15);
    // A grid that follows smoke has a margin round it.
    const int least = room.bounded ? 24 : 8, most = dimension == 2 ? 96 : room.bounded ? 48 : 20;
    int cells = least + int((most - least + 1) * std::pow(dice.uniform(0, 1), 2));
    if (periodic)
      cells = cells / 8 * 8;
    else if (dice.chance(0.03))
      cells = dice.between(1, 8);
    room.periodic.push_back(periodic);
    room.low.push_back(-dice.uniform(0.3, 0.7) * cells * room.h);
    room.high.push_back(room.low.back() + cells * room.h);
    room.longest = std::max(room.longest, cells);
  }
  return room;
}

}  // namespace whorl
