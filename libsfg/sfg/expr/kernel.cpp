#include "sfg/expr/kernel.hpp"

#include <cln/cln.h>

#include <limits>

#include "sfg/expr/print_form.hpp"

namespace sfg {

using GiNaC::ex;
using GiNaC::ex_to;
using Number = GiNaC::numeric;

std::optional<Number> exact_number(const ex& e) {
  if (!GiNaC::is_exactly_a<Number>(e)) return std::nullopt;
  const Number& n = ex_to<Number>(e);
  if (!n.is_real()) return std::nullopt;
  if (n.is_rational()) return n;
  return Number(cln::rational(cln::the<cln::cl_R>(n.to_cl_N())));
}

std::optional<long> whole_exponent(const ex& power) {
  if (!GiNaC::is_exactly_a<GiNaC::power>(power)) return std::nullopt;
  const ex& exponent = power.op(1);
  if (!GiNaC::is_exactly_a<Number>(exponent) || !ex_to<Number>(exponent).is_integer()) return std::nullopt;
  static const Number greatest(std::numeric_limits<int>::max());
  if (abs(ex_to<Number>(exponent)) > greatest) return std::nullopt;
  return ex_to<Number>(exponent).to_long();
}

bool is_root(const ex& e) {
  if (!GiNaC::is_exactly_a<GiNaC::power>(e) || !GiNaC::is_exactly_a<Number>(e.op(1))) return false;
  const Number& exponent = ex_to<Number>(e.op(1));
  return exponent.is_rational() && !exponent.is_integer();
}

std::optional<ConstantRoot> constant_root(const ex& e) {
  if (!is_root(e) || ex_to<Number>(e.op(1)).denom() != Number(2)) return std::nullopt;
  const auto base = exact_number(e.op(0));
  if (!base || !base->is_positive()) return std::nullopt;
  const Number halves = ex_to<Number>(e.op(1)).numer();
  ConstantRoot result{base->power((halves - 1) / 2) / base->denom(), base->numer() * base->denom()};
  const Number whole = GiNaC::isqrt(result.radicand);
  if (whole * whole == result.radicand) return ConstantRoot{result.factor * whole, 1};
  constexpr long greatest_divisor = 1000;
  for (long d = 2; d <= greatest_divisor && Number(d) * d <= result.radicand; ++d)
    while (GiNaC::irem(result.radicand, Number(d) * d).is_zero()) {
      result.radicand = result.radicand / (Number(d) * d);
      result.factor = result.factor * d;
    }
  return result;
}

namespace {

bool is_exp(const ex& e) { return GiNaC::is_a<GiNaC::function>(e) && ex_to<GiNaC::function>(e).get_name() == "exp"; }

}  // namespace

std::optional<Exponential> exponential(const ex& e) {
  const bool is_function = is_exp(e);
  if (!is_function && (!GiNaC::is_exactly_a<GiNaC::power>(e) || GiNaC::is_exactly_a<Number>(e.op(1)))) return std::nullopt;
  const ex exponent = e.op(is_function ? 0 : 1);
  if (GiNaC::is_exactly_a<Number>(exponent) && !exact_number(exponent)) return std::nullopt;
  Number multiple = GiNaC::is_exactly_a<Number>(exponent) ? *exact_number(exponent) : exponent.integer_content();
  if (multiple.is_zero()) return std::nullopt;
  if (!GiNaC::is_exactly_a<Number>(exponent) && leads_with_minus(exponent)) multiple = -multiple;
  const ex unit = raised(e, multiple.inverse());
  // GiNaC may see more in the unit: exp(-log(x)) is 1/x to it.
  const bool is_exponential =
      is_function ? is_exp(unit) : GiNaC::is_exactly_a<GiNaC::power>(unit) && unit.op(0).is_equal(e.op(0));
  if (!is_exponential) return std::nullopt;
  return Exponential{unit, multiple};
}

ex raised(const ex& unit, const Number& multiple) {
  if (is_exp(unit)) return GiNaC::exp(multiple * unit.op(0));
  return GiNaC::power(unit.op(0), multiple * unit.op(1));
}

}  // namespace sfg
