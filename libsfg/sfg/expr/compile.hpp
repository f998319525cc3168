#pragma once
#include <ginac/ex.h>

#include <memory>
#include <span>
#include <utility>

#include "sfg/numeric/tape.hpp"

namespace sfg {

/// Translates expressions into values of a TapeBuilder. Symbols become inputs of their names, in the order of their appearance
/// unless the builder has them already. Equal expressions are translated once, sums and products in an order
/// that does not depend on GiNaC's, so that the same model gives the same tape on every run.
class ExpressionCompiler {
 public:
  /// @param values  symbols that are numbers here (a map of symbols to numbers or to expressions of numbers alone)
  explicit ExpressionCompiler(numeric::TapeBuilder&, const GiNaC::exmap& values = {});
  ~ExpressionCompiler();
  ExpressionCompiler(const ExpressionCompiler&) = delete;
  ExpressionCompiler& operator=(const ExpressionCompiler&) = delete;

  /// From now on the symbol stands for that expression, which is translated once.
  void define(const GiNaC::ex& symbol, const GiNaC::ex& value);
  /// @throws sfg::Error  for what has no number: a function that is not of the grammar, an imaginary constant.
  numeric::TapeBuilder::Value operator()(const GiNaC::ex&);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The tape of some expressions.
/// @param inputs  symbols, in the order of the tape's inputs; they are inputs even where no expression has them
/// @param values  of the other symbols, numbers
/// @throws sfg::Error  naming the symbols that are neither, and as ExpressionCompiler.
/// @param definitions  of further symbols, which may have those of the definitions before
numeric::Tape compile(std::span<const GiNaC::ex> outputs, std::span<const GiNaC::ex> inputs, const GiNaC::exmap& values = {},
                      std::span<const std::pair<GiNaC::ex, GiNaC::ex>> definitions = {});

}  // namespace sfg
