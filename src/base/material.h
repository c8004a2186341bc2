// What a solid is made of, to the eye.
#pragma once

namespace whorl {

enum class Material { matte, glass, metal };

}  // namespace whorl
