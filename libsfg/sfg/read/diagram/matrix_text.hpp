#pragma once
#include <ginac/ex.h>

#include <map>
#include <string>
#include <vector>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

/// A matrix as a block states it: of expressions, column by column where it is a list.
struct StatedMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<GiNaC::ex> entries = {};  ///< row by row

  static StatedMatrix of(GiNaC::ex value) { return {1, 1, {std::move(value)}}; }
  bool scalar() const { return rows == 1 && columns == 1; }
  bool list() const { return rows <= 1 || columns <= 1; }
  const GiNaC::ex& at(std::size_t row, std::size_t column) const { return entries[row * columns + column]; }
};

enum class ValueLanguage { matlab, scilab };

/// Reads the values of blocks as MATLAB and Scilab write them: [1 2; 3 -4], conv([1 a], [1 b]), K*[1 T]', 2*%pi. Names that
/// nobody states are parameters of the graph. Nothing is run: what is no such expression is refused.
class MatrixReading {
 public:
  using Names = std::map<std::string, StatedMatrix, std::less<>>;

  MatrixReading(const SourceText& source, SymbolTable& symbols, ValueLanguage language)
      : source_(source), symbols_(symbols), language_(language) {}

  /// Names that stand for something, those of the innermost mask first.
  std::vector<const Names*> scopes = {};

  StatedMatrix matrix(const Passage&, const Names& own = {}) const;
  GiNaC::ex scalar(const Passage&, const Names& own = {}) const;
  /// The entries of a row or a column, or of nothing.
  std::vector<GiNaC::ex> list(const Passage&) const;
  /// Whether it is readable and nothing but zeros; its names do not become parameters.
  bool is_zero(const Passage&) const;
  /// @throws sfg::Error where it is no whole number from 0 to `most`.
  std::size_t whole(const Passage&, std::size_t most) const;

  const SourceText& source() const noexcept { return source_; }
  SymbolTable& symbols() const noexcept { return symbols_; }
  ValueLanguage language() const noexcept { return language_; }

 private:
  const SourceText& source_;
  SymbolTable& symbols_;
  ValueLanguage language_;
};

}  // namespace sfg
