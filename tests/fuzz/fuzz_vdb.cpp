#include "fuzz/fuzzers.h"
#include "fuzz/input_file.h"
#include "io/vdb_convert.h"
#include "io/vdb_info.h"

namespace whorl {

void fuzz_vdb(std::string_view bytes) {
  const std::string path = input_file("fuzz.vdb", bytes);
  const Result<VdbInfo> info = read_vdb_info(path);
  if (!info) return;
  to_json(info.value());
  to_text(info.value());
  static_cast<void>(hash_vdb(path));
  static_cast<void>(convert_vdb(path, path + ".converted.vdb",
                                {.up = UpAxis::z, .names = {{"density", "smoke"}}, .colour = "color"}));
}

}  // namespace whorl
