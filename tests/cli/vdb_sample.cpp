// vdb_sample FOLDER: writes VDB files for vdb_with_python.sh, of irregular tiles in 2D and 3D.
#include "io/vdb.h"
#include "io/vdb_case.h"

#include <cstdio>
#include <string>

namespace whorl {
namespace {

int fail(const Error& error) {
  std::fprintf(stderr, "vdb_sample: %s\n", error.message.c_str());
  return int(error.code);
}

template <int D>
Result<void> write_sample(Exec& ex, const std::string& folder, const VdbOptions& options) {
  const VdbCase<D> sample(ex);
  const std::string name = "sample" + std::to_string(D) + (options.staggered ? "_staggered.vdb" : ".vdb");
  return write_vdb(ex, folder + "/" + name, sample.snapshot(), options);
}

int write_samples(const std::string& folder) {
  Exec ex;
  for (const bool staggered : {false, true})
    for (const auto& write : {write_sample<2>, write_sample<3>})
      if (const auto written = write(ex, folder, {.staggered = staggered}); !written)
        return fail(written.error());
  return 0;
}

}  // namespace
}  // namespace whorl

int main(int argc, char** argv) {
  if (argc == 2) return whorl::write_samples(argv[1]);
  std::fputs("usage: vdb_sample FOLDER\n", stderr);
  return 2;
}
