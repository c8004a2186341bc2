#include "grid/archive.h"

#include "base/check.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace whorl {

namespace {

// Changes whenever a file of an older program could be read wrongly.
constexpr char magic[8] = {'W', 'H', 'O', 'R', 'L', 'S', '0', '1'};
constexpr std::size_t magic_word = 6;  // the version follows
constexpr std::uint64_t end_mark = 0x646e65206c726f77ull;

std::uint64_t hash_block(const unsigned char* data, std::size_t bytes) {
  constexpr std::uint64_t prime = 0x9fb21c651e98df25ull;
  std::uint64_t h[4] = {1, 2, 3, 4};
  std::size_t i = 0;
  for (; i + 32 <= bytes; i += 32)
    for (std::size_t k = 0; k < 4; ++k) {
      std::uint64_t word;
      std::memcpy(&word, data + i + 8 * k, 8);
      h[k] = (h[k] ^ word) * prime;
      h[k] ^= h[k] >> 29;
    }
  for (; i < bytes; ++i) h[0] = (h[0] ^ data[i]) * prime;
  return mix64(mix64(mix64(mix64(bytes, h[0]), h[1]), h[2]), h[3]);
}

}  // namespace

std::uint64_t hash_bytes(Exec& ex, const void* data, std::size_t bytes) {
  constexpr std::int64_t block = 1 << 18;
  const auto* p = static_cast<const unsigned char*>(data);
  const std::int64_t blocks = (std::int64_t(bytes) + block - 1) / block;
  std::vector<std::uint64_t> part(static_cast<std::size_t>(blocks));
  ex.parallel_for(blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b)
      part[std::size_t(b)] =
          hash_block(p + b * block, std::size_t(std::min(block, std::int64_t(bytes) - b * block)));
  });
  std::uint64_t h = bytes;
  for (const std::uint64_t x : part) h = mix64(h, x);
  return h;
}

// ---- saving

SaveArchive::SaveArchive(Exec& ex, std::filesystem::path path)
    : ex_(ex), path_(std::move(path)), temporary_(path_) {
  temporary_ += ".tmp";
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (!file_) problem_ = concat("cannot write ", temporary_.string(), ": ", std::strerror(errno));
  put(magic, sizeof magic);
}

SaveArchive::~SaveArchive() {
  if (!file_) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void SaveArchive::put(const void* data, std::size_t size) {
  if (!problem_.empty() || size == 0) return;
  if (std::fwrite(data, 1, size, file_) != size)
    problem_ = concat("cannot write ", temporary_.string(), ": ", std::strerror(errno));
}

void SaveArchive::bytes(const std::string& name, const void* data, std::size_t size) {
  const std::uint64_t name_size = name.size(), payload = size, checksum = hash_bytes(ex_, data, size);
  put(&name_size, sizeof name_size);
  put(name.data(), name.size());
  put(&payload, sizeof payload);
  put(data, size);
  put(&checksum, sizeof checksum);
  ++records_;
}

Result<void> SaveArchive::finish() {
  put(&end_mark, sizeof end_mark);
  put(&records_, sizeof records_);
  // On disk before the name points to it: a crash leaves the old file or the new one.
  if (problem_.empty() && (std::fflush(file_) != 0 || fsync(fileno(file_)) != 0))
    problem_ = concat("cannot write ", temporary_.string(), ": ", std::strerror(errno));
  if (!problem_.empty()) return Error{ErrorCode::resources, problem_};
  std::fclose(std::exchange(file_, nullptr));
  std::error_code failure;
  std::filesystem::rename(temporary_, path_, failure);
  if (!failure) return {};
  std::remove(temporary_.c_str());
  return Error{ErrorCode::resources, concat("cannot rename ", temporary_.string(), ": ", failure.message())};
}

// ---- loading

LoadArchive::LoadArchive(Exec& ex, std::filesystem::path path) : ex_(ex), path_(std::move(path)) {
  file_ = std::fopen(path_.c_str(), "rb");
  if (!file_) {
    fail(concat("cannot read it: ", std::strerror(errno)));
    return;
  }
  std::error_code failure;
  left_ = std::filesystem::file_size(path_, failure);
  char found[sizeof magic];
  if (failure || !get(found, sizeof found) || std::memcmp(found, magic, sizeof magic) != 0)
    fail("it is not a state file of this version of Whorl");
}

LoadArchive::~LoadArchive() {
  if (file_) std::fclose(file_);
}

void LoadArchive::fail(const std::string& problem) {
  if (!failed()) problem_ = concat(path_.string(), ": ", problem);
}

bool LoadArchive::get(void* data, std::size_t size) {
  if (failed()) return false;
  if (size > left_ || std::fread(data, 1, size, file_) != size) {
    fail("it ends too early; it was cut short, or is still being written");
    return false;
  }
  left_ -= size;
  return true;
}

void LoadArchive::bytes(const std::string& name, void* data, std::size_t size) {
  std::uint64_t name_size = 0, payload = 0, checksum = 0;
  if (!get(&name_size, sizeof name_size)) return;
  if (name_size > 4096) return fail(concat("the record where '", name, "' should be is damaged"));
  std::string found(name_size, ' ');
  if (!get(found.data(), found.size())) return;
  if (found != name) return fail(concat("it holds '", found, "' where '", name, "' should be"));
  if (!get(&payload, sizeof payload)) return;
  if (payload != size) return fail(concat("'", name, "' has ", payload, " bytes, expected ", size));
  if (!get(data, size) || !get(&checksum, sizeof checksum)) return;
  if (checksum != hash_bytes(ex_, data, size))
    fail(concat("'", name, "' is damaged: its checksum does not match"));
  ++records_;
}

bool LoadArchive::fits(const std::string& name, std::uint64_t count, std::size_t element) {
  if (!failed() && count > left_ / element)
    fail(concat("'", name, "' claims ", count, " entries, more than the file holds"));
  return !failed();
}

namespace {

// Whether these are tiles of the domain, or just above its high sides, where faces are, and no active cell
// lies outside.
template <int D>
bool within(const Domain<D>& domain, const std::vector<Coord<D>>& tiles,
            const std::vector<std::uint8_t>& active) {
  Box<D> stored = tiles_of(domain.cells);
  for (int a = 0; a < D; ++a) stored.hi[a] += domain.periodic(a) ? 0 : 1;
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    if (!stored.contains(tiles[t])) return false;
    const Coord<D> corner = tiles[t] * tile_side;
    bool inside = true;
    for_each_coord<D>({Coord<D>{}, Coord<D>::filled(tile_side)}, [&](const Coord<D>& at) {
      const auto row = t * tile_rows<D> + std::size_t(cell_offset<D>(at) / tile_side);
      const bool is_active = active[row] >> at[D - 1] & 1;
      inside = inside && (!is_active || domain.cells.contains(corner + at));
    });
    if (!inside) return false;
  }
  return true;
}

}  // namespace

template <int D>
void LoadArchive::load_new(const std::string& name, TopologyPtr<D>& topology) {
  Domain<D> domain;
  (*this)(name + ".domain", domain);
  std::uint64_t count = 0;
  (*this)(name + ".tile_count", count);
  if (!fits(name + ".tiles", count, sizeof(Coord<D>))) return;
  std::vector<Coord<D>> tiles(count);
  bytes(name + ".tiles", tiles.data(), count * sizeof(Coord<D>));
  std::vector<std::uint8_t> active(count * tile_rows<D>);
  bytes(name + ".active", active.data(), active.size());
  if (failed()) return;
  if (const Result<void> valid = validate(domain); !valid) return fail(valid.error().message);
  if (!within(domain, tiles, active)) return fail(concat("'", name, "' has cells outside its domain"));
  topology = Topology<D>::of_cells(ex_, domain, std::move(tiles), std::move(active));
  if (std::uint64_t(topology->tile_count()) != count)
    fail(concat("'", name, "' lacks tiles that its cells need"));
}

Result<void> LoadArchive::finish() {
  std::uint64_t mark = 0, records = 0;
  if (get(&mark, sizeof mark) && get(&records, sizeof records) && (mark != end_mark || records != records_))
    fail("it holds more than this program expects");
  if (!failed() && left_ != 0) fail("something follows its end");
  return so_far();
}

Result<void> LoadArchive::so_far() const {
  if (failed()) return Error{ErrorCode::usage, problem_};
  return {};
}

bool is_foreign_archive(const std::filesystem::path& path) {
  char found[sizeof magic] = {};
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return false;
  const bool whole = std::fread(found, 1, sizeof found, file) == sizeof found;
  std::fclose(file);
  return whole && std::memcmp(found, magic, magic_word) == 0 && std::memcmp(found, magic, sizeof magic) != 0;
}

template void LoadArchive::load_new(const std::string&, TopologyPtr<2>&);
template void LoadArchive::load_new(const std::string&, TopologyPtr<3>&);

}  // namespace whorl
