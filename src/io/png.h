#pragma once

#include "base/image.h"
#include "whorl/error.h"

#include <string>

namespace whorl {

Result<void> write_png(const std::string& path, const Image& image);

}  // namespace whorl
