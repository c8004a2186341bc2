#pragma once

#include <deque>
#include <optional>

namespace whorl {

// How long the frames to come will take. Frames get slower as fluid spreads, so the trend of the last ones is
// taken to go on for as many frames again, and to have come to its end then.
class TimeLeft {
 public:
  void frame_took(double seconds);
  std::optional<double> seconds(double frames) const;  // none before the first frame

 private:
  static constexpr std::size_t window = 16;
  std::deque<double> recent_;
};

}  // namespace whorl
