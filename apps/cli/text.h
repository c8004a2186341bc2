// Figures as people read them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

std::string count_text(double count);              // "1.2 M"
std::string bytes_text(std::uint64_t bytes);       // "512 MiB"
std::string duration_text(double seconds);         // "1 min 23 s"
std::string plural(long count, const char* noun);  // "1 frame", "2 frames"

// Writes and flushes. That nobody reads it any more is no reason to stop.
void put(std::FILE* file, const std::string& text);
