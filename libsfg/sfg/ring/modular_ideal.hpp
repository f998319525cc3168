#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sfg/ring/modular.hpp"

// Ideals of polynomials modulo a prime: whether a system of equations has solutions, how many, and what is the same in all of
// them.

namespace sfg::ring {

/// x₀^e₀ x₁^e₁ …, ordered by degree, of equal ones reverse lexicographically.
struct PowerProduct {
  static constexpr std::size_t most_variables = 30;
  std::uint16_t degree = 0;
  std::array<std::uint8_t, most_variables> exponents = {};
  friend bool operator==(const PowerProduct&, const PowerProduct&) = default;
};
bool operator<(const PowerProduct&, const PowerProduct&);

struct ModularTerm {
  PowerProduct power;
  ModularRing::Value coefficient = 0;
};
/// The terms in descending order, none of them 0.
using ModularPolynomial = std::vector<ModularTerm>;

/// In order, equal powers added up. @throws std::length_error where an exponent is beyond 255
ModularPolynomial ordered(ModularPolynomial, const ModularRing&);

/// An ideal by its Gröbner basis (Buchberger's algorithm with the criteria of Gebauer and Möller 1988, the pair of least sugar
/// first).
class ModularIdeal {
 public:
  struct Terms {
    std::size_t variables = 0;  ///< at most PowerProduct::most_variables
    ModularRing ring = ModularRing();
    bool units = false;                  ///< no variable vanishes at a solution: a power that divides all terms is taken out
    std::uint64_t effort = 100'000'000;  ///< products of coefficients
    std::size_t solutions = 400;         ///< as many are counted
  };
  /// @param nonzero  polynomials that vanish at no solution: solutions where one does are taken out
  /// @returns nothing where the effort does not suffice, or there are more solutions than are counted, or infinitely many
  static std::optional<ModularIdeal> finite(std::vector<ModularPolynomial> generators, std::vector<ModularPolynomial> nonzero,
                                            const Terms&);

  /// The number of solutions over the algebraic closure, multiple ones as often.
  std::size_t solutions() const;
  /// The normal form: of two polynomials with the same values at all solutions (where these are simple) it is the same.
  ModularPolynomial rest(ModularPolynomial) const;
  const ModularRing& ring() const noexcept;

 private:
  class Basis;
  explicit ModularIdeal(std::shared_ptr<const Basis>);
  static std::optional<ModularIdeal> calculated(std::vector<ModularPolynomial>, const std::vector<ModularPolynomial>& nonzero,
                                                const Terms&);
  std::shared_ptr<const Basis> basis_;
  std::vector<PowerProduct> standard_;
};

}  // namespace sfg::ring
