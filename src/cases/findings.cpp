#include "cases/findings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace whorl {

namespace {

__attribute__((format(printf, 1, 0))) std::string text(const char* format, double number) {
  char words[48];
  std::snprintf(words, sizeof words, format, number);
  return words;
}

}  // namespace

bool ValidationRow::passes() const {
  const double off = std::abs(value - reference);
  switch (limit) {
    case RowLimit::relative:
      return off <= tolerance * std::abs(reference);
    case RowLimit::absolute:
      return off <= tolerance;
    case RowLimit::at_most:
      return value <= reference;
    case RowLimit::at_least:
      return value >= reference;
  }
  return false;
}

RowTexts texts_of(const ValidationRow& row) {
  RowTexts texts{text("%.4g", row.reference), text("%.4g", row.value), "", ""};
  const double off = row.value - row.reference;
  switch (row.limit) {
    case RowLimit::relative:
      texts.error = text("%+.2g %%", 100 * off / row.reference);
      texts.tolerance = text("%.3g %%", 100 * row.tolerance);
      break;
    case RowLimit::absolute:
      texts.error = text("%+.2g", off);
      texts.tolerance = text("%.2g", row.tolerance);
      break;
    case RowLimit::at_most:
      texts.reference = "≤ " + texts.reference;
      break;
    case RowLimit::at_least:
      texts.reference = "≥ " + texts.reference;
      break;
  }
  return texts;
}

void Findings::near(const std::string& what, double value, double reference, double part) {
  add({what, RowLimit::relative, reference, value, part});
}
void Findings::within(const std::string& what, double value, double reference, double distance) {
  add({what, RowLimit::absolute, reference, value, distance});
}
void Findings::at_most(const std::string& what, double value, double bound) {
  add({what, RowLimit::at_most, bound, value});
}
void Findings::at_least(const std::string& what, double value, double bound) {
  add({what, RowLimit::at_least, bound, value});
}

void Findings::require(const std::string& what, bool holds) {
  const auto told = [&](const ValidationRow& row) { return row.what == what; };
  if (!holds && std::none_of(rows_.begin(), rows_.end(), told)) at_least(what, 0, 1);
}

void Findings::add(ValidationRow row) {
  rows_.push_back(std::move(row));
  if (seen_) seen_(rows_.back());
}

}  // namespace whorl
