#include "sfg/draw/graph/scope.hpp"

#include <cstdint>

namespace sfg {

std::string scope_of(std::string_view body) {
  std::uint64_t hash = 1469598103934665603U;  // FNV-1a
  for (const char c : body) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  std::string text = "sfg-";
  for (int i = 0; i < 10; ++i, hash >>= 5U) text += "abcdefghijklmnopqrstuvwxyz234567"[hash & 31U];
  return text;
}

}  // namespace sfg
