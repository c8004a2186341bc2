// What the header of a PLY file says of the bytes behind it.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace whorl {

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<std::string> properties = {};  // "float x", "list uchar int vertex_indices"
};

enum class PlyFormats {
  whorls_own,  // binary in little endian
  all,
};

// Up to the line end_header. What is wrong with it, or nothing.
std::string read_ply_header(std::istream& in, std::vector<PlyElement>& elements,
                            PlyFormats formats = PlyFormats::whorls_own);

// The bytes from here to the end of the file.
std::uint64_t bytes_left(std::istream& in);

}  // namespace whorl
