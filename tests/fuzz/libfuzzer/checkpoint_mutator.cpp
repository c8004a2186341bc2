// Changes what the records of a checkpoint hold, and gives them checksums that fit: else nothing but the
// checksums would ever be tried.
#include "fuzz/archive_records.h"

#include <algorithm>
#include <random>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace whorl {
namespace {

void mutate(std::string& bytes, std::size_t longest) {
  std::string room = bytes;
  room.resize(std::max(longest, bytes.size()));
  auto* data = reinterpret_cast<std::uint8_t*>(room.data());
  room.resize(LLVMFuzzerMutate(data, bytes.size(), room.size()));
  bytes = room;
}

// Another number of entries, with the record before that tells it.
void resize_list(ArchiveRecord& size_record, ArchiveRecord& list, std::uint64_t count) {
  std::uint64_t before = 0;
  std::memcpy(&before, size_record.payload.data(), sizeof before);
  if (before == 0 || before > list.payload.size()) return;
  list.payload.resize(list.payload.size() / before * count);
  std::memcpy(size_record.payload.data(), &count, sizeof count);
}

std::string mutated(ArchiveParts parts, unsigned seed) {
  std::minstd_rand random(seed);
  std::vector<ArchiveRecord>& records = parts.records;
  const std::size_t k = random() % records.size();
  ArchiveRecord& record = records[k];
  const bool is_list =
      k > 0 && records[k - 1].name == record.name + ".size" && records[k - 1].payload.size() == 8;
  if (is_list && random() % 4 == 0) {
    resize_list(records[k - 1], record, random() % 64);
  } else {
    const std::size_t size = record.payload.size();
    mutate(record.payload, size + 64);
    if (random() % 8) record.payload.resize(size);
  }
  return file_of(parts);
}

}  // namespace
}  // namespace whorl

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  whorl::ArchiveParts parts = whorl::parts_of({reinterpret_cast<const char*>(data), size});
  if (seed % 16 == 0 || parts.records.empty()) return LLVMFuzzerMutate(data, size, max_size);
  const std::string changed = whorl::mutated(std::move(parts), seed);
  if (changed.size() > max_size) return size;
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
