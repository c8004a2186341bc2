#include "base/log.h"

#include <cstdio>

namespace whorl {

namespace {
constexpr const char* prefix[] = {"debug: ", "", "warning: ", "error: "};
}

Log::Log()
    : Log([](LogLevel level, const std::string& message) {
        std::fprintf(stderr, "whorl: %s%s\n", prefix[int(level)], message.c_str());
      }) {}

}  // namespace whorl
