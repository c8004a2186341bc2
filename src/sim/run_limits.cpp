#include "sim/run_limits.h"

#include "sim/json_reader.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace whorl {

namespace {

Error beyond(int frame, const std::string& what, double limit, const char* option) {
  return {ErrorCode::diverged,
          fmt::format("frame {} {}, more than the limit of {:.6g} ({})", frame, what, limit, option)};
}

}  // namespace

void LimitCheck::start_from(const RunPaths& paths) {
  const Result<std::string> text = read_text(paths.statistics());
  const auto first = text ? parse_json(text.value().substr(0, text.value().find('\n'))) : std::nullopt;
  const JsonValue* ledger = first ? first->find("ledger") : nullptr;
  if (!ledger) return;
  balance_ = first->number("liquid_volume", 0) - ledger->number("injected", 0) + ledger->number("drained", 0);
}

Result<void> LimitCheck::check(const FrameStatistics& frame) {
  const double divergence = std::max(frame.pressure_residual, frame.max_divergence);
  if (limits_.divergence && divergence > *limits_.divergence)
    return beyond(frame.frame, fmt::format("has a divergence of {:.6g} 1/s", divergence), *limits_.divergence,
                  "--max-divergence");
  if (!limits_.volume_drift) return {};
  if (!balance_) balance_ = frame.liquid_volume - frame.injected + frame.drained;
  const double ever = *balance_ + frame.injected, drift = frame.liquid_volume - (ever - frame.drained);
  if (std::abs(drift) <= *limits_.volume_drift * ever) return {};
  return beyond(frame.frame,
                fmt::format("has {:.6g} m³ of liquid {}, {:.6g} of all that there was", std::abs(drift),
                            drift > 0 ? "too much" : "too little", std::abs(drift) / ever),
                *limits_.volume_drift, "--max-volume-drift");
}

}  // namespace whorl
