// A field at any points: the point kernel of sampling.
#pragma once

#include "grid/sampler.h"

#include <cstdint>

namespace whorl {

// value[k] = the field `position[k]` cells away from the sample of the sampler's origin.
template <class Method, int D>
struct SamplePointsKernel {
  HashSampler<D> sampler;
  const Vec<float, D>* position;
  float* value;

  WHORL_INLINE void operator()(std::int64_t k) const {
    value[k] = sample<Method, D>(sampler, Coord<D>{}, position[k]);
  }
};

}  // namespace whorl
