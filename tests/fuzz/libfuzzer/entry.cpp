// One fuzzer, WHORL_FUZZER, as libFuzzer calls it.
#include "fuzz/fuzzers.h"

#include <cstddef>
#include <cstdint>

#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <unistd.h>

namespace {

bool apart = false;  // in a process that Whorl started for a crash to do no harm (io/process.h): no finding

}  // namespace

extern "C" void __asan_on_error() {
  if (apart) _exit(1);
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  return pthread_atfork(nullptr, nullptr, [] {
    apart = true;
    __sanitizer_set_death_callback([] {});
  });
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  whorl::WHORL_FUZZER({reinterpret_cast<const char*>(data), size});
  return 0;
}
