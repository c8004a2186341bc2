// A pressure problem and its answer as plain binary files, mapped into memory: how whorl-bench hands the very
// system that Whorl solves to other people's solvers.
//
//   diagonal_i x_i - Σ_j w_ij x_j = b_i      over the cells i of an n³ grid with diagonal_i > 0
//
// Cells are in x-major order, z fastest. Of the symmetric weights a cell keeps the three towards lower cells.
#pragma once

#include "whorl/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace whorl::bench {

// A file in memory for as long as this lives.
class MappedFile {
 public:
  // Zeros, in the folder that TMPDIR names. It has no name there, so that nothing is left behind however this
  // program ends; others reach it by path() while it lives.
  static Result<MappedFile> temporary(std::size_t bytes);
  static Result<MappedFile> open(const std::string& path, bool writable);

  MappedFile(MappedFile&& other) noexcept { swap(other); }
  MappedFile& operator=(MappedFile&& other) noexcept {
    swap(other);
    return *this;
  }
  ~MappedFile();

  const std::string& path() const { return path_; }
  std::span<std::byte> bytes() { return {data_, size_}; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  MappedFile() = default;
  Result<void> map(std::size_t bytes, bool writable);
  void swap(MappedFile& other) noexcept;

  std::string path_;
  int file_ = -1;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

class PoissonFile {
 public:
  static Result<PoissonFile> temporary(int n);  // every array zero
  static Result<PoissonFile> open(const std::string& path);

  const std::string& path() const { return file_.path(); }
  int n() const { return n_; }
  std::size_t cells() const { return std::size_t(n_) * std::size_t(n_) * std::size_t(n_); }
  // From a cell to the next one along an axis.
  std::size_t stride(int axis) const {
    return axis == 0 ? std::size_t(n_) * std::size_t(n_) : axis == 1 ? std::size_t(n_) : 1;
  }

  std::span<float> diagonal() { return {floats(0), cells()}; }
  std::span<const float> diagonal() const { return {floats(0), cells()}; }
  // Towards the neighbour one lower along the axis; zero where either of the two is no unknown.
  std::span<float> low_weight(int axis) { return {floats(1 + axis), cells()}; }
  std::span<const float> low_weight(int axis) const { return {floats(1 + axis), cells()}; }
  std::span<double> b() { return {reinterpret_cast<double*>(floats(4)), cells()}; }
  std::span<const double> b() const { return {reinterpret_cast<const double*>(floats(4)), cells()}; }

 private:
  PoissonFile(MappedFile file, int n) : file_(std::move(file)), n_(n) {}
  float* floats(int array);
  const float* floats(int array) const;

  MappedFile file_;
  int n_;
};

// What a solver tells of itself.
struct SolverFigures {
  double setup_s = 0;  // from coefficients in memory to a solver that is ready
  double solve_s = 0;
  std::int64_t iterations = 0;
  std::int64_t peak_memory_bytes = 0;  // resident, the pages of the problem included
};

class AnswerFile {
 public:
  static Result<AnswerFile> temporary(int n);
  static Result<AnswerFile> open(const std::string& path, int n);  // to write in

  const std::string& path() const { return file_.path(); }
  SolverFigures& figures();
  std::span<double> x();  // zero on cells that are no unknowns

 private:
  explicit AnswerFile(MappedFile file) : file_(std::move(file)) {}

  MappedFile file_;
};

// ‖b - A x‖₂ / ‖b‖₂ over the unknowns, in double.
double true_residual(const PoissonFile& problem, std::span<const double> x);

}  // namespace whorl::bench
