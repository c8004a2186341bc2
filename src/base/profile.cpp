#include "base/profile.h"

#include "base/check.h"

#include <algorithm>

namespace whorl {

double Profile::seconds(const std::string& name) const {
  for (const Entry& e : entries_)
    if (e.name == name) return e.seconds;
  return 0;
}

void Profile::clear() {
  CHECK(path_.empty(), "inside zone ", path_);
  entries_.clear();
}

Zone::Zone(Profile& profile, const char* name) : profile_(profile), parent_length_(profile.path_.size()) {
  if (parent_length_) profile_.path_ += '/';
  profile_.path_ += name;
  auto& entries = profile_.entries_;
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Profile::Entry& e) { return e.name == profile_.path_; });
  entry_ = std::size_t(found - entries.begin());
  if (found == entries.end()) entries.push_back({profile_.path_, 0, 0});
  start_ = std::chrono::steady_clock::now();
}

Zone::~Zone() {
  Profile::Entry& entry = profile_.entries_[entry_];
  entry.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  ++entry.calls;
  profile_.path_.resize(parent_length_);
}

}  // namespace whorl
