// Where the time goes: nested zones, each named after its stage.
//
//   Zone zone(ex.profile(), "advect");   // times the rest of the block
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace whorl {

class Profile {
 public:
  struct Entry {
    std::string name;  // "step/project/cg": zones joined by '/'
    double seconds = 0;
    std::int64_t calls = 0;
  };

  // In the order in which zones were first entered.
  const std::vector<Entry>& entries() const { return entries_; }
  double seconds(const std::string& name) const;  // 0 for a zone never entered
  void clear();                                   // only outside of every zone

 private:
  friend class Zone;
  std::vector<Entry> entries_;
  std::string path_;
};

// Opened and closed by the thread that drives the simulation, never inside a kernel.
class Zone {
 public:
  Zone(Profile& profile, const char* name);
  ~Zone();
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

 private:
  Profile& profile_;
  std::size_t entry_;
  std::size_t parent_length_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace whorl
