// vdb_sample write FOLDER: VDB files for vdb_with_python.sh, of irregular tiles in 2D and 3D.
// vdb_sample info --json FILE: what io says of one, without the rest of Whorl.
#include "io/vdb.h"
#include "io/vdb_case.h"
#include "io/vdb_info.h"

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

int print_info(const std::string& file) {
  const Result<VdbInfo> info = read_vdb_info(file);
  if (!info) return fail(info.error());
  std::fputs(to_json(info.value()).c_str(), stdout);
  return 0;
}

}  // namespace
}  // namespace whorl

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "write" && argc == 3) return whorl::write_samples(argv[2]);
  if (command == "info" && argc == 4) return whorl::print_info(argv[3]);
  std::fputs("usage: vdb_sample write FOLDER | vdb_sample info --json FILE\n", stderr);
  return 2;
}
