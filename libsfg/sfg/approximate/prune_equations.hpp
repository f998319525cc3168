#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sfg/approximate/approximate.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

/// What is asked of equations: y/u, or y/x for the signals of one source.
struct EquationQuestion {
  std::size_t source = 0;
  std::size_t output = 0;                     ///< unknown
  std::optional<std::size_t> reference = {};  ///< unknown; nothing: the source itself
};

struct PrunedEquations {
  EquationSystem system;
  std::size_t kept = 0, of = 0;  ///< products of parameters and powers of the operator in the entries of D
};

/// Equations without the products in the entries of D that hardly matter to one response at a design point: simplification before
/// anything is expanded. What leaving one out does is known exactly from the inverse of D at every frequency (a change of
/// rank one, Sherman and Morrison 1950); they are tried in ascending order of what they do alone, and the inverse follows.
/// @param values  of the parameters; every one must have a number
/// @throws NoAnswer when D is singular at a frequency; LimitReached when D is too large (400 unknowns) for dense inverses.
/// @see Sommer, Hennig, Dröge, Horneber: Equation-based symbolic approximation by matrix reduction with quantitative error
///      prediction, Alta Frequenza 5 (1993).
PrunedEquations pruned(const EquationSystem&, const EquationQuestion&, const GiNaC::exmap& values,
                       std::span<const TrueValue> truth, const ErrorLimit&, const Budget& = {});

/// The entries of D as sums of products of parameters and powers of the operator: what simplifications leave out one by one.
class EquationProducts {
 public:
  struct Product {
    std::size_t row, column;
    ring::Polynomial::Term term;
  };

  /// @param system  is kept by reference
  explicit EquationProducts(const EquationSystem& system);

  const PolynomialSpace& space() const noexcept { return space_; }
  std::span<const Product> all() const noexcept { return products_; }
  ring::Polynomial polynomial(const GiNaC::ex& entry) const;
  /// The equations of those that are kept, every row without the factors that all its entries share now.
  EquationSystem of(const std::vector<bool>& kept) const;

 private:
  const EquationSystem& system_;
  PolynomialSpace space_;
  std::vector<Product> products_;
};

}  // namespace sfg
