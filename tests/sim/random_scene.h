// Scenes drawn at random from the catalogue of keys, so that keys added to it are drawn along.
#pragma once

#include <cstdint>
#include <string>

namespace whorl {

// A small scene as TOML, a key a line. Most are sane, some hold a value or two at the edge of sense. What a
// key is depends on the number and the key's path alone: other keys do not change with one that is added.
std::string random_scene(std::uint64_t number, const std::string& solver = "smoke");

// The scene without the lines that a message of the reader points at ("file:7: …"), a whole table where that
// is the line of its header. The text itself where none is left to take out.
std::string without_refused(const std::string& scene, const std::string& message);

}  // namespace whorl
