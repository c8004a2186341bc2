// Stable parallel radix sort, least significant digit first.
#pragma once

#include "exec/exec.h"

#include <cstdint>

namespace whorl {

// Sorts keys upward and moves `values` along; equal keys keep their order. Digits that all keys
// share cost one look and no pass. The buffers change places with others: pointers into them go stale.
void sort_by_key(Exec& ex, Buffer<std::uint64_t>& keys, Buffer<std::uint32_t>& values);

}  // namespace whorl
