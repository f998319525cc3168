#include "sfg/study/variation.hpp"

#include <ginac/ginac.h>

#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"

namespace sfg {

double VaryingParameter::low() const {
  return distribution == Distribution::lognormal ? nominal / (1 + half_width / nominal) : nominal - half_width;
}

double VaryingParameter::high() const { return nominal + half_width; }

namespace {

double normal_quantile(double u) { return -std::sqrt(2.0) * boost::math::erfc_inv(2 * u); }

}  // namespace

double VaryingParameter::quantile(double u) const {
  switch (distribution) {
    case Distribution::uniform: return nominal + half_width * (2 * u - 1);
    case Distribution::triangular:
      return u < 0.5 ? nominal + half_width * (std::sqrt(2 * u) - 1) : nominal + half_width * (1 - std::sqrt(2 * (1 - u)));
    case Distribution::normal: return nominal + half_width / 3 * normal_quantile(u);
    case Distribution::lognormal: return nominal * std::exp(std::log1p(half_width / nominal) / 3 * normal_quantile(u));
  }
  return nominal;
}

std::vector<std::string> Variation::names() const {
  std::vector<std::string> result;
  for (const VaryingParameter& parameter : parameters) result.push_back(parameter.name);
  return result;
}

Variation variation_of(const SymbolTable& symbols, const StatedVariation& stated) {
  Variation result;
  const GiNaC::exmap values = symbols.values();
  for (const Symbol& symbol : symbols.all()) {
    if (symbol.kind != SymbolKind::parameter || is_derived(symbol)) continue;
    std::optional<Tolerance> tolerance = symbol.tolerance;
    if (stated.everything && symbol.value) tolerance = stated.everything;
    if (const auto own = stated.tolerances.find(symbol.name); own != stated.tolerances.end()) tolerance = own->second;
    if (!tolerance) continue;
    const auto value = symbol.value ? rational_value(*symbol.value) : std::nullopt;
    if (!value) throw Error(symbol.where, "the parameter '" + symbol.name + "' has a tolerance but no value", "state its value");
    const auto kind = stated.distributions.find(symbol.name);
    VaryingParameter parameter{
        symbol.name, value->to_double(), tolerance->of(*value).to_double(),
        kind != stated.distributions.end() ? kind->second : symbol.distribution.value_or(Distribution::uniform)};
    if (parameter.half_width > 0) result.parameters.push_back(std::move(parameter));
  }
  return result;
}

}  // namespace sfg
