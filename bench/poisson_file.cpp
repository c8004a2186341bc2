#include "poisson_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace whorl::bench {

namespace {

constexpr int D = 3;
constexpr std::size_t header_bytes = 64;
constexpr std::size_t problem_bytes_per_cell = (1 + D) * sizeof(float) + sizeof(double);

struct ProblemHeader {
  char magic[8];
  std::int64_t n;
};
constexpr char problem_magic[8] = {'w', 'h', 'o', 'r', 'l', 'p', 's', '1'};
static_assert(sizeof(ProblemHeader) <= header_bytes && sizeof(SolverFigures) <= header_bytes);

Error cannot(const std::string& what, const std::string& path) {
  return {ErrorCode::resources, "cannot " + what + " " + path + ": " + std::strerror(errno)};
}

std::size_t cells_of(int n) { return std::size_t(n) * std::size_t(n) * std::size_t(n); }
std::size_t problem_bytes(int n) { return header_bytes + problem_bytes_per_cell * cells_of(n); }
std::size_t answer_bytes(int n) { return header_bytes + sizeof(double) * cells_of(n); }

}  // namespace

Result<MappedFile> MappedFile::temporary(std::size_t bytes) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (failed) return Error{ErrorCode::resources, "no temporary folder: " + failed.message()};
  std::string name = folder / "whorl_bench_XXXXXX";
  MappedFile file;
  file.file_ = mkostemp(name.data(), O_CLOEXEC);
  if (file.file_ < 0) return cannot("write to", folder);
  unlink(name.c_str());
  file.path_ = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file.file_);
  // Claims the space: a full disk is an error here, not a bus error at some later write.
  if ((errno = posix_fallocate(file.file_, 0, off_t(bytes)))) return cannot("find space in", folder);
  if (const Result<void> mapped = file.map(bytes, true); !mapped) return mapped.error();
  return file;
}

Result<MappedFile> MappedFile::open(const std::string& path, bool writable) {
  MappedFile file;
  file.path_ = path;
  file.file_ = ::open(path.c_str(), (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  struct stat about {};
  if (file.file_ < 0 || fstat(file.file_, &about) != 0) return cannot("open", path);
  if (const Result<void> mapped = file.map(std::size_t(about.st_size), writable); !mapped)
    return mapped.error();
  return file;
}

Result<void> MappedFile::map(std::size_t bytes, bool writable) {
  if (bytes == 0) return {};
  // MAP_POPULATE: a solver's set-up must not be billed for reading the file.
  void* data = mmap(nullptr, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED | MAP_POPULATE,
                    file_, 0);
  if (data == MAP_FAILED) return cannot("map", path_);
  data_ = static_cast<std::byte*>(data);
  size_ = bytes;
  return {};
}

void MappedFile::swap(MappedFile& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
}

MappedFile::~MappedFile() {
  if (data_) munmap(data_, size_);
  if (file_ >= 0) close(file_);
}

Result<PoissonFile> PoissonFile::temporary(int n) {
  Result<MappedFile> file = MappedFile::temporary(problem_bytes(n));
  if (!file) return file.error();
  ProblemHeader header{{}, n};
  std::memcpy(header.magic, problem_magic, sizeof problem_magic);
  std::memcpy(file.value().bytes().data(), &header, sizeof header);
  return PoissonFile(std::move(file).value(), n);
}

Result<PoissonFile> PoissonFile::open(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path, false);
  if (!file) return file.error();
  const std::span<const std::byte> bytes = std::as_const(file.value()).bytes();
  ProblemHeader header{};
  if (bytes.size() >= header_bytes) std::memcpy(&header, bytes.data(), sizeof header);
  const bool named = std::memcmp(header.magic, problem_magic, sizeof problem_magic) == 0;
  if (!named || header.n < 1 || header.n > 4096 || bytes.size() != problem_bytes(int(header.n)))
    return Error{ErrorCode::usage, path + " is no problem file"};
  return PoissonFile(std::move(file).value(), int(header.n));
}

float* PoissonFile::floats(int array) {
  return reinterpret_cast<float*>(file_.bytes().data() + header_bytes) + std::size_t(array) * cells();
}
const float* PoissonFile::floats(int array) const {
  return reinterpret_cast<const float*>(file_.bytes().data() + header_bytes) + std::size_t(array) * cells();
}

Result<AnswerFile> AnswerFile::temporary(int n) {
  Result<MappedFile> file = MappedFile::temporary(answer_bytes(n));
  if (!file) return file.error();
  return AnswerFile(std::move(file).value());
}

Result<AnswerFile> AnswerFile::open(const std::string& path, int n) {
  Result<MappedFile> file = MappedFile::open(path, true);
  if (!file) return file.error();
  if (file.value().bytes().size() != answer_bytes(n))
    return Error{ErrorCode::usage, path + " is no answer file of this size"};
  return AnswerFile(std::move(file).value());
}

SolverFigures& AnswerFile::figures() { return *reinterpret_cast<SolverFigures*>(file_.bytes().data()); }

std::span<double> AnswerFile::x() {
  const std::span<std::byte> bytes = file_.bytes().subspan(header_bytes);
  return {reinterpret_cast<double*>(bytes.data()), bytes.size() / sizeof(double)};
}

namespace {

struct Squares {
  double residual = 0, right_side = 0;
};

// Over the cells of one slab of equal x.
Squares slab_squares(const PoissonFile& problem, std::span<const double> x, int slab) {
  const int n = problem.n();
  Squares sum;
  std::size_t i = std::size_t(slab) * problem.stride(0);
  for (int y = 0; y < n; ++y)
    for (int z = 0; z < n; ++z, ++i) {
      if (!(problem.diagonal()[i] > 0)) continue;
      double a_x = double(problem.diagonal()[i]) * x[i];
      const int at[D] = {slab, y, z};
      for (int a = 0; a < D; ++a) {
        const std::size_t step = problem.stride(a);
        const std::span<const float> w = problem.low_weight(a);
        if (at[a] > 0) a_x -= double(w[i]) * x[i - step];
        if (at[a] + 1 < n) a_x -= double(w[i + step]) * x[i + step];
      }
      const double b = problem.b()[i];
      sum.residual += (b - a_x) * (b - a_x);
      sum.right_side += b * b;
    }
  return sum;
}

}  // namespace

double true_residual(const PoissonFile& problem, std::span<const double> x) {
  // Summed by slab and then over slabs, so that the figure does not depend on who took which.
  std::vector<Squares> slabs(std::size_t(problem.n()));
  std::atomic<int> next = 0;
  {
    std::vector<std::jthread> workers(std::max(1u, std::thread::hardware_concurrency()));
    for (std::jthread& worker : workers)
      worker = std::jthread([&] {
        for (int slab; (slab = next++) < problem.n();)
          slabs[std::size_t(slab)] = slab_squares(problem, x, slab);
      });
  }
  Squares sum;
  for (const Squares& s : slabs) {
    sum.residual += s.residual;
    sum.right_side += s.right_side;
  }
  return std::sqrt(sum.residual / sum.right_side);
}

}  // namespace whorl::bench
