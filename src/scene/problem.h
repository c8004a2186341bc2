// What is wrong with a scene, collected so that all of it is told at once.
#pragma once

#include "scene/value.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whorl {

struct Problem {
  std::string found;
  std::string allowed = {};  // may be empty
  std::string hint = {};     // the nearest valid name, or empty
};

// The name that a typo was most likely meant to be; empty when none is near.
std::string nearest_name(std::string_view typo, std::span<const std::string> names);

class Problems {
 public:
  void add(const Location& where, const std::string& key, const Problem& problem);
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  // "file:line: key: found; allowed: …; did you mean '…'?", a line each, in the order of the file.
  std::string text() const;

 private:
  struct Entry {
    Location where;
    std::string text;
  };
  std::vector<Entry> entries_;
};

// Where each key of a scene was given.
class Locations {
 public:
  explicit Locations(const Location& scene) : scene_(scene) {}

  void record(const std::string& key, const Location& where) { given_[key] = where; }
  void mark_wrong(const std::string& key) { wrong_.insert(key); }

  bool given(const std::string& key) const { return given_.contains(key); }
  bool wrong(const std::string& key) const { return wrong_.contains(key); }  // it has its message already
  Location of(std::string key) const;  // or of the table that would hold it

 private:
  Location scene_;
  std::map<std::string, Location> given_;
  std::set<std::string> wrong_;
};

}  // namespace whorl
