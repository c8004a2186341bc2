// Bytes as text (RFC 4648), for files inside of files.
#pragma once

#include <string>
#include <string_view>

namespace whorl {

std::string base64(std::string_view bytes);

}  // namespace whorl
