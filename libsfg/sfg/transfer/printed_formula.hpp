#pragma once
#include <cln/integer.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sfg/expr/syntax.hpp"

namespace sfg {

/// Bounds of the degrees of numerator and denominator, all letters together.
struct DegreeBound {
  cln::cl_I above = 0;
  cln::cl_I below = 0;
};

/// A formula of + - * / ^, whole numbers and names as it is printed: what it says is read from its text alone, by whoever does
/// not trust the expression behind it.
class PrintedFormula {
 public:
  using Values = std::map<std::string, std::uint64_t, std::less<>>;
  using Degrees = std::map<std::string, DegreeBound, std::less<>>;

  /// Decimals, which are exact, become fractions of whole numbers. @throws std::logic_error for a text that has more than that in
  /// it.
  explicit PrintedFormula(const std::string& text);

  const std::string& text() const noexcept { return *text_; }
  /// The names in it, each once.
  std::vector<std::string> names() const;
  /// The value modulo a prime below 2^63; nothing when a divisor vanishes. @throws std::out_of_range for a name without value.
  std::optional<std::uint64_t> modulo(std::uint64_t prime, const Values&) const;
  /// By the rules of fractions, nothing cancelled: (a/b)(c/d) = ac/(bd), a/b + c/d has the degrees max(a + d, c + b) over b + d.
  DegreeBound degree(const Degrees& of_letters) const;

 private:
  std::unique_ptr<const std::string> text_;
  std::unique_ptr<const Syntax> syntax_;
};

}  // namespace sfg
