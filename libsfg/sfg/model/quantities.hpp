#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sfg/error.hpp"
#include "sfg/expr/dimension.hpp"
#include "sfg/expr/syntax.hpp"

namespace sfg {

/// The dimension of an expression as far as it is known: a product of known units and of powers of quantities that are not.
struct Amount {
  Dimension known = {};
  std::map<std::size_t, exact::Rational> unknown = {};  ///< exponents by number of the quantity
  UnitSize size = {};                                   ///< of the known units, where sizes are looked at

  Amount& operator*=(const Amount&);
  friend Amount operator*(Amount a, const Amount& b) { return a *= b; }
  Amount power(const exact::Rational&) const;
};

/// What the quantities of a model are measured in. What is not stated is inferred: each sum, equation and function of the model
/// is a linear equation in the exponents of the unknown dimensions, and they are eliminated one by one.
class Quantities {
 public:
  using Report = std::function<void(const SourceSpan&, std::string message)>;

  /// States the dimension of a name, before it is used.
  void state(const std::string& name, const Dimension&, const std::string& unit = {}, const UnitSize& = {});
  /// The rate of a name, or whatever else follows from others.
  void define(const std::string& name, const Amount&);
  /// The same for a name that means something else in each law: u, v.
  void redefine(const std::string& name, const Amount& amount) { names_.insert_or_assign(name, amount); }
  /// The name is one of a constant: numbers beside it are factors of a formula, not values whose units are left out.
  void is_parameter(const std::string& name) { parameters_.insert(name); }
  bool any_stated() const noexcept { return !stated_.empty(); }

  Amount of(const std::string& name);
  /// A quantity without a name, of which nothing is known.
  Amount anything();
  /// With what has been found out.
  Amount resolved(const Amount&) const;
  /// The two are of one dimension from here on; false where they cannot be.
  bool equate(const Amount&, const Amount&);
  /// "N/m", or "N/m times that of 'k'".
  std::string text(const Amount&) const;

  /// The unit of a name, as stated or inferred; "" where nothing is known.
  std::string unit(const std::string& name) const;

  /// Checks an expression; its sums are of one dimension, and its functions of numbers.
  /// @param wanted  what it must be, with its name for messages ("the energy"); nothing for whatever it is
  /// @returns its dimension
  Amount check(std::string_view text, const TextPlace&, const Report&,
               const std::optional<std::pair<Amount, std::string>>& wanted = {}, const TableNames& tables = {});

 private:
  friend class DimensionCheck;

  std::map<std::string, Amount, std::less<>> names_;
  std::map<std::string, std::string, std::less<>> stated_;  ///< units in the words of the file
  std::map<std::size_t, Amount> solved_;                    ///< unknowns that are none any more, by others that are
  std::set<std::string, std::less<>> parameters_;
  std::size_t next_ = 0;
};

}  // namespace sfg
