// The same kernel source on the CPU and on a GPU: equal to 1e-6 of the largest value.
#include "base/rng.h"
#include "exec/cuda/launch.h"
#include "grid/cuda/device_grid.h"
#include "grid/sample_points.h"
#include "linear/laplacian.h"
#include "stages/advect.h"

#include <gtest/gtest.h>

namespace whorl {
namespace {

#define SKIP_WITHOUT_GPU() \
  if (!cuda::available()) GTEST_SKIP() << "no CUDA device on this machine"

template <int D>
void fill_random(Field<float, D>& f, std::uint64_t seed) {
  for (std::size_t k = 0; k < f.size(); ++k) f.data()[k] = Rng(seed, k).uniform(-1, 1);
}

// A box with ragged edges: tiles dropped here and there.
template <int D>
TopologyPtr<D> ragged(Exec& ex) {
  std::vector<Coord<D>> tiles;
  for_each_coord(Box<D>{Coord<D>::filled(-3), Coord<D>::filled(4)}, [&](const Coord<D>& t) {
    if (Rng(5, tiles.size() + 17 * std::size_t(t[0] + 8)).uniform() < 0.8f) tiles.push_back(t);
  });
  return Topology<D>::of_tiles(ex, {}, std::move(tiles));
}

template <int D>
void expect_equal(const Field<float, D>& cpu, const cuda::DeviceBuffer<float>& gpu) {
  std::vector<float> host(gpu.size());
  gpu.download(host.data());
  double most = 0, worst = 0;
  for (std::size_t k = 0; k < cpu.size(); ++k) {
    most = std::max(most, std::abs(double(cpu.data()[k])));
    worst = std::max(worst, std::abs(double(cpu.data()[k]) - host[k]));
  }
  ASSERT_GT(most, 0.1);
  EXPECT_LE(worst, 1e-6 * most);
  std::printf("D = %d: largest difference %.2e of the largest value\n", D, worst / most);
}

template <int D>
void compare_apply() {
  Exec ex;
  const TopologyPtr<D> topology = ragged<D>(ex);
  const cuda::DeviceTopology<D> device(*topology);
  Field<float, D> p(ex, topology), out(ex, topology);
  MacField<float, D> w(ex, topology);
  fill_random(p, 1);
  cuda::DeviceBuffer<float> device_p = cuda::upload(p), device_out = cuda::upload(out);

  for_rows(ex, topology->tile_set(), LaplacianKernel<float, D>{std::as_const(p).view(), out.view(), 4.f});
  cuda::for_rows(device.tile_set(), LaplacianKernel<float, D>{FieldView<const float, D>(device_p.data()),
                                                              FieldView<float, D>(device_out.data()), 4.f});
  cuda::synchronize();
  expect_equal(out, device_out);

  MacView<const float, D> device_w;
  std::vector<cuda::DeviceBuffer<float>> weights;
  for (int a = 0; a < D; ++a) {
    fill_random(w[a], 10 + std::uint64_t(a));
    weights.push_back(cuda::upload(w[a]));
    device_w.component[a] = FieldView<const float, D>(weights.back().data());
  }
  for_rows(
      ex, topology->tile_set(),
      WeightedLaplacianKernel<float, D>{{std::as_const(p).view(), std::as_const(w).view(), 4.f}, out.view()});
  cuda::for_rows(device.tile_set(), WeightedLaplacianKernel<float, D>{
                                        {FieldView<const float, D>(device_p.data()), device_w, 4.f},
                                        FieldView<float, D>(device_out.data())});
  cuda::synchronize();
  expect_equal(out, device_out);
}

TEST(Cuda, ApplyEqualsTheCpus) {
  SKIP_WITHOUT_GPU();
  compare_apply<2>();
  compare_apply<3>();
}

// Smooth fields: where a field jumps, a rounding of the departure point shows as more than a rounding.
template <int D>
float smooth(const Coord<D>& c, int which) {
  float x = float(which);
  for (int a = 0; a < D; ++a) x += (0.05f + 0.02f * float((a + which) % 3)) * float(c[a]);
  return std::sin(x);
}

template <int D>
void compare_advect(const TopologyPtr<D>& topology, Exec& ex) {
  const float step = 3;
  const cuda::DeviceTopology<D> device(*topology);
  MacField<float, D> velocity(ex, topology), moved;
  Field<float, D> scalar(ex, topology), moved_scalar;
  for (int tile = 0; tile < topology->tile_count(); ++tile)
    for_each_coord(Box<D>{{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
      const Coord<D> c = topology->tiles()[std::size_t(tile)] * tile_side + at;
      for (int a = 0; a < D; ++a) velocity[a].set(c, smooth(c, a));
      scalar.set(c, smooth(c, D));
    });

  const Domain<D>& domain = topology->domain();
  std::vector<Carried<D>> carried{{&scalar, &moved_scalar, at_centres, scalar_boundary(domain, 0.f, 0.f)}};
  for (int a = 0; a < D; ++a)
    carried.push_back({&velocity[a], &moved[a], a, velocity_boundary<D>(domain, a, 0.f, {})});
  advect<D>(ex, Crossing<D>(ex, topology, topology), {&velocity, {}}, carried, step,
            {.scheme = AdvectionScheme::semi_lagrangian});

  std::vector<cuda::DeviceBuffer<float>> in, out;
  AdvectKernel<Linear, D> kernel{};
  const auto view_on_device = [&](const Field<float, D>& f, const Boundary<D>& boundary) {
    in.push_back(cuda::upload(f));
    return SampleView<D>{in.back().data(), device.tile_set().neighbours, topology->tile_count(),
                         f.background(),   device.view().tiles,          boundary};
  };
  VelocityRange<D> range;
  for (int a = 0; a < D; ++a) {
    kernel.velocity[a] = view_on_device(velocity[a], velocity_boundary<D>(domain, a, 0.f, {}));
    range.lo[a] = -1, range.hi[a] = 1;
  }
  const std::vector<VelocityRange<D>> ranges(std::size_t(topology->tile_count()) + 1, range);
  const cuda::DeviceBuffer<VelocityRange<D>> device_ranges{std::span(ranges)};
  kernel.ranges = device_ranges.data();
  kernel.topology = device.view();
  kernel.step = -step;
  kernel.order = 2;
  for (const Carried<D>& q : carried) {
    AdvectTarget<D>& target = kernel.targets[kernel.target_count++];
    target.in = view_on_device(*q.in, q.boundary);
    out.emplace_back(q.in->size());
    target.out = FieldView<float, D>(out.back().data());
    target.background = q.in->background();
    target.location = q.location;
    target.velocity = -1;
  }
  AdvectKernel<Linear, D> on_host = kernel;  // asked only for the size of its bricks
  on_host.ranges = ranges.data();
  on_host.velocity[0].table = topology->tile_set().neighbours;
  cuda::for_tiles(device.tile_set(), kernel, on_host.scratch_bytes(0));
  cuda::synchronize();
  for (std::size_t k = 0; k < carried.size(); ++k) expect_equal(*carried[k].out, out[k]);
}

template <int D>
void compare_points() {
  Exec ex;
  const TopologyPtr<D> topology = ragged<D>(ex);
  const cuda::DeviceTopology<D> device(*topology);
  Field<float, D> f(ex, topology);
  fill_random(f, 4);
  const int n = 20000;
  std::vector<Vec<float, D>> position(n);
  for (std::size_t k = 0; k < n; ++k)
    for (int a = 0; a < D; ++a) position[k][a] = Rng(7, k, std::uint64_t(a)).uniform(-30, 40);
  std::vector<float> value(n), from_device(n);
  SamplePointsKernel<CatmullRom, D> kernel{
      {{f.data(), nullptr, topology->tile_count(), 0.f, nullptr, scalar_boundary<D>({}, 0.f, 0.f)},
       topology->map().view(),
       {},
       {},
       {}},
      position.data(),
      value.data()};
  for_points(ex, n, kernel);

  const cuda::DeviceBuffer<float> device_f = cuda::upload(f);
  const cuda::DeviceBuffer<Vec<float, D>> device_position{std::span<const Vec<float, D>>(position)};
  cuda::DeviceBuffer<float> device_value(n);
  kernel.sampler.field.data = device_f.data();
  kernel.sampler.map = device.map();
  kernel.position = device_position.data();
  kernel.value = device_value.data();
  cuda::for_points(n, kernel);
  cuda::synchronize();
  device_value.download(from_device.data());
  for (std::size_t k = 0; k < n; ++k) ASSERT_NEAR(from_device[k], value[k], 1e-6f) << k;
}

TEST(Cuda, PointsEqualTheCpus) {
  SKIP_WITHOUT_GPU();
  compare_points<2>();
  compare_points<3>();
}

template <int D>
void compare_advect_in_all_domains() {
  Exec ex;
  compare_advect<D>(ragged<D>(ex), ex);
  const Box<D> box{{}, Coord<D>::filled(40)};
  for (const Side side : {Side::periodic, Side::wall, Side::open, Side::inflow})
    compare_advect<D>(Topology<D>::of_box(ex, box_domain<D>(box, side)), ex);
}

TEST(Cuda, SemiLagrangianEqualsTheCpus) {
  SKIP_WITHOUT_GPU();
  compare_advect_in_all_domains<2>();
  compare_advect_in_all_domains<3>();
}

}  // namespace
}  // namespace whorl
