// What reads files that anyone may have made: each takes any bytes, and must neither crash, hang nor leak.
// libfuzzer/ looks for bytes that make one do so; corpus_test.cpp runs those that once did.
#pragma once

#include <string_view>

namespace whorl {

void fuzz_scene(std::string_view bytes);
void fuzz_checkpoint(std::string_view bytes);
void fuzz_vdb(std::string_view bytes);
void fuzz_mesh(std::string_view bytes);
void fuzz_ply(std::string_view bytes);

}  // namespace whorl
