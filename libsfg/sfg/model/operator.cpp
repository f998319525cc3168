#include "sfg/model/operator.hpp"

#include <ginac/symbol.h>

#include <cmath>
#include <stdexcept>

namespace sfg {

void Operator::settle() {
  kind_ = symbol_.empty() ? Kind::none : symbol_ == "z" ? Kind::discrete : Kind::continuous;
  if (sample_time_ && sample_time_->sign() <= 0) throw std::invalid_argument("Operator: the sample time is not above 0");
}

std::complex<double> Operator::at_frequency(double rad_per_s) const {
  return discrete() ? std::polar(1.0, rad_per_s * period().to_double()) : std::complex<double>(0.0, rad_per_s);
}

std::complex<double> Operator::in_s(std::complex<double> root) const {
  return discrete() ? std::log(root) / period().to_double() : root;
}

std::string Operator::name_of_rate(std::string_view signal) const { return (discrete() ? "z" : "D") + std::string(signal); }

GiNaC::ex Operator::in(const SymbolTable& symbols) const {
  const Symbol* known = symbols.find(symbol_);
  return known ? known->expr : GiNaC::ex(GiNaC::symbol(symbol_));
}

GiNaC::ex Operator::declare(SymbolTable& symbols, const SourceSpan& where) const {
  const GiNaC::ex symbol = symbols.symbol(symbol_, where);
  symbols.find(symbol_)->kind = SymbolKind::laplace;
  return symbol;
}

}  // namespace sfg
