#include "sfg/study/variation.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/study/samples/statistics.hpp"

namespace sfg {

double VaryingParameter::low() const {
  return distribution == Distribution::lognormal ? nominal / (1 + half_width / nominal) : nominal - half_width;
}

double VaryingParameter::high() const { return nominal + half_width; }

double VaryingParameter::quantile(double u) const {
  switch (distribution) {
    case Distribution::uniform: return nominal + half_width * (2 * u - 1);
    case Distribution::triangular:
      return u < 0.5 ? nominal + half_width * (std::sqrt(2 * u) - 1) : nominal + half_width * (1 - std::sqrt(2 * (1 - u)));
    case Distribution::normal:
    case Distribution::lognormal: return of_normal(normal_quantile(u));
  }
  return nominal;
}

double VaryingParameter::of_normal(double z) const {
  switch (distribution) {
    case Distribution::uniform:
    case Distribution::triangular: return quantile(normal_probability(z));
    case Distribution::normal: return nominal + half_width / 3 * z;
    case Distribution::lognormal: return nominal * std::exp(std::log1p(half_width / nominal) / 3 * z);
  }
  return nominal;
}

std::vector<std::string> Variation::names() const {
  std::vector<std::string> result;
  for (const VaryingParameter& parameter : parameters) result.push_back(parameter.name);
  return result;
}

namespace {

std::optional<VaryingParameter> varying(const Symbol& symbol, const StatedVariation& stated) {
  std::optional<Tolerance> tolerance = symbol.tolerance;
  if (stated.everything && symbol.value) tolerance = stated.everything;
  if (const auto own = stated.tolerances.find(symbol.name); own != stated.tolerances.end()) tolerance = own->second;
  if (!tolerance) return {};
  const auto value = symbol.value ? rational_value(*symbol.value) : std::nullopt;
  if (!value) throw Error(symbol.where, "the parameter '" + symbol.name + "' has a tolerance but no value", "state its value");
  const auto kind = stated.distributions.find(symbol.name);
  const VaryingParameter parameter{
      symbol.name, value->to_double(), tolerance->of(*value).to_double(),
      kind != stated.distributions.end() ? kind->second : symbol.distribution.value_or(Distribution::uniform)};
  if (parameter.half_width == 0) return {};
  if (parameter.distribution == Distribution::lognormal && parameter.nominal <= 0)
    throw Error(symbol.where, "the parameter '" + symbol.name + "' is lognormal, and its value is not above 0",
                "choose another distribution");
  return parameter;
}

/// What is stated of the correlations of varying parameters: the matrix, row by row, and which statement an entry is of.
struct CorrelationMatrix {
  std::size_t size = 0;
  std::vector<double> value;
  std::vector<const Correlation*> stated;
};

std::optional<CorrelationMatrix> matrix_of(const SymbolTable& symbols, const Variation& variation) {
  const std::size_t n = variation.parameters.size();
  CorrelationMatrix matrix{n, std::vector<double>(n * n), std::vector<const Correlation*>(n * n)};
  for (std::size_t k = 0; k < n; ++k) matrix.value[k * n + k] = 1;
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(variation.parameters, name, &VaryingParameter::name) -
                                    variation.parameters.begin());
  };
  bool any = false;
  for (const Correlation& correlation : symbols.correlations) {
    const std::size_t i = index(correlation.first), j = index(correlation.second);
    if (i == n || j == n) continue;
    any = any || correlation.value != 0;
    matrix.value[i * n + j] = matrix.value[j * n + i] = correlation.value;
    matrix.stated[i * n + j] = matrix.stated[j * n + i] = &correlation;
  }
  return any ? std::optional(std::move(matrix)) : std::nullopt;
}

/// The statement that the correlations before `row` leave no room for.
[[noreturn]] void refuse_matrix(const CorrelationMatrix& matrix, std::size_t row) {
  const Correlation* last = nullptr;
  for (std::size_t j = 0; j < matrix.size; ++j)
    if (const Correlation* stated = matrix.stated[row * matrix.size + j]; stated && (j < row || !last)) last = stated;
  throw Error(last ? last->where : SourceSpan{},
              "the correlations contradict each other: their matrix is not positive semidefinite" +
                  (last ? ", with that of " + last->first + " and " + last->second : std::string()),
              "bring them nearer to 0");
}

std::vector<double> cholesky_of(const CorrelationMatrix& matrix) {
  constexpr double rounding = 1e-12;
  const std::size_t n = matrix.size;
  std::vector<double> L(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = matrix.value[i * n + j];
      for (std::size_t k = 0; k < j; ++k) rest -= L[i * n + k] * L[j * n + k];
      const double pivot = L[j * n + j], slack = rounding * static_cast<double>(n);
      if (i == j) {
        if (rest < -slack) refuse_matrix(matrix, i);
        L[i * n + i] = rest > slack ? std::sqrt(rest) : 0;
      } else if (pivot > 0) {
        L[i * n + j] = rest / pivot;
      } else if (std::abs(rest) > std::sqrt(slack)) {  // what is determined by those before cannot go otherwise
        refuse_matrix(matrix, i);
      }
    }
  return L;
}

Remedy near(const std::string& name, const SymbolTable& symbols) {
  const std::string candidate = nearest(name, symbols.names());
  return candidate.empty() ? Remedy() : Remedy("did you mean '" + candidate + "'?");
}

/// What follows from others goes together with them, however it is stated to. (A name that is not there has become a number.)
void check_correlation(const Correlation& correlation, const SymbolTable& symbols) {
  for (const std::string& name : {correlation.first, correlation.second})
    if (const Symbol* symbol = symbols.find(name); symbol && is_derived(*symbol))
      throw Error(correlation.where, "a correlation with '" + name + "', which follows from other parameters",
                  "state it of the parameters that it follows from");
}

}  // namespace

Variation variation_of(const SymbolTable& symbols, const StatedVariation& stated) {
  for (const auto& [name, tolerance] : stated.tolerances)
    if (const Symbol* symbol = symbols.find(name); !symbol || symbol->kind != SymbolKind::parameter)
      throw Error({}, "a tolerance of '" + name + "', which is no parameter", near(name, symbols));
    else if (is_derived(*symbol))
      throw Error(symbol->where, "the parameter '" + name + "' follows from others and does not vary by itself",
                  "give the tolerance to the parameters that it follows from");
  Variation result;
  for (const Symbol& symbol : symbols.all())
    if (symbol.kind == SymbolKind::parameter && !is_derived(symbol))
      if (auto parameter = varying(symbol, stated)) result.parameters.push_back(std::move(*parameter));
  for (const Correlation& correlation : symbols.correlations) check_correlation(correlation, symbols);
  if (const auto matrix = matrix_of(symbols, result)) result.cholesky = cholesky_of(*matrix);
  return result;
}

}  // namespace sfg
