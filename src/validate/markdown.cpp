#include "validate/markdown.h"
#include "io/file.h"

#include <filesystem>

#include <fmt/format.h>

namespace whorl {

namespace {

namespace fs = std::filesystem;

Result<void> make_folder_of(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (make_folder(folder)) return {};
  return Error{ErrorCode::resources,
               fmt::format("cannot write {}: the folder {} is not there or not writable; "
                           "name another file with --markdown",
                           file.string(), folder.string())};
}

// A bar in a text is none of the table's.
std::string in_a_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string table_of(const Findings& found) {
  if (found.rows().empty()) return "\n**Failed: it has found nothing.**\n";
  std::string text = "\n| | reference | Whorl | error | allowed | |\n|---|---:|---:|---:|---:|---|\n";
  for (const ValidationRow& row : found.rows()) {
    const RowTexts texts = texts_of(row);
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", in_a_cell(row.what), texts.reference,
                        texts.value, texts.error, texts.tolerance, row.passes() ? "pass" : "**fail**");
  }
  return text;
}

std::string section_of(const CaseOutcome& outcome, const fs::path& images) {
  const ValidationCase& c = *outcome.of;
  std::string text = fmt::format("\n## {}: {}\n\nAnswer: {}.\n", c.name, c.title, c.source);
  if (!outcome.found) return text + fmt::format("\nNot run: it takes about {:.0f} s.\n", c.seconds);
  text += table_of(*outcome.found);
  for (const NamedPlot& plot : outcome.found->plots())
    text += fmt::format("\n![{}]({}/{}.svg)\n", plot.plot.title, images.string(), plot.name);
  return text;
}

}  // namespace

Result<void> make_room_for_markdown(const std::string& file) {
  std::error_code ignored;
  if (!fs::path(file).has_filename() || fs::is_directory(file, ignored))
    return Error{ErrorCode::resources, fmt::format("cannot write '{}': it is {}; name a file with --markdown",
                                                   file, file.empty() ? "no name" : "a folder")};
  return make_folder_of(file);
}

Result<void> write_markdown(const std::string& file, std::span<const CaseOutcome> outcomes) {
  const fs::path folder = fs::path(file).parent_path(), images = fs::path("images") / fs::path(file).stem();
  std::string text =
      "# Outside answers\n\n"
      "What Whorl computes beside what is known from elsewhere: theory, measurements, other programs.\n"
      "Written by `whorl validate --markdown`; `--all` runs the slow ones, too.\n";
  for (const CaseOutcome& outcome : outcomes) {
    text += section_of(outcome, images);
    if (!outcome.found) continue;
    for (const auto& [name, plot] : outcome.found->plots()) {
      const fs::path image = folder / images / (name + ".svg");
      if (Result<void> made = make_folder_of(image); !made) return made;
      if (Result<void> done = write_whole_text(image, to_svg(plot)); !done) return done;
    }
  }
  return write_whole_text(file, text);
}

}  // namespace whorl
