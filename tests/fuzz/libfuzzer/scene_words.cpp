// Prints a dictionary for the fuzzer of scenes: every key, word and kind of shape that there is.
#include "scene/catalogue.h"

#include <cstdio>
#include <set>

namespace whorl {
namespace {

void add_words(const SceneKey& key, std::set<std::string>& words) {
  words.insert(key.name);
  for (const std::string& word : key.words) words.insert("\\\"" + word + "\\\"");
  for (const SceneKey& inner : key.keys) add_words(inner, words);
}

}  // namespace
}  // namespace whorl

int main() {
  std::set<std::string> words = {"[[", "]]", " = ", "{ ", " }", "nan", "inf", "1e308", "keys", "interp"};
  for (const int dimension : {2, 3})
    for (const whorl::SceneKey& key : {whorl::catalogue(dimension).scene, whorl::catalogue(dimension).shape})
      whorl::add_words(key, words);
  words.erase("");
  for (const std::string& word : words) std::printf("\"%s\"\n", word.c_str());
}
