// Which way is up in a file. Whorl has y up, as Houdini does; Blender has z up.
#pragma once

#include "base/vec.h"

namespace whorl {

enum class UpAxis { y, z };

// A place or a vector of Whorl's as a file has it: a quarter of a turn about x.
template <class T>
Vec<T, 3> turned(const Vec<T, 3>& x, UpAxis up) {
  return up == UpAxis::z ? Vec<T, 3>{x[0], 0 - x[2], x[1]} : x;  // 0 - x: no negative zeros
}

}  // namespace whorl
