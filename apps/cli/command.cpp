#include "command.h"

#include <fmt/format.h>

int fail(const whorl::Error& error) {
  const bool of_scene = error.code == whorl::ErrorCode::invalid_scene;
  const std::string line = fmt::format("{}{}\n", of_scene ? "" : "whorl: ", error.message);
  std::fwrite(line.data(), 1, line.size(), stderr);
  return int(error.code);
}

std::string check_count(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && text.size() < 10 && std::stol(text) > 0) return {};
  return fmt::format("'{}' is not a whole number from 1 to 999999999", text);
}
