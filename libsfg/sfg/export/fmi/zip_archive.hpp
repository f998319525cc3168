#pragma once
#include <string>
#include <string_view>
#include <vector>

// Not installed.
namespace sfg {

struct ZipEntry {
  std::string path;
  std::string bytes;
};

/// A zip archive of these files, stored as they are, with a fixed date: the same bytes every time (PKWARE APPNOTE 6.3.2, §4.3).
/// Without compression it is two tables of fixed fields and needs no library.
std::string zip_archive(const std::vector<ZipEntry>&);

}  // namespace sfg
