#include "io/vdb_file.h"

#include "io/file.h"
#include "io/process.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <openvdb/io/Archive.h>
#include <openvdb/io/GridDescriptor.h>
#include <openvdb/io/Stream.h>

namespace whorl {

namespace {

// OpenVDB quotes what it found, which in a damaged file is anything.
std::string printable(const std::string& text) {
  const auto end = std::ranges::find_if(text, [](char c) { return c < ' ' || c > '~'; });
  return std::string(text.begin(), end).substr(0, 100);
}

template <class T>
T take(std::istream& in) {
  T x;
  in.read(reinterpret_cast<char*>(&x), sizeof x);
  return x;
}

void skip(std::istream& in, std::uint64_t bytes) { in.seekg(std::streamoff(bytes), std::ios::cur); }

// OpenVDB makes a bool of any byte.
void check_bool(std::istream& in) {
  if (take<std::uint8_t>(in) > 1) throw openvdb::IoError("neither true nor false");
}

// How many entries, and each one's name, type and value. OpenVDB makes room for as much as a text claims to
// be.
void check_metadata(std::istream& in) {
  constexpr std::uint32_t longest_type = 256;
  for (auto left = take<std::uint32_t>(in); left > 0; --left) {
    skip(in, take<std::uint32_t>(in));
    std::string type(std::min(take<std::uint32_t>(in), longest_type), ' ');
    in.read(type.data(), std::streamsize(type.size()));
    const auto size = take<std::uint32_t>(in);
    if (type == openvdb::BoolMetadata::staticTypeName() && size == 1)
      check_bool(in);
    else
      skip(in, size);
  }
}

// A tree begins with the number of its buffers, the background, and how many tiles and nodes there are at its
// root; then come the tiles: where each is, its value, and whether it is active.
void check_root(std::istream& in, const openvdb::GridBase& grid) {
  std::uint64_t value = 0;
  grid.apply<NumberGrids>([&]<class Grid>(const Grid&) { value = sizeof(typename Grid::ValueType); });
  if (value == 0) return;
  skip(in, sizeof(std::int32_t) + value);
  const auto tiles = take<std::uint32_t>(in);
  skip(in, sizeof(std::uint32_t));
  for (std::uint32_t left = tiles; left > 0; --left) {
    skip(in, 3 * sizeof(std::int32_t) + value);
    check_bool(in);
  }
}

class Archive : public openvdb::io::Archive {
 public:
  using openvdb::io::Archive::write;

  // OpenVDB reads on past the end of a file, and makes what it can of that and of anything else that it
  // finds. So first: does every grid end before, and does it begin as it should?
  void check(std::istream& in, std::uint64_t bytes) {
    readHeader(in);
    setFormatVersion(in);
    if (openvdb::io::getFormatVersion(in) < openvdb::OPENVDB_FILE_VERSION_SELECTIVE_COMPRESSION)
      throw openvdb::IoError("of a version of OpenVDB before 1.0");
    check_metadata(in);
    if (!inputHasGridOffsets()) throw openvdb::IoError("it does not say where its grids are");
    for (std::int32_t left = readGridCount(in); left > 0; --left) {
      openvdb::io::GridDescriptor grid;
      const openvdb::GridBase::Ptr empty = grid.read(in);
      if (std::uint64_t(grid.getEndPos()) > bytes) throw std::ios_base::failure("cut off");
      grid.seekToGrid(in);
      readGridCompression(in);
      check_metadata(in);
      openvdb::math::Transform().read(in);
      if (!grid.isInstance()) check_root(in, *empty);
      grid.seekToEnd(in);
    }
  }
};

// openvdb::io::File does not notice a disk that is full; a stream of our own says so.
Result<void> write_grids(const std::string& file, const std::string& shown_path,
                         const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata) {
  Archive archive;
  archive.setCompression(
      openvdb::io::COMPRESS_ACTIVE_MASK |
      (Archive::hasBloscCompression() ? openvdb::io::COMPRESS_BLOSC : openvdb::io::COMPRESS_NONE));
  std::vector<char> buffer(1 << 20);
  std::ofstream out;
  out.rdbuf()->pubsetbuf(buffer.data(), std::streamsize(buffer.size()));
  out.exceptions(std::ios::failbit | std::ios::badbit);
  errno = 0;
  try {
    out.open(file, std::ios::binary);
    archive.write(out, grids, /*seekable=*/true, metadata);
    out.close();
  } catch (const std::ios_base::failure&) {
    return cannot_write(shown_path);
  }
  return {};
}

Result<VdbFile> load_grids(const std::string& path) {
  const auto cannot_read = [&](const std::string& why) {
    return Error{ErrorCode::usage, fmt::format("cannot read {}: {}", path, why)};
  };
  try {
    std::ifstream in(path, std::ios::binary);
    in.exceptions(std::ios::eofbit | std::ios::failbit | std::ios::badbit);
    Archive().check(in, std::filesystem::file_size(path));
    in.seekg(0);
    openvdb::io::Stream stream(in, /*delayLoad=*/false);
    return VdbFile{*stream.getGrids(), stream.getMetadata()};
  } catch (const std::ios_base::failure&) {
    return cannot_read("not a VDB file, or not all of one");
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::resources, fmt::format("not enough memory to read {}, or it is damaged", path)};
  } catch (const std::exception& e) {
    return cannot_read(fmt::format("not a VDB file, or a damaged one ({})", printable(e.what())));
  }
}

}  // namespace

Result<VdbFile> load_vdb_file(const std::string& path) {
  const auto cannot_read = [&](const std::string& why) {
    return Error{ErrorCode::usage, fmt::format("cannot read {}: {}", path, why)};
  };
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return cannot_read("it is a folder");
  if (!std::ifstream(path)) return cannot_read(std::strerror(errno));
  openvdb::initialize();
  // OpenVDB crashes, hangs and leaks on some files that are damaged: so first somewhere else.
  const auto tried = read_apart(std::filesystem::file_size(path, failed), [&]() -> Result<std::string> {
    // Not taken apart again: OpenVDB does that on TBB's threads, which a process that is forked off has none
    // of.
    const auto* file = new Result<VdbFile>(load_grids(path));
    if (!*file) return file->error();
    return std::string();
  });
  if (!tried) return cannot_read("not a VDB file, or a damaged one");
  if (!*tried) return tried->error();
  return load_grids(path);
}

Result<void> write_vdb_file(const std::string& path, const openvdb::GridCPtrVec& grids,
                            const openvdb::MetaMap& metadata) {
  return write_whole(path, [&](const std::string& file) { return write_grids(file, path, grids, metadata); });
}

}  // namespace whorl
