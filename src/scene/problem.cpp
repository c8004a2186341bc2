#include "scene/problem.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace whorl {
namespace {

// Insertions, deletions and replacements of one letter, and swaps of two neighbours (Damerau).
int edit_distance(std::string_view from, std::string_view to) {
  std::vector<int> before(to.size() + 1), last(to.size() + 1), now(to.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    now[0] = int(i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (from[i - 1] != to[j - 1])});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[to.size()];
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c == '-' ? '_' : c;
  return result;
}

}  // namespace

std::string nearest_name(std::string_view typo, std::span<const std::string> names) {
  const std::string wanted = lower(typo);
  const int limit = std::max(1, int(typo.size()) / 3);  // a third of the letters may be wrong
  std::string best;
  std::pair<int, int> least{limit + 1, 0};  // of equally near names, the one that begins alike
  for (const std::string& name : names) {
    const std::string candidate = lower(name);
    const auto differ = std::mismatch(wanted.begin(), wanted.end(), candidate.begin(), candidate.end());
    const std::pair<int, int> score{edit_distance(wanted, candidate), -int(differ.first - wanted.begin())};
    if (score < least) least = score, best = name;
  }
  if (!best.empty() || wanted.size() < 4) return best;
  for (const std::string& name : names)  // "vorticity" for "vorticity_confinement"
    for (const std::size_t letters : {wanted.size() - 1, wanted.size(), wanted.size() + 1})
      if (edit_distance(wanted, lower(name).substr(0, letters)) <= 1) return name;
  return {};
}

void Problems::add(const Location& where, const std::string& key, const Problem& problem) {
  std::string text = fmt::format("{}: {}: {}", where.text(), key, problem.found);
  if (!problem.allowed.empty()) text += "; allowed: " + problem.allowed;
  if (!problem.hint.empty()) text += fmt::format("; did you mean '{}'?", problem.hint);
  entries_.push_back({where, text});
}

std::string Problems::text() const {
  std::vector<Entry> sorted = entries_;
  const auto line = [](const Entry& e) {
    return e.where.line > 0 ? e.where.line : 1 << 30;
  };  // overrides last
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Entry& a, const Entry& b) { return line(a) < line(b); });
  std::string text;
  for (const Entry& entry : sorted) text += (text.empty() ? "" : "\n") + entry.text;
  return text;
}

Location Locations::of(std::string key) const {
  for (;;) {
    if (const auto found = given_.find(key); found != given_.end()) return found->second;
    const std::size_t dot = key.rfind('.');
    if (dot == std::string::npos) return scene_;
    key.resize(dot);
  }
}

}  // namespace whorl
