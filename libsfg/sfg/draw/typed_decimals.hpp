#pragma once
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/math_tree.hpp"

// Not installed: gains as they were typed.
namespace sfg {

/// The algebra has whole numbers in the sums of a fraction: 2.5/(0.13 s² + 1.07 s + 1) is 250/(13 s² + 107 s + 100) to it. Where
/// the decimals are known that were typed, it is written with these again.
class TypedDecimals {
 public:
  explicit TypedDecimals(const std::vector<exact::Rational>& decimals) : decimals_(decimals.begin(), decimals.end()) {}

  Math restored(Math) const;

 private:
  struct Side {
    exact::Rational number = 1;
    std::vector<Math> factors = {};
  };
  Side side(const Math&) const;
  std::optional<std::pair<exact::Rational, exact::Rational>> parts_of(const exact::Rational&) const;
  Math quotient(const Math&) const;
  std::optional<Math> divided(const Math& sum, const exact::Rational& by, bool& typed) const;
  exact::Rational scale_of(const Math& sum) const;

  std::set<exact::Rational> decimals_;
};

}  // namespace sfg
