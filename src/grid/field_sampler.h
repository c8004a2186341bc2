// Samplers of fields, ready for a kernel.
#pragma once

#include "grid/field.h"
#include "grid/sampler.h"

namespace whorl {

// For bricks and tables, in kernels over crossing.to().
template <int D>
SampleView<D> sample_view(const Field<float, D>& field, const Crossing<D>& crossing,
                          const Boundary<D>& boundary) {
  CHECK(field.topology() == crossing.from(), "the field lives on another topology");
  return {field.data(),
          crossing.table(),
          field.topology()->tile_count(),
          field.background(),
          crossing.to()->view().tiles,
          boundary};
}

// For points anywhere, counted from the sample of cell `origin`.
template <int D>
HashSampler<D> hash_sampler(const Field<float, D>& field, const Boundary<D>& boundary,
                            const Coord<D>& origin = {}) {
  const Topology<D>& topology = *field.topology();
  HashSampler<D> sampler{
      {field.data(), nullptr, topology.tile_count(), field.background(), nullptr, boundary},
      topology.map().view(),
      origin,
      {},
      {}};
  for (int a = 0; a < D; ++a)
    if (topology.domain().periodic(a)) {
      sampler.first_tile[a] = topology.domain().cells.lo[a] / tile_side;
      sampler.period[a] = topology.domain().extent(a) / tile_side;
    }
  return sampler;
}

}  // namespace whorl
