#pragma once

namespace whorl {

const char* version();  // "major.minor.patch"

}  // namespace whorl
