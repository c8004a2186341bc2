#include "solvers/smoke_maps.h"

#include "stages/extend.h"

namespace whorl {

namespace {

template <int D>
std::vector<Field<float, D>> copies(Exec& ex, std::span<const Carried<D>> carried,
                                    const Field<float, D>& (*of)(const Carried<D>&)) {
  std::vector<Field<float, D>> fields;
  for (const Carried<D>& q : carried) fields.push_back(of(q).clone(ex));
  return fields;
}
template <int D>
const Field<float, D>& before(const Carried<D>& q) {
  return *q.in;
}
template <int D>
const Field<float, D>& after(const Carried<D>& q) {
  return *q.out;
}

// `worn`: it is time to start anew.
template <int D>
void take_changes_back(Exec& ex, FlowMap<D>& map, std::span<const Carried<D>> carried, bool worn,
                       Interpolation interpolation) {
  if (worn) {
    map = start_map<D>(ex, copies<D>(ex, carried, before));
    return;
  }
  for (std::size_t k = 0; k < carried.size(); ++k) {
    Field<float, D> change = Field<float, D>::unfilled(ex, carried[k].in->topology());
    const FieldView<float, D> d = change.view();
    const FieldView<const float, D> now = carried[k].in->view(), then = std::as_const(map.carried[k]).view();
    for_rows(ex, change.topology()->tile_set(), [=](const RowIndex<D>& r) { d.store(r, now(r) - then(r)); });
    change_start(ex, map, k, carried[k].location, change, interpolation);
  }
}

template <int D>
void carry(Exec& ex, FlowMap<D>& map, std::vector<Carried<D>>& carried, const AdvectionParams& params) {
  for (std::size_t k = 0; k < carried.size(); ++k) carried[k].in = &map.start[k];
  carry_by_map<D>(ex, map, carried, params);
  map.carried = copies<D>(ex, carried, after);
}

}  // namespace

template <int D>
void advect_by_maps(Exec& ex, SmokeState<D>& s, const SmokeParams<D>& p, const Crossing<D>& crossing,
                    std::vector<Carried<D>> faces, std::vector<Carried<D>> centres, const CellMask<D>& smoky,
                    double dt) {
  CHECK(faces.empty() || p.energy == EnergyScheme::none,
        "a velocity carried by maps keeps its energy itself");
  std::vector<FlowMap<D>*> maps;
  FlowMap<D>&air = s.velocity_map, &smoke = s.scalar_map;
  if (faces.empty()) {
    air = {};
  } else {
    const auto everywhere = [](const RowIndex<D>&) { return Lane<float>::mask_from_bits(0xff); };
    // Only after an even number of steps is what the projection takes, and reflection lacks, next to nothing.
    const bool worn =
        air.empty() ||
        (air.steps % 2 == 0 &&
         (air.steps >= p.maps.velocity_steps ||
          distortion(ex, air, cells_where<D>(ex, s.topology(), everywhere)) > p.maps.velocity_distortion));
    take_changes_back<D>(ex, air, faces, worn, p.advection.interpolation);
    maps.push_back(&air);
  }
  if (centres.empty()) {
    smoke = {};
  } else {
    const bool worn = smoke.start.size() != centres.size() || smoke.steps >= p.maps.scalar_steps ||
                      started_beyond(ex, smoke, smoky) ||
                      distortion(ex, smoke, smoky) > p.maps.scalar_distortion;
    take_changes_back<D>(ex, smoke, centres, worn, p.advection.interpolation);
    maps.push_back(&smoke);
  }
  if (maps.empty()) return;
  extend_maps<D>(ex, maps, crossing, {&s.velocity, p.inflow}, float(dt / p.h));
  if (!faces.empty()) carry(ex, air, faces, p.advection);
  if (!centres.empty()) carry(ex, smoke, centres, p.advection);
}

template <int D>
void reflect_in_map(Exec& ex, FlowMap<D>& velocity_map, const MacField<float, D>& velocity,
                    const MacField<float, D>& unprojected, const MacField<float, D>& open) {
  using Real = Lane<float>;
  for (int a = 0; a < D; ++a) {
    const FieldView<float, D> carried = velocity_map.carried[std::size_t(a)].view();
    const FieldView<const float, D> u = velocity[a].view(), u0 = unprojected[a].view(), w = open[a].view();
    for_rows(ex, velocity.topology()->tile_set(), [=](const RowIndex<D>& r) {
      const auto free = w(r) >= Real(least_part_with_velocity);
      carried.store(r, carried(r) - select(free, u(r) - u0(r), Real(0.f)));
    });
  }
}

template void advect_by_maps(Exec&, SmokeState<2>&, const SmokeParams<2>&, const Crossing<2>&,
                             std::vector<Carried<2>>, std::vector<Carried<2>>, const CellMask<2>&, double);
template void advect_by_maps(Exec&, SmokeState<3>&, const SmokeParams<3>&, const Crossing<3>&,
                             std::vector<Carried<3>>, std::vector<Carried<3>>, const CellMask<3>&, double);
template void reflect_in_map(Exec&, FlowMap<2>&, const MacField<float, 2>&, const MacField<float, 2>&,
                             const MacField<float, 2>&);
template void reflect_in_map(Exec&, FlowMap<3>&, const MacField<float, 3>&, const MacField<float, 3>&,
                             const MacField<float, 3>&);

}  // namespace whorl
