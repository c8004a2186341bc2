// Reductions whose bits do not depend on the number of threads: a partial result a chunk of fixed
// size, combined in the order of the chunks.
#pragma once

#include "exec/exec.h"

#include <type_traits>
#include <vector>

namespace whorl {

// combine(…combine(init, map(chunk 0)), map(chunk 1)…); map(begin, end) runs in parallel.
template <class T, class Map, class Combine>
T reduce(Exec& ex, std::int64_t n, std::int64_t chunk_size, T init, const Map& map, const Combine& combine) {
  static_assert(!std::is_same_v<T, bool>, "bits of a vector<bool> cannot be written side by side");
  std::vector<T> partial(std::size_t((n + chunk_size - 1) / chunk_size));
  ex.parallel_chunks(n, chunk_size, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk, int) {
    partial[std::size_t(chunk)] = map(begin, end);
  });
  for (const T& p : partial) init = combine(init, p);
  return init;
}

}  // namespace whorl
