#include "sim/time_left.h"

#include <algorithm>

namespace whorl {

void TimeLeft::frame_took(double seconds) {
  recent_.push_back(seconds);
  if (recent_.size() > window) recent_.pop_front();
}

std::optional<double> TimeLeft::seconds(double frames) const {
  if (recent_.empty()) return {};
  // Least squares: seconds = mean + slope·(k − middle).
  const double count = double(recent_.size()), middle = (count - 1) / 2;
  double mean = 0, covariance = 0, variance = 0;
  for (const double took : recent_) mean += took / count;
  for (std::size_t k = 0; k < recent_.size(); ++k) {
    covariance += (double(k) - middle) * (recent_[k] - mean);
    variance += (double(k) - middle) * (double(k) - middle);
  }
  const double slope = variance > 0 ? covariance / variance : 0;
  const double now =
      std::max(mean + slope * middle, mean / 2);  // what the last frame took, but for its noise
  const double growth = std::max(slope, 0.0);
  const double rising = std::min(frames, count), level = frames - rising;
  return frames * now + growth * (rising * (rising + 1) / 2 + level * rising);
}

}  // namespace whorl
