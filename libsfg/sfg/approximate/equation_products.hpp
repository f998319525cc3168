#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "sfg/expr/rational.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

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
