#include "stages/vorticity.h"

namespace whorl {

namespace {

template <int D>
struct CentredVelocity {
  MacView<const float, D> u;
  MacView<float, D> out;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    for (int a = 0; a < D; ++a) out[a].store(i, Real(0.5f) * (u[a](i) + u[a](i, a, +1)));
  }
};

template <int D>
struct CentredCurl {
  MacView<const float, D> c;
  TopologyView<D> cells;
  MacView<float, D> out;
  float inv_2h;

  template <class Index>
  WHORL_INLINE auto slope(int component, const Index& i, int axis) const {
    return typename Index::Real(inv_2h) * (c[component](i, axis, +1) - c[component](i, axis, -1));
  }
  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    unsigned inner = cells.active_bits(i);
    for (int a = 0; a < D; ++a) inner &= cells.active_bits(i, a, -1) & cells.active_bits(i, a, +1);
    for (int k = 0; k < curl_parts<D>; ++k) {
      const int a = curl_from<D>(k), b = curl_to<D>(k);
      out[k].store(i, select(mask_of<Real>(inner), slope(b, i, a) - slope(a, i, b), Real(0.f)));
    }
  }
};

template <int D>
struct EdgeCurl {
  MacView<const float, D> u;
  FieldView<float, D> out;
  int a, b;  // the plane
  float inv_h;

  template <class Index>
  WHORL_INLINE void operator()(const Index& i) const {
    using Real = typename Index::Real;
    out.store(i, Real(inv_h) * ((u[b](i) - u[b](i, a, -1)) - (u[a](i) - u[a](i, b, -1))));
  }
};

}  // namespace

template <int D>
MacField<float, D> centred_velocity(Exec& ex, const MacField<float, D>& velocity) {
  MacField<float, D> centred = MacField<float, D>::unfilled(ex, velocity.topology());
  for_rows(ex, velocity.topology()->tile_set(), CentredVelocity<D>{velocity.view(), centred.view()});
  return centred;
}

template <int D>
MacField<float, D> centred_vorticity(Exec& ex, const MacField<float, D>& centred, double h) {
  MacField<float, D> curl = MacField<float, D>::unfilled(ex, centred.topology());
  for_rows(ex, centred.topology()->tile_set(),
           CentredCurl<D>{centred.view(), centred.topology()->view(), curl.view(), float(0.5 / h)});
  return curl;
}

template <int D>
std::vector<Field<float, D>> edge_vorticity(Exec& ex, const MacField<float, D>& velocity, double h) {
  std::vector<Field<float, D>> curl;
  for (int k = 0; k < curl_parts<D>; ++k) {
    curl.push_back(Field<float, D>::unfilled(ex, velocity.topology()));
    for_rows(ex, velocity.topology()->tile_set(),
             EdgeCurl<D>{velocity.view(), curl.back().view(), curl_from<D>(k), curl_to<D>(k), float(1 / h)});
  }
  return curl;
}

template <int D>
void add_curl(Exec& ex, MacField<float, D>& velocity, const std::vector<Field<double, D>>& potential,
              double h) {
  using Wide = Lane<double>;
  const TopologyView<D> cells = velocity.topology()->view();
  const Wide inv_h(1 / h);
  for (int k = 0; k < curl_parts<D>; ++k) {
    const FieldView<const double, D> psi = potential[std::size_t(k)].view();
    // ψ about an axis turns the first axis of its plane into the second: u_a += ∂ψ/∂b, u_b -= ∂ψ/∂a.
    const int a = curl_from<D>(k), b = curl_to<D>(k);
    const FieldView<float, D> u = velocity[a].view(), v = velocity[b].view();
    for_rows(ex, velocity.topology()->tile_set(), [=](const RowIndex<D>& r) {
      const auto add = [&](const FieldView<float, D>& to, int axis, Wide change) {
        const auto live = Lane<float>::mask_from_bits(cells.live_face_bits(r, axis));
        to.store(r, select(live, convert<Lane<float>>(convert<Wide>(to(r)) + change), to(r)));
      };
      add(u, a, inv_h * (psi(r, b, +1) - psi(r)));
      add(v, b, -(inv_h * (psi(r, a, +1) - psi(r))));
    });
  }
}

#define WHORL_INSTANTIATE(D)                                                                      \
  template MacField<float, D> centred_velocity(Exec&, const MacField<float, D>&);                 \
  template MacField<float, D> centred_vorticity(Exec&, const MacField<float, D>&, double);        \
  template std::vector<Field<float, D>> edge_vorticity(Exec&, const MacField<float, D>&, double); \
  template void add_curl(Exec&, MacField<float, D>&, const std::vector<Field<double, D>>&, double);
WHORL_INSTANTIATE(2)
WHORL_INSTANTIATE(3)
#undef WHORL_INSTANTIATE

}  // namespace whorl
