#include "sim/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace whorl {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  bool value(JsonValue& out, int depth = 0) {
    if (depth > 32) return false;
    skip_space();
    if (rest_.empty()) return false;
    switch (rest_.front()) {
      case '{':
        return object(out.content.emplace<JsonValue::Object>(), depth);
      case '[':
        return list(out.content.emplace<JsonValue::List>(), depth);
      case '"':
        return text(out.content.emplace<std::string>());
      case 't':
        out.content = true;
        return word("true");
      case 'f':
        out.content = false;
        return word("false");
      case 'n':
        return word("null");
      default:
        return number(out.content.emplace<double>());
    }
  }

  bool at_end() {
    skip_space();
    return rest_.empty();
  }

 private:
  void skip_space() {
    const std::size_t begin = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(std::min(begin, rest_.size()));
  }

  bool word(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  bool mark(char expected) {
    skip_space();
    return word({&expected, 1});
  }

  bool number(double& out) {
    const auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), out);
    rest_.remove_prefix(std::size_t(end - rest_.data()));
    return failed == std::errc() && std::isfinite(out);
  }

  bool text(std::string& out) {
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\') {
        if (!escape(out)) return false;
      } else {
        out += rest_.front();
        rest_.remove_prefix(1);
      }
    }
    return word("\"");
  }

  bool escape(std::string& out) {
    constexpr std::string_view marks = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    if (rest_.size() < 2) return false;
    if (const std::size_t k = marks.find(rest_[1]); k != std::string_view::npos) {
      out += meant[k];
      rest_.remove_prefix(2);
      return true;
    }
    // Whorl writes control characters alone in this way.
    unsigned code = 0;
    if (rest_[1] != 'u' || rest_.size() < 6) return false;
    const auto [end, failed] = std::from_chars(rest_.data() + 2, rest_.data() + 6, code, 16);
    if (failed != std::errc() || end != rest_.data() + 6 || code > 127) return false;
    out += char(code);
    rest_.remove_prefix(6);
    return true;
  }

  bool list(JsonValue::List& out, int depth) {
    rest_.remove_prefix(1);
    if (mark(']')) return true;
    do {
      if (!value(out.emplace_back(), depth + 1)) return false;
    } while (mark(','));
    return mark(']');
  }

  bool object(JsonValue::Object& out, int depth) {
    rest_.remove_prefix(1);
    if (mark('}')) return true;
    do {
      std::string key;
      JsonValue member;
      skip_space();
      if (!rest_.starts_with('"') || !text(key) || !mark(':') || !value(member, depth + 1)) return false;
      out.emplace_back(std::move(key), std::move(member));
    } while (mark(','));
    return mark('}');
  }

  std::string_view rest_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  if (const Object* members = object())
    for (const auto& [name, value] : *members)
      if (name == key) return &value;
  return nullptr;
}

double JsonValue::number(std::string_view key, double absent) const {
  const JsonValue* value = find(key);
  const double* number = value ? std::get_if<double>(&value->content) : nullptr;
  return number ? *number : absent;
}

std::optional<JsonValue> parse_json(std::string_view text) {
  Parser parser(text);
  JsonValue value;
  if (!parser.value(value) || !parser.at_end()) return {};
  return value;
}

std::vector<JsonLine> json_lines(std::string_view text) {
  std::vector<JsonLine> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    lines.push_back({line, parse_json(line)});
  }
  return lines;
}

}  // namespace whorl
