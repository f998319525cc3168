#include "sfg/expr/exact_numbers.hpp"

#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"

namespace sfg {

namespace {

bool fits(const GiNaC::numeric& x) {
  if (!x.is_rational()) return true;  // a double already
  static const GiNaC::numeric limit = GiNaC::numeric(2).power(53);
  if (GiNaC::abs(x.numer()) > limit || x.denom() > limit) return false;
  const auto denominator = static_cast<std::uint64_t>(x.denom().to_double());
  return (denominator & (denominator - 1)) == 0;
}

}  // namespace

GiNaC::ex ExactNumbers::operator()(const GiNaC::ex& e) {
  if (GiNaC::is_a<GiNaC::numeric>(e)) {
    const auto& x = GiNaC::ex_to<GiNaC::numeric>(e);
    return fits(x) ? e : number(exact_value(x));
  }
  if (GiNaC::is_a<GiNaC::constant>(e)) {
    const auto value = rational_value(e);
    return value ? symbol(*value) : e;
  }
  if (GiNaC::is_exactly_a<GiNaC::power>(e) && GiNaC::is_a<GiNaC::numeric>(e.op(1))) return GiNaC::pow((*this)(e.op(0)), e.op(1));
  return e.map(*this);
}

GiNaC::ex ExactNumbers::number(const exact::Rational& value) {
  const GiNaC::numeric x = numeric_value(value);
  if (fits(x)) return x;
  return value.sign() < 0 ? -symbol(-value) : symbol(value);
}

GiNaC::ex ExactNumbers::symbol(const exact::Rational& value) {
  const auto [at, fresh] = symbols_.try_emplace(value);
  if (fresh) {
    found_.emplace_back("#" + std::to_string(found_.size()), value);  // no name of a model begins so
    at->second = GiNaC::symbol(found_.back().first);
  }
  return at->second;
}

}  // namespace sfg
