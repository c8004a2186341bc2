// The 7-point operator on a GPU beside the device's own copy. Built with CUDA alone.
#if WHORL_HAVE_CUDA
#include "exec/cuda/launch.h"
#include "grid/cuda/device_grid.h"
#include "harness.h"
#include "linear/laplacian.h"

#include <cstdio>

namespace whorl::bench {

int cuda(const Options& options) {
  constexpr int D = 3, launches = 20;
  if (!whorl::cuda::available()) {
    std::printf("no CUDA device on this machine: nothing measured\n");
    return 0;
  }
  const int n = options.size ? options.size : 512;
  Exec ex;
  const TopologyPtr<D> topology =
      Topology<D>::of_box(ex, box_domain<D>({{}, Coord<D>::filled(n)}, Side::wall));
  const whorl::cuda::DeviceTopology<D> device(*topology);
  Field<float, D> p(ex, topology), out(ex, topology);
  for (std::size_t k = 0; k < p.size(); ++k) p.data()[k] = float(k % 1013) * 1e-3f;
  auto device_p = whorl::cuda::upload(p), device_out = whorl::cuda::upload(out);
  const LaplacianKernel<float, D> kernel{FieldView<const float, D>(device_p.data()),
                                         FieldView<float, D>(device_out.data()), 4.f};

  const std::vector<double> s = best_seconds(
      5, {[&] {
            for (int k = 0; k < launches; ++k)
              whorl::cuda::copy_on_device(device_out.data(), device_p.data(), p.size() * sizeof(float));
            whorl::cuda::synchronize();
          },
          [&] {
            for (int k = 0; k < launches; ++k) whorl::cuda::for_rows(device.tile_set(), kernel);
            whorl::cuda::synchronize();
          }});
  // The last launch stands: compare it with the CPU's.
  for_rows(ex, topology->tile_set(), LaplacianKernel<float, D>{std::as_const(p).view(), out.view(), 4.f});
  std::vector<float> host(device_out.size());
  device_out.download(host.data());
  double worst = 0, most = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    most = std::max(most, std::abs(double(out.data()[k])));
    worst = std::max(worst, std::abs(double(out.data()[k]) - host[k]));
  }
  if (!(worst <= 1e-6 * most)) {
    std::fprintf(stderr, "whorl-bench: GPU and CPU disagree by %g of %g\n", worst, most);
    return 1;
  }
  Table table(whorl::cuda::device_name() + ", " + std::to_string(n) + "^3");
  const double bytes = 8. * double(n) * n * n * launches;  // one float in, one out
  table.add("copy", {{"GB/s", 1e-9 * bytes / s[0]}, {"of copy", 1.}});
  table.add("7-point apply", {{"GB/s", 1e-9 * bytes / s[1]}, {"of copy", s[0] / s[1]}});
  return table.write_json(options.json);
}

}  // namespace whorl::bench
#endif
