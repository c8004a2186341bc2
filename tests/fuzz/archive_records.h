// The records of a state file (grid/archive.h), to be changed and put together again with checksums that fit.
#pragma once

#include "grid/archive.h"

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace whorl {

struct ArchiveRecord {
  std::string name, payload;
};

struct ArchiveParts {
  std::string begin;                   // what says that it is an archive
  std::vector<ArchiveRecord> records;  // as far as they are whole
  std::string end;                     // what follows: of a whole file, a mark and how many records there are
};

inline ArchiveParts parts_of(std::string_view file) {
  constexpr std::size_t magic = 8, checksum = 8;
  const auto take = [](std::string_view& from, std::size_t size) {
    const std::string_view taken = from.substr(0, size);
    from.remove_prefix(taken.size());
    return std::string(taken);
  };
  const auto take_sized = [&](std::string_view& from, std::string& text) {
    std::uint64_t size = 0;
    if (from.size() < sizeof size) return false;
    std::memcpy(&size, from.data(), sizeof size);
    if (size > from.size() - sizeof size) return false;
    from.remove_prefix(sizeof size);
    text = take(from, size);
    return true;
  };
  ArchiveParts parts{take(file, magic), {}, {}};
  for (std::string_view rest = file;; file = rest) {
    ArchiveRecord record;
    if (!take_sized(rest, record.name) || !take_sized(rest, record.payload) || rest.size() < checksum) break;
    rest.remove_prefix(checksum);
    parts.records.push_back(std::move(record));
  }
  parts.end = file;
  return parts;
}

inline std::string file_of(const ArchiveParts& parts) {
  Exec ex({.threads = 1});
  std::string file = parts.begin;
  const auto put_number = [&](std::uint64_t x) { file.append(reinterpret_cast<const char*>(&x), sizeof x); };
  for (const ArchiveRecord& record : parts.records) {
    put_number(record.name.size());
    file += record.name;
    put_number(record.payload.size());
    file += record.payload;
    put_number(hash_bytes(ex, record.payload.data(), record.payload.size()));
  }
  return file + parts.end;
}

}  // namespace whorl
