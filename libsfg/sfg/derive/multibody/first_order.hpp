#pragma once
#include <ginac/ginac.h>

#include <functional>
#include <map>
#include <span>
#include <string>

#include "sfg/model/motion.hpp"

namespace sfg {

/// value + Σ slopes[k] ε_k + …: an expression near a point, by the directions k in which it can be left.
struct FirstOrder {
  GiNaC::ex value = 0;
  std::map<std::size_t, GiNaC::ex> slopes = {};  ///< nonzero ones

  GiNaC::ex slope(std::size_t direction) const;
};

/// Slopes of rows by the directions first, first + 1, …
EquationsOfMotion::Matrix slopes(std::span<const FirstOrder> rows, std::size_t first, std::size_t count);

/// Expands expressions through the definitions of their names (forward differentiation): what is put in stays as small as the
/// definitions are, and every definition is expanded once, when it is first needed.
class FirstOrderExpansion {
 public:
  using Known = std::map<GiNaC::ex, FirstOrder, GiNaC::ex_is_less>;
  using Simplification = std::function<GiNaC::ex(const GiNaC::ex&)>;

  /// @param definitions  in any order; must outlive this
  /// @param known        symbols that move, or have a value at the point; every other symbol stays as it is
  /// @param simplified   is applied to every value and every slope
  FirstOrderExpansion(std::span<const EquationsOfMotion::Definition> definitions, Known known, Simplification simplified);

  /// @param what, where  of the expression, for messages
  /// @throws sfg::Error when the expression jumps at the point or its slope is infinite there.
  FirstOrder operator()(const GiNaC::ex& expression, const std::string& what, const SourceSpan& where = {});
  /// The value alone.
  GiNaC::ex value(const GiNaC::ex& expression, const std::string& what, const SourceSpan& where = {});

 private:
  const FirstOrder* meaning(const GiNaC::ex& symbol, const std::string& what);

  std::map<GiNaC::ex, const EquationsOfMotion::Definition*, GiNaC::ex_is_less> definitions_;
  Known known_;
  Simplification simplified_;
};

/// The distinct symbols in an expression.
GiNaC::exset symbols_of(const GiNaC::ex&);

}  // namespace sfg
