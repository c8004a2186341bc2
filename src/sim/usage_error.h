#pragma once

#include "whorl/error.h"

#include <string>
#include <utility>

namespace whorl {

inline Error usage_error(std::string message) { return {ErrorCode::usage, std::move(message)}; }

}  // namespace whorl
