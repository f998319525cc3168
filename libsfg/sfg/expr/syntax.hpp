#pragma once
#include <deque>
#include <string_view>
#include <vector>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/tokens.hpp"

namespace sfg {

/// A piece of an expression. Sums and products are flat lists, so that only parentheses, functions, powers and signs nest.
struct SyntaxNode {
  enum class Kind { number, name, sum, product, power, negation, call };

  Kind kind;
  const Token* token;  ///< what an error points at
  std::vector<const SyntaxNode*> parts;
  std::vector<bool> inverse = {};  ///< by part: subtracted or divided by
  const FunctionRule* function = nullptr;
  std::string_view text = {};  ///< of summands, factors, arguments and the whole: as it was written, with its parentheses
};

/// The structure of an expression as it was written, before anything is simplified. Text becomes a tree of our own, checked for
/// size and depth; only then GiNaC sees it: its parser and evaluator run without bounds on hostile text, give no places, and read
/// I, Pi, G(s), 0.1 in ways an engineer does not mean.
class Syntax {
 public:
  /// The text must outlive this. @throws sfg::Error with the place of the offending character.
  explicit Syntax(std::string_view text, const TextPlace& place, const ParseLimits& limits = {});
  Syntax(const Syntax&) = delete;
  Syntax& operator=(const Syntax&) = delete;

  const SyntaxNode& root() const noexcept { return *root_; }

 private:
  std::vector<Token> tokens_;
  std::deque<SyntaxNode> nodes_;
  const SyntaxNode* root_;
};

}  // namespace sfg
