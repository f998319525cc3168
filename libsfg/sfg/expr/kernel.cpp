#include "sfg/expr/kernel.hpp"

#include <cln/cln.h>
#include <ginac/ginac.h>

#include <limits>

namespace sfg {

using GiNaC::ex;
using GiNaC::ex_to;
using GiNaC::numeric;

std::optional<numeric> exact_number(const ex& e) {
  if (!GiNaC::is_exactly_a<numeric>(e)) return std::nullopt;
  const numeric& n = ex_to<numeric>(e);
  if (!n.is_real()) return std::nullopt;
  if (n.is_rational()) return n;
  return numeric(cln::rational(cln::the<cln::cl_R>(n.to_cl_N())));
}

std::optional<long> whole_exponent(const ex& power) {
  if (!GiNaC::is_exactly_a<GiNaC::power>(power)) return std::nullopt;
  const ex& exponent = power.op(1);
  if (!GiNaC::is_exactly_a<numeric>(exponent) || !ex_to<numeric>(exponent).is_integer()) return std::nullopt;
  static const numeric greatest(std::numeric_limits<int>::max());
  if (abs(ex_to<numeric>(exponent)) > greatest) return std::nullopt;
  return ex_to<numeric>(exponent).to_long();
}

bool is_root(const ex& e) {
  if (!GiNaC::is_exactly_a<GiNaC::power>(e) || !GiNaC::is_exactly_a<numeric>(e.op(1))) return false;
  const numeric& exponent = ex_to<numeric>(e.op(1));
  return exponent.is_rational() && !exponent.is_integer() && exponent.denom() < numeric(std::numeric_limits<int>::max());
}

bool is_exponential(const ex& e) {
  if (GiNaC::is_a<GiNaC::function>(e)) return ex_to<GiNaC::function>(e).get_name() == "exp";
  return GiNaC::is_exactly_a<GiNaC::power>(e) && !GiNaC::is_exactly_a<numeric>(e.op(1));
}

std::optional<ex> reciprocal_exponential(const ex& exponential) {
  ex result;
  if (GiNaC::is_a<GiNaC::function>(exponential))
    result = GiNaC::exp(-exponential.op(0));
  else
    result = GiNaC::power(exponential.op(0), -exponential.op(1));
  if (!is_exponential(result)) return std::nullopt;  // GiNaC saw more in it
  return result;
}

}  // namespace sfg
