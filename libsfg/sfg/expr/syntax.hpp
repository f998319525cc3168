#pragma once
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/tables.hpp"
#include "sfg/expr/tokens.hpp"

namespace sfg {

/// A piece of an expression. Sums and products are flat lists, so that only parentheses, functions, powers and signs nest.
struct SyntaxNode {
  enum class Kind { number, name, sum, product, power, negation, call };

  Kind kind;
  const Token* token;  ///< what an error points at
  std::vector<const SyntaxNode*> parts;
  std::vector<bool> inverse = {};          ///< by part: subtracted or divided by
  const FunctionRule* function = nullptr;  ///< of a call, unless it is of a table
  std::optional<std::size_t> table = {};   ///< of a call: its number
  std::string_view text = {};  ///< of summands, factors, arguments and the whole: as it was written, with its parentheses
};

/// The structure of an expression as it was written, before anything is simplified. Text becomes a tree of our own, checked for
/// size and depth; only then GiNaC sees it: its parser and evaluator run without bounds on hostile text, give no places, and read
/// I, Pi, G(s), 0.1 in ways an engineer does not mean.
class Syntax {
 public:
  /// The text must outlive this. @throws sfg::Error with the place of the offending character.
  /// @param tables  that may be called
  explicit Syntax(std::string_view text, const TextPlace& place, const ParseLimits& limits = {}, const TableNames& tables = {});
  Syntax(const Syntax&) = delete;
  Syntax& operator=(const Syntax&) = delete;

  const SyntaxNode& root() const noexcept { return *root_; }

 private:
  std::vector<Token> tokens_;
  std::deque<SyntaxNode> nodes_;
  const SyntaxNode* root_;
};

}  // namespace sfg
