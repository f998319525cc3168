#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

/// A random point modulo a random prime of 61 bits; the same for the same seed.
ModularPoint random_point(std::uint64_t seed);

/// Random points at which every root in a set of expressions exists: √(a + b) has a value at about every second point
/// only, six such roots at one of 64. Primes are chosen for the constants under roots, then the letters one after the
/// other until what is under the roots that are complete with them has roots. Without roots: random_point.
class RandomPoints {
 public:
  explicit RandomPoints(std::span<const GiNaC::ex> expressions);

  /// The same for the same seed.
  /// @throws LimitReached  when so many roots depend on the same letters that no point was found.
  ModularPoint operator()(std::uint64_t seed, const Budget& = {}) const;

  /// By how much the chance that a wrong answer passes exceeds degree/2^60. A wrong answer differs by an algebraic
  /// function D of the letters; its norm, the product of D over both signs of each of k roots, has 2^k times the degree,
  /// letters are squares (half of all residues), and the points with roots are one of 2^k: 2·4^k.
  double chance_factor() const;

 private:
  struct Root {
    GiNaC::ex value;
    std::vector<std::string> letters = {};
  };
  class Search;

  void collect(const GiNaC::ex&, std::unordered_map<const GiNaC::basic*, GiNaC::ex>& seen);
  void add_root(const GiNaC::ex&);

  std::vector<Root> roots_;  ///< those in a root before it
  bool complex_ = false;     ///< √−1 occurs
  bool squares_ = false;     ///< letters have roots
};

}  // namespace sfg
