// Files that appear whole or not at all: written under a temporary name beside their place, then renamed.
#pragma once

#include "whorl/error.h"

#include <cerrno>
#include <functional>
#include <string>

namespace whorl {

// A file that could not be written, and why: the system's word for `reason`, where it gave one.
Error cannot_write(const std::string& path, int reason = errno);

// `write` makes the file it is given the name of. Whatever it leaves behind on an error is removed, and so it
// is when it throws.
Result<void> write_whole(const std::string& path,
                         const std::function<Result<void>(const std::string&)>& write);

// A file of this text.
Result<void> write_whole_text(const std::string& path, const std::string& text);

// What was written to it is on the disk from here on, whatever becomes of the machine.
bool flush_file(const std::string& path);

// With the folders above it. ErrorCode::resources where that cannot be, or where nothing can be written.
Result<void> make_folder(const std::string& path);

}  // namespace whorl
