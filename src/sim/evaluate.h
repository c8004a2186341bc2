// The numbers of a scene that vary, put into fields.
#pragma once

#include "grid/field.h"
#include "scene/config.h"
#include "stages/source.h"

namespace whorl {

// A value at every active cell or live face, the background elsewhere, at one time. An expression that gives
// no number is an error that names `key` and the place.
template <int D>
Result<void> evaluate(Exec& ex, Field<float, D>& out, int location, const Varying& value,
                      const GridLayout<D>& layout, double t, const std::string& key);

// The same for the samples of a box of cells.
template <int D>
Result<CellValues<D>> evaluate(const Box<D>& cells, int location, const Varying& value,
                               const GridLayout<D>& layout, double t, const std::string& key);

// One number, of a value that may change in time alone.
Result<double> evaluate(const Varying& value, double t, const std::string& key);

// A copy for each worker of an Exec: the formulas in it may be used by one thread at a time.
template <class T>
class PerWorker {
 public:
  PerWorker(const Exec& ex, const T& value) : copies_(std::size_t(ex.threads()), value) {}
  const T& operator[](int worker) const { return copies_[std::size_t(worker)]; }

 private:
  std::vector<T> copies_;
};

}  // namespace whorl
