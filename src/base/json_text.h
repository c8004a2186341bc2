// Text and numbers as JSON writes them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace whorl {

std::string json_text(std::string_view text);  // in quotes
std::string json_text(double number);          // null for one that is not finite: JSON has no such numbers
std::string json_list(const std::vector<std::string>& texts);
std::string json_list(std::span<const double> numbers);
std::string json_object(const std::vector<std::pair<std::string, double>>& members);

}  // namespace whorl
