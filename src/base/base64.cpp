#include "base/base64.h"

namespace whorl {

std::string base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    unsigned group = 0;
    for (std::size_t n = 0; n < 3; ++n)
      group = group << 8 | (k + n < bytes.size() ? static_cast<unsigned char>(bytes[k + n]) : 0u);
    for (std::size_t n = 0; n < 4; ++n)
      out += k + n <= bytes.size() ? digits[group >> (18 - 6 * n) & 63] : '=';
  }
  return out;
}

}  // namespace whorl
