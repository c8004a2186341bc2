#include "base/json_text.h"

#include <charconv>
#include <cmath>

namespace whorl {

namespace {

// The texts of some items between two brackets, with commas.
template <class Items, class Text>
std::string bracketed(char open, const Items& items, const Text& text, char close) {
  std::string all(1, open);
  for (const auto& item : items) {
    if (all.size() > 1) all += ',';
    all += text(item);
  }
  return all += close;
}

}  // namespace

std::string json_text(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (quoted += '\\') += c;
    else if (c == '\n')
      quoted += "\\n";
    else if (code < 0x20)
      (quoted += "\\u00") += {digits[code / 16], digits[code % 16]};
    else
      quoted += c;
  }
  return quoted += '"';
}

std::string json_text(double number) {
  if (!std::isfinite(number)) return "null";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string json_list(const std::vector<std::string>& texts) {
  return bracketed(
      '[', texts, [](const std::string& text) { return json_text(text); }, ']');
}

std::string json_list(std::span<const double> numbers) {
  return bracketed(
      '[', numbers, [](double number) { return json_text(number); }, ']');
}

std::string json_object(const std::vector<std::pair<std::string, double>>& members) {
  const auto member = [](const std::pair<std::string, double>& m) {
    return json_text(m.first).append(":").append(json_text(m.second));
  };
  return bracketed('{', members, member, '}');
}

}  // namespace whorl
