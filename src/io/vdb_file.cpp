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

class Archive : public openvdb::io::Archive {
 public:
  using openvdb::io::Archive::write;

  // OpenVDB reads on past the end of a file, and makes what it can of that. So first: does every grid end
  // before?
  void check_length(std::istream& in, std::uint64_t bytes) {
    readHeader(in);
    setFormatVersion(in);
    openvdb::MetaMap metadata;
    metadata.readMeta(in);
    if (!inputHasGridOffsets()) return;
    for (std::int32_t left = readGridCount(in); left > 0; --left) {
      openvdb::io::GridDescriptor grid;
      grid.read(in);
      if (std::uint64_t(grid.getEndPos()) > bytes) throw std::ios_base::failure("cut off");
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
    return Error{ErrorCode::resources, fmt::format("cannot write {}: {}", shown_path,
                                                   errno ? std::strerror(errno) : "is the disk full?")};
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
    Archive().check_length(in, std::filesystem::file_size(path));
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
    if (const Result<VdbFile> file = load_grids(path); !file) return file.error();
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
