// The scripts that open an export, as CMake found them in src/sim/scripts.
#pragma once

namespace whorl {

extern const char* const open_in_blender;
extern const char* const open_in_houdini;

}  // namespace whorl
