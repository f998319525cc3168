#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"

namespace sfg {

/// The files of a zip archive, stored or deflated; the bytes must outlive this. What an archive says of itself is not believed:
/// sizes are checked, and all that is unpacked together is bounded.
class ZipArchive {
 public:
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;  ///< that are unpacked

  static bool is_archive(std::string_view bytes);
  /// @throws sfg::Error where the bytes are no whole archive.
  ZipArchive(std::string_view bytes, const std::string& file);

  std::vector<std::string> names() const;
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// The bytes of a file. @throws sfg::Error where it is not there, broken, encrypted or too large.
  std::string text(std::string_view name);

 private:
  struct Entry {
    std::string name;
    std::uint32_t method = 0, flags = 0, checksum = 0;
    std::size_t packed = 0, unpacked = 0, begin = 0;
  };
  const Entry* find(std::string_view name) const;
  std::uint32_t number(std::size_t at, std::size_t bytes) const;
  std::string inflated(const Entry&, std::string_view packed) const;
  [[noreturn]] void refuse(const std::string& what) const;

  std::string_view bytes_;
  SourceSpan where_;
  std::vector<Entry> entries_;
  std::size_t unpacked_ = 0;
};

}  // namespace sfg
