#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "sfg/read/dot/dot_scan.hpp"

// Not installed: names and values of a DOT file, written anew so that cgraph's lexer takes them.
namespace sfg {

class CgraphText {
 public:
  /// @param longest  bytes of a text that is taken
  CgraphText(const SourceText& source, std::size_t longest, DotFile& file) : source_(source), longest_(longest), file_(file) {}

  /// Adds a name or a value to DotFile::clean, in quotes; an HTML string as it stands.
  void write(const DotAtom&, std::string_view prefix = "");
  /// What an atom means: without quotes, its parts joined.
  std::string string_of(const DotAtom&) const;

 private:
  bool is_plain(const DotAtom&) const;
  std::string_view inside(const DotAtom&) const;
  std::string value_of(const DotAtom&) const;

  const SourceText& source_;
  std::size_t longest_;
  DotFile& file_;
};

}  // namespace sfg
