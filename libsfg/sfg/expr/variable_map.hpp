#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sfg/ring/multivariate.hpp"

namespace sfg {

/// The variables of a polynomial space and the way from expressions to them.
struct VariableMap {
  /// A power of a variable.
  struct Place {
    std::size_t variable = 0;
    std::int64_t power = 1;
  };
  /// A variable r with r^degree = base.
  struct Root {
    std::size_t variable = 0;
    std::int64_t degree = 2;
    GiNaC::ex base;
  };

  VariableMap(std::span<const GiNaC::ex> expressions, const GiNaC::ex& main);

  /// The power of a variable that the expression (no number, sum, product or whole power) is; power 0: not in the map.
  Place place(const GiNaC::ex&) const;

  std::vector<GiNaC::ex> generators;
  ring::Polynomial::Context context;
  std::vector<Root> roots;                                      ///< a root comes before those in its base
  std::map<GiNaC::ex, Place, GiNaC::ex_is_less> places;         ///< symbols and kernels, roots apart
  std::map<GiNaC::ex, std::size_t, GiNaC::ex_is_less> root_of;  ///< base to index in `roots`
};

}  // namespace sfg
