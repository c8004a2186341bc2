// The table of outside answers as a page of documentation.
#pragma once

#include "validate/validate.h"

namespace whorl {

// Makes the folder of `file`; an error where that or the file could not be written.
Result<void> make_room_for_markdown(const std::string& file);

// Writes the page to `file` and its plots to images/STEM/*.svg beside it.
Result<void> write_markdown(const std::string& file, std::span<const CaseOutcome> outcomes);

}  // namespace whorl
