#include <whorl/version.h>

namespace whorl {

const char* version() { return WHORL_VERSION; }  // from project() in CMakeLists.txt

}  // namespace whorl
