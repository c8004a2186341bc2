#include "text.h"

#include <cmath>

#include <fmt/format.h>

namespace {

// Two digits or more: "1.2", "12", "120".
std::string short_number(double number) { return fmt::format("{:.{}f}", number, number < 9.95 ? 1 : 0); }

}  // namespace

std::string count_text(double count) {
  if (count < 1000) return fmt::format("{:.0f}", count);
  if (count < 999.5e3) return short_number(count / 1e3) + " k";
  if (count < 999.5e6) return short_number(count / 1e6) + " M";
  return short_number(count / 1e9) + " G";
}

std::string bytes_text(std::uint64_t bytes) {
  const double mib = double(bytes) / (1 << 20);
  return mib < 1023.5 ? short_number(mib) + " MiB" : short_number(mib / 1024) + " GiB";
}

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.{}f} s", seconds, seconds < 0.995 ? 2 : 1);
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string plural(long count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void put(std::FILE* file, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}
