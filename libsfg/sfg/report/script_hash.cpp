#include "sfg/report/script_hash.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace sfg {

std::string script_hash(std::string_view script) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(script.data(), script.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 is not to be had of OpenSSL");
  std::array<unsigned char, 2 * EVP_MAX_MD_SIZE> text{};
  const int size = EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(length));
  return {text.begin(), text.begin() + size};
}

}  // namespace sfg
