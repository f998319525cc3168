#include "sfg/export/fmi/zip_archive.hpp"

#include <array>
#include <cstdint>

namespace sfg {

namespace {

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0xEDB88320U : 0U);
    table[byte] = rest;
  }
  return table;
}();

std::uint32_t crc_of(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) crc = (crc >> 8) ^ crc_table[(crc ^ static_cast<unsigned char>(c)) & 0xFFU];
  return ~crc;
}

void put(std::string& out, std::uint32_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) out += static_cast<char>((value >> (8 * k)) & 0xFFU);
}

/// What the entry's own header and the one in the directory have in common.
void describe(std::string& out, const ZipEntry& entry) {
  constexpr std::uint32_t version = 20, names_in_utf8 = 0x800, stored = 0, midnight = 0, first_of_1980 = 0x21;
  const auto size = static_cast<std::uint32_t>(entry.bytes.size());
  put(out, version, 2);
  put(out, names_in_utf8, 2);
  put(out, stored, 2);
  put(out, midnight, 2);
  put(out, first_of_1980, 2);
  put(out, crc_of(entry.bytes), 4);
  put(out, size, 4);
  put(out, size, 4);
  put(out, static_cast<std::uint32_t>(entry.path.size()), 2);
  put(out, 0, 2);
}

}  // namespace

std::string zip_archive(const std::vector<ZipEntry>& entries) {
  constexpr std::uint32_t local = 0x04034b50, central = 0x02014b50, last = 0x06054b50, made_on_unix = 0x0314;
  constexpr std::uint32_t readable_file = 0100644U << 16;
  std::string out, directory;
  for (const ZipEntry& entry : entries) {
    const auto offset = static_cast<std::uint32_t>(out.size());
    put(out, local, 4);
    describe(out, entry);
    out += entry.path + entry.bytes;
    put(directory, central, 4);
    put(directory, made_on_unix, 2);
    describe(directory, entry);
    put(directory, 0, 4);  // no comment, the first disk
    put(directory, 0, 2);  // no text for certain
    put(directory, readable_file, 4);
    put(directory, offset, 4);
    directory += entry.path;
  }
  const auto count = static_cast<std::uint32_t>(entries.size()), start = static_cast<std::uint32_t>(out.size());
  out += directory;
  put(out, last, 4);
  put(out, 0, 4);  // of one disk
  put(out, count, 2);
  put(out, count, 2);
  put(out, static_cast<std::uint32_t>(directory.size()), 4);
  put(out, start, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace sfg
