#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "sfg/read/source_text.hpp"

// Not installed: tables as instruments and spreadsheets write them.
namespace sfg {

/// A cell of a table: what it says, and where it stands.
struct CsvCell {
  std::string text = {};  ///< without blanks around it, or without its quotes
  std::size_t begin = 0;  ///< in the file, in bytes, with its quotes
  std::size_t size = 0;
};

/// The rows of a table one by one (RFC 4180): cells between commas, semicolons or tabs, whichever the first row has outside of
/// quotes, the rarest of them first. Empty lines and those that begin with # are passed over; "sep=;" in front is heeded.
class CsvRows {
 public:
  CsvRows(const SourceText&, Problems&);

  /// The next row; false at the end, and behind a quote that is never closed.
  bool next(std::vector<CsvCell>& row);
  char separator() const noexcept { return separator_; }
  SourceSpan place(const CsvCell& cell) const { return source_.at(cell.begin, cell.size); }

 private:
  bool find_row();
  void find_separator();
  CsvCell plain_cell();
  CsvCell quoted_cell();
  bool is_blank(char c) const { return c == ' ' || c == '\r' || (c == '\t' && separator_ != '\t'); }
  void pass_blanks();

  const SourceText& source_;
  Problems& problems_;
  std::size_t at_ = 0;
  char separator_ = '\0';
};

}  // namespace sfg
