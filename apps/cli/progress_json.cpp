// One JSON object a line for every event, for programs that start Whorl.
#include "base/json_text.h"
#include "progress.h"
#include "text.h"

#include <whorl/version.h>

#include <fmt/format.h>

namespace {

using whorl::json_text;

class Json : public Progress {
 public:
  explicit Json(bool verbose) : verbose_(verbose) {}

  void on_start(const whorl::RunStart& start) override {
    event("start", fmt::format(R"("version":"{}","name":{},"folder":{},"dimension":{},"frames":{},"fps":{},)"
                               R"("replaced":{},"resumed":{})",
                               whorl::version(), json_text(start.name), json_text(start.folder),
                               start.dimension, start.last_frame, json_text(start.fps), start.replaced,
                               start.resumed ? std::to_string(*start.resumed) : "null"));
  }

  void on_step(const whorl::StepProgress& step) override {
    if (verbose_)
      event("step", fmt::format(R"("frame":{},"progress":{},"substep":{},"dt":{},"iterations":{},)"
                                R"("active_cells":{})",
                                step.frame, json_text(step.progress), step.substep, json_text(step.dt),
                                step.iterations, step.active_cells));
  }

  void on_frame(const whorl::FrameStatistics& frame, double) override {
    const std::string object = whorl::to_json(frame);
    event("frame", object.substr(1, object.size() - 2));
  }

  void on_warning(const std::string& message) override {
    event("warning", "\"message\":" + json_text(message));
  }

  void on_error(const whorl::Error& error) override {
    event("error", fmt::format(R"("code":{},"message":{})", int(error.code), json_text(error.message)));
    fail(error);
  }

  void on_end(const whorl::RunReport& report) override {
    event("done", fmt::format(R"("exit":{},"frames":{},"folder":{},"show":{},"seconds":{},"stages":{})",
                              report.outcome ? 0 : int(report.outcome.error().code), report.frames,
                              json_text(report.folder), json_text(report.show), json_text(report.seconds),
                              whorl::json_object(report.by_stage)));
  }

 private:
  static void event(const char* name, const std::string& members) {
    put(stdout, fmt::format("{{\"event\":\"{}\",{}}}\n", name, members));
  }

  bool verbose_;
};

}  // namespace

std::unique_ptr<Progress> make_json(bool verbose) { return std::make_unique<Json>(verbose); }
