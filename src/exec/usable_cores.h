// How many threads are worth having: the cores that this process may run on, not those of the machine.
#pragma once

#include <string>

namespace whorl {

// At least one. A container's limit on processor time counts as cores, rounded up.
int usable_cores();

// What Linux writes as a group's limit, "quota period" or "max period", in cores; 0 is no limit.
int cores_of_quota(const std::string& limit);

}  // namespace whorl
