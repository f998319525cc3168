#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/read/source_text.hpp"

namespace sfg {

/// A line of a print, without the blanks around it.
struct PrintedLine {
  std::string_view text;
  std::size_t begin = 0;  ///< offset in the file

  Passage part(std::size_t from, std::size_t count = std::string_view::npos) const;
};

/// The lines of a print; prompts, comments and what has no meaning are empty ones.
std::vector<PrintedLine> printed_lines(std::string_view text);

/// What follows the prefix and stands before the suffix.
std::optional<std::string_view> between(std::string_view text, std::string_view prefix, std::string_view suffix);

/// "s^2 + 2 s + 3", "5 (s+10)", "1 - 0.5 z^-1" in the grammar of expressions: signs of multiplication between factors.
/// `variable` becomes the variable that occurs. @throws sfg::Error at what is no real polynomial.
Passage plain_polynomial(const Passage& printed, const SourceText&, std::string& variable);

/// [label:] [prefix *] numerator over a bar over denominator, or a polynomial alone.
struct PrintedFraction {
  std::optional<Passage> label, prefix, denominator;
  Passage numerator;
};
PrintedFraction printed_fraction(const std::vector<PrintedLine>&, const SourceText&);

/// The cells of a row of a matrix: names have at most one blank in a row.
std::vector<Passage> cells_of(const PrintedLine&);
bool is_printed_number(std::string_view);

}  // namespace sfg
