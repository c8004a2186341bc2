// Everything a solver's State lists, hashed or put in a file and taken back.
//
// A State has one visitor, `State::visit(state, v)`, which calls v(name, member) for everything that
// the next step depends on. state_hash, save_state and load_state are three kinds of v.
#pragma once

#include "base/rng.h"
#include "grid/field.h"
#include "whorl/error.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace whorl {

// A hash of raw bytes in a fixed order; the same on any number of threads.
std::uint64_t hash_bytes(Exec& ex, const void* data, std::size_t bytes);

// Numbers, words and small structs of them: no padding, whose bytes would be anybody's guess, and no
// pointers.
template <class T>
struct IsVec : std::false_type {};
template <class T, int D>
struct IsVec<Vec<T, D>> : std::is_arithmetic<T> {};
template <class T>
concept PlainData = std::is_arithmetic_v<T> || std::is_enum_v<T> || IsVec<T>::value ||
    (std::is_trivially_copyable_v<T>&& std::has_unique_object_representations_v<T> && !std::is_pointer_v<T>);

// In place of a topology's number: a field that was never made.
inline constexpr std::uint64_t no_topology = ~std::uint64_t(0);

// Walks over a state and hands its plain arrays to Self::bytes(name, pointer, size).
template <class Self>
class ArchiveWalk {
 public:
  template <PlainData T>
  void operator()(const std::string& name, const T& x) {
    self().bytes(name, &x, sizeof x);
  }
  template <PlainData T>
  void operator()(const std::string& name, const std::vector<T>& x) {
    const std::uint64_t size = x.size();
    self().bytes(name + ".size", &size, sizeof size);
    self().bytes(name, x.data(), size * sizeof(T));
  }
  void operator()(const std::string& name, const std::string& text) {
    const std::uint64_t size = text.size();
    self().bytes(name + ".size", &size, sizeof size);
    self().bytes(name, text.data(), size);
  }
  template <PlainData T>
  void operator()(const std::string& name, const Buffer<T>& x) {
    const std::uint64_t size = x.size();
    self().bytes(name + ".size", &size, sizeof size);
    self().bytes(name, x.data(), size * sizeof(T));
  }
  template <PlainData T>
  void operator()(const std::string& name, const std::vector<Buffer<T>>& buffers) {
    (*this)(name + ".size", std::uint64_t(buffers.size()));
    for (std::size_t k = 0; k < buffers.size(); ++k) (*this)(name + "." + std::to_string(k), buffers[k]);
  }
  template <int D>
  void operator()(const std::string& name, const TopologyPtr<D>& topology) {
    // Fields of one state mostly share a topology: the second time its number is enough.
    std::uint64_t number = 0;
    while (number < seen_.size() && seen_[number] != topology) ++number;
    if (!topology) number = no_topology;
    self().bytes(name + ".number", &number, sizeof number);
    if (!topology || number < seen_.size()) return;
    seen_.push_back(topology);
    (*this)(name + ".domain", topology->domain());
    const std::uint64_t tiles = std::uint64_t(topology->tile_count());
    self().bytes(name + ".tile_count", &tiles, sizeof tiles);
    self().bytes(name + ".tiles", topology->tiles().data(), topology->tiles().size_bytes());
    self().bytes(name + ".active", topology->active().data(), topology->active().size_bytes());
  }
  template <class T, int D>
  void operator()(const std::string& name, const Field<T, D>& field) {
    (*this)(name + ".topology", field.topology());
    if (!field.topology()) return;
    (*this)(name + ".background", field.background());
    self().bytes(name, field.data(), field.size() * sizeof(T));
  }
  template <class T, int D>
  void operator()(const std::string& name, const MacField<T, D>& field) {
    for (int a = 0; a < D; ++a) (*this)(name + "." + "xyz"[a], field[a]);
  }
  template <class T, int D>
  void operator()(const std::string& name, const std::vector<Field<T, D>>& fields) {
    (*this)(name + ".size", std::uint64_t(fields.size()));
    for (std::size_t k = 0; k < fields.size(); ++k) (*this)(name + "." + std::to_string(k), fields[k]);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  std::vector<std::shared_ptr<const void>> seen_;
};

class HashArchive : public ArchiveWalk<HashArchive> {
 public:
  explicit HashArchive(Exec& ex) : ex_(ex) {}
  void bytes(const std::string&, const void* data, std::size_t size) {
    hash_ = mix64(hash_, hash_bytes(ex_, data, size));
  }
  std::uint64_t hash() const { return hash_; }

 private:
  Exec& ex_;
  std::uint64_t hash_ = 0;
};

// Writes records (name, size, bytes, checksum) to a temporary file beside `path`; finish() renames it.
class SaveArchive : public ArchiveWalk<SaveArchive> {
 public:
  SaveArchive(Exec& ex, std::filesystem::path path);
  ~SaveArchive();
  void bytes(const std::string& name, const void* data, std::size_t size);
  Result<void> finish();

 private:
  void put(const void* data, std::size_t size);

  Exec& ex_;
  std::filesystem::path path_, temporary_;
  std::FILE* file_;
  std::uint64_t records_ = 0;
  std::string problem_;
};

// Reads what SaveArchive wrote, in the same order. After the first error it leaves everything as it is.
class LoadArchive {
 public:
  LoadArchive(Exec& ex, std::filesystem::path path);
  ~LoadArchive();

  template <PlainData T>
  void operator()(const std::string& name, T& x) {
    bytes(name, &x, sizeof x);
  }
  void operator()(const std::string& name, bool& x) {
    std::uint8_t byte = 0;
    (*this)(name, byte);
    if (byte > 1) fail("'" + name + "' is neither true nor false");
    x = byte != 0;
  }
  template <PlainData T>
  void operator()(const std::string& name, std::vector<T>& x) {
    std::uint64_t size = 0;
    (*this)(name + ".size", size);
    if (!fits(name, size, sizeof(T))) return;
    x.resize(size);
    bytes(name, x.data(), size * sizeof(T));
  }
  void operator()(const std::string& name, std::string& text) {
    std::uint64_t size = 0;
    (*this)(name + ".size", size);
    if (!fits(name, size, 1)) return;
    text.resize(size);
    bytes(name, text.data(), size);
  }
  template <PlainData T>
  void operator()(const std::string& name, Buffer<T>& x) {
    std::uint64_t size = 0;
    (*this)(name + ".size", size);
    if (!fits(name, size, sizeof(T))) return;
    x = ex_.buffer<T>(size);
    bytes(name, x.data(), size * sizeof(T));
  }
  template <PlainData T>
  void operator()(const std::string& name, std::vector<Buffer<T>>& buffers) {
    std::uint64_t size = 0;
    (*this)(name + ".size", size);
    if (!fits(name, size, 1)) return;  // every buffer takes more than a byte
    buffers.resize(size);
    for (std::size_t k = 0; k < size; ++k) (*this)(name + "." + std::to_string(k), buffers[k]);
  }
  template <int D>
  void operator()(const std::string& name, TopologyPtr<D>& topology) {
    std::uint64_t number = 0;
    (*this)(name + ".number", number);
    if (failed() || number == no_topology) return;
    if (number < seen_.size()) {
      if (seen_[number].first != D) return fail("'" + name + "' is not of this dimension");
      topology = std::static_pointer_cast<const Topology<D>>(seen_[number].second);
      return;
    }
    load_new(name, topology);
    seen_.emplace_back(D, topology);
  }
  template <class T, int D>
  void operator()(const std::string& name, Field<T, D>& field) {
    TopologyPtr<D> topology;
    (*this)(name + ".topology", topology);
    if (!topology) return;
    T background{};
    (*this)(name + ".background", background);
    if (!fits(name, std::uint64_t(topology->tile_count()) * tile_cells<D>, sizeof(T))) return;
    field = Field<T, D>::unfilled(ex_, topology, background);
    bytes(name, field.data(), field.size() * sizeof(T));
  }
  template <class T, int D>
  void operator()(const std::string& name, MacField<T, D>& field) {
    for (int a = 0; a < D; ++a) (*this)(name + "." + "xyz"[a], field[a]);
  }
  template <class T, int D>
  void operator()(const std::string& name, std::vector<Field<T, D>>& fields) {
    std::uint64_t size = 0;
    (*this)(name + ".size", size);
    if (!fits(name, size, 1)) return;  // every field takes more than a byte
    fields.resize(size);
    for (std::size_t k = 0; k < size; ++k) (*this)(name + "." + std::to_string(k), fields[k]);
  }

  // Whether all that was read so far is good; finish() says so of the whole file.
  Result<void> so_far() const;
  Result<void> finish();

 private:
  bool failed() const { return !problem_.empty(); }
  void fail(const std::string& problem);
  bool get(void* data, std::size_t size);
  void bytes(const std::string& name, void* data, std::size_t size);
  bool fits(const std::string& name, std::uint64_t count, std::size_t element);
  template <int D>
  void load_new(const std::string& name, TopologyPtr<D>& topology);

  Exec& ex_;
  std::filesystem::path path_;
  std::FILE* file_;
  std::uint64_t records_ = 0, left_ = 0;  // bytes of the file not yet read
  std::string problem_;
  std::vector<std::pair<int, std::shared_ptr<const void>>> seen_;  // dimension and topology
};

// Whether it is an archive, but of another version of Whorl, which is no damage.
bool is_foreign_archive(const std::filesystem::path& path);

template <class State>
std::uint64_t state_hash(Exec& ex, const State& state) {
  HashArchive archive(ex);
  State::visit(state, archive);
  return archive.hash();
}

template <class State>
Result<void> save_state(Exec& ex, const std::filesystem::path& path, const State& state) {
  SaveArchive archive(ex, path);
  State::visit(state, archive);
  return archive.finish();
}

// Leaves `state` as it was if anything is wrong with the file.
template <class State>
Result<void> load_state(Exec& ex, const std::filesystem::path& path, State& state) {
  LoadArchive archive(ex, path);
  State loaded;
  State::visit(loaded, archive);
  Result<void> result = archive.finish();
  if (result) state = std::move(loaded);
  return result;
}

}  // namespace whorl
