#include "io/ply_header.h"

#include <charconv>
#include <sstream>

#include <fmt/format.h>

namespace whorl {
namespace {

// False where there is none, or one without an end.
bool read_line(std::istream& in, std::string& line, std::string& wrong) {
  constexpr std::size_t longest = 4096;
  line.clear();
  for (int c; (c = in.get()) != std::char_traits<char>::eof() && c != '\n';) {
    line += char(c);
    if (line.size() > longest) return wrong = "its header has an endless line", false;
  }
  if (!in) return wrong = "its header has no end", false;
  if (line.ends_with('\r')) line.pop_back();
  return true;
}

// The words of a line from `first` on, one space between them.
std::string words_from(const std::string& line, std::size_t first) {
  std::istringstream words(line);
  std::string text, word;
  for (std::size_t k = 0; words >> word; ++k)
    if (k >= first) text += text.empty() ? word : " " + word;
  return text;
}

}  // namespace

std::string read_ply_header(std::istream& in, std::vector<PlyElement>& elements, PlyFormats formats) {
  constexpr int most_lines = 4096;
  std::string line, wrong;
  bool has_format = false;
  for (int number = 1; number <= most_lines; ++number) {
    if (!read_line(in, line, wrong)) return wrong;
    std::istringstream words(line);
    std::string kind, first, second;
    words >> kind >> first >> second;
    if (number == 1) {
      if (line != "ply") return "it is no PLY file";
    } else if (kind == "comment" || kind == "obj_info") {
    } else if (kind == "format") {
      if (formats == PlyFormats::whorls_own && (first != "binary_little_endian" || second != "1.0"))
        return fmt::format("its format is '{} {}', not binary_little_endian 1.0", first, second);
      has_format = true;
    } else if (kind == "element") {
      PlyElement element{.name = first};
      const char* end = second.data() + second.size();
      const auto [stop, failed] = std::from_chars(second.data(), end, element.count);
      if (failed != std::errc() || stop != end) return fmt::format("'{}' is no number of {}", second, first);
      elements.push_back(std::move(element));
    } else if (kind == "property") {
      if (elements.empty()) return "it has a property before any element";
      elements.back().properties.push_back(words_from(line, 1));
    } else if (kind == "end_header") {
      return has_format ? "" : "its header lacks a line";
    } else {
      return fmt::format("its header has the line '{}'", line.substr(0, 80));
    }
  }
  return "its header has no end";
}

std::uint64_t bytes_left(std::istream& in) {
  const auto here = in.tellg();
  in.seekg(0, std::ios::end);
  const auto end = in.tellg();
  in.seekg(here);
  return in ? std::uint64_t(end - here) : 0;
}

}  // namespace whorl
