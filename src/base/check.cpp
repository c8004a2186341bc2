#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace whorl {

void check_failed(const char* file, int line, const char* expression, const std::string& detail) {
  std::fprintf(stderr, "whorl: internal error at %s:%d: %s does not hold%s%s\n", file, line, expression,
               detail.empty() ? "" : ": ", detail.c_str());
  std::_Exit(1);  // ErrorCode::internal
}

}  // namespace whorl
