// Light in OpenEXR files, for other programs to go on with: half floats, compressed without loss by ZIP.
#pragma once

#include "base/image.h"
#include "whorl/error.h"

#include <string>

namespace whorl {

// The same light gives the same bytes. What no half float can hold becomes the brightest that it can.
Result<void> write_exr(const std::string& path, const LightImage& image);

}  // namespace whorl
