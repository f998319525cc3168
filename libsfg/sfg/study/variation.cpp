#include "sfg/study/variation.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/study/samples/monte_carlo.hpp"
#include "sfg/study/semidefinite.hpp"

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

/// The place of a name in a covariance matrix; nothing where there is none of it.
std::optional<std::size_t> row_of(const std::optional<Covariance>& covariance, const std::string& name) {
  if (!covariance) return {};
  const auto row = std::ranges::find(covariance->names, name);
  if (row == covariance->names.end()) return {};
  return static_cast<std::size_t>(row - covariance->names.begin());
}

const exact::Rational& variance_of(const Covariance& covariance, std::size_t row) {
  return covariance.matrix[row * covariance.names.size() + row];
}

/// Normal, with the variance that is stated; 3σ is the half width.
std::optional<VaryingParameter> of_variance(const Symbol& symbol, const exact::Rational& variance) {
  const auto value = symbol.value ? rational_value(*symbol.value) : std::nullopt;
  if (!value) throw Error(symbol.where, "the parameter '" + symbol.name + "' has a variance but no value", "state its value");
  if (variance.is_zero()) return {};
  return VaryingParameter{symbol.name, value->to_double(), 3 * std::sqrt(variance.to_double()), Distribution::normal};
}

std::optional<VaryingParameter> varying(const Symbol& symbol, const StatedVariation& stated) {
  if (const auto row = row_of(stated.covariance, symbol.name)) return of_variance(symbol, variance_of(*stated.covariance, *row));
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

bool same_pair(const Correlation& a, const Correlation& b) {
  return (a.first == b.first && a.second == b.second) || (a.first == b.second && a.second == b.first);
}

/// Of the model, and of the question in their place, as is what its covariance matrix says of both; only of what varies.
std::vector<Correlation> correlations_of(const SymbolTable& symbols, const StatedVariation& stated, const Variation& variation) {
  std::vector<Correlation> all = stated.correlations;
  for (const Correlation& own : symbols.correlations) {
    const bool in_matrix = row_of(stated.covariance, own.first) && row_of(stated.covariance, own.second);
    if (!in_matrix && std::ranges::none_of(stated.correlations, [&](const Correlation& other) { return same_pair(own, other); }))
      all.push_back(own);
  }
  std::erase_if(all, [&](const Correlation& c) {
    const auto varies = [&](const std::string& name) {
      return std::ranges::find(variation.parameters, name, &VaryingParameter::name) != variation.parameters.end();
    };
    return !varies(c.first) || !varies(c.second);
  });
  return all;
}

/// The covariances as correlations.
std::vector<Correlation> correlations_of(const Covariance& covariance) {
  std::vector<Correlation> all;
  const std::size_t n = covariance.names.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const exact::Rational& entry = covariance.matrix[i * n + j];
      if (entry.is_zero()) continue;
      const double size = std::sqrt((entry * entry / (variance_of(covariance, i) * variance_of(covariance, j))).to_double());
      all.push_back({covariance.names[i], covariance.names[j], entry.sign() < 0 ? -size : size,
                     covariance.where.empty() ? SourceSpan{} : covariance.where[i * n + j]});
    }
  return all;
}

std::optional<CorrelationMatrix> matrix_of(const std::vector<Correlation>& correlations, const Variation& variation) {
  const std::size_t n = variation.parameters.size();
  CorrelationMatrix matrix{n, std::vector<double>(n * n), std::vector<const Correlation*>(n * n)};
  for (std::size_t k = 0; k < n; ++k) matrix.value[k * n + k] = 1;
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(variation.parameters, name, &VaryingParameter::name) -
                                    variation.parameters.begin());
  };
  bool any = false;
  for (const Correlation& correlation : correlations) {
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

Remedy nearest_parameter(const std::string& name, const SymbolTable& symbols) {
  const std::string candidate = nearest(name, symbols.names());
  return candidate.empty() ? Remedy() : Remedy("did you mean '" + candidate + "'?");
}

/// What follows from others goes together with them, however it is stated to. (A name that is not there has become a number.)
void check_correlation(const Correlation& correlation, const SymbolTable& symbols, const StatedVariation& stated) {
  for (const std::string& name : {correlation.first, correlation.second}) {
    const Symbol* symbol = symbols.find(name);
    if (symbol && is_derived(*symbol))
      throw Error(correlation.where, "a correlation with '" + name + "', which follows from other parameters",
                  "state it of the parameters that it follows from");
    if (row_of(stated.covariance, name))
      throw Error(correlation.where,
                  "a correlation of '" + correlation.first + "' and '" + correlation.second +
                      "' beside the covariance matrix of '" + name + "', which states all that goes with it",
                  "state both in the matrix, or leave the correlation out");
  }
}

/// A name that something is stated of.
void check_stated(const std::string& what, const std::string& name, const SymbolTable& symbols, const SourceSpan& where = {}) {
  const Symbol* symbol = symbols.find(name);
  if (!symbol || symbol->kind != SymbolKind::parameter)
    throw Error(where, what + " of '" + name + "', which is no parameter", nearest_parameter(name, symbols));
  if (is_derived(*symbol))
    throw Error(where.line > 0 ? where : symbol->where,
                "the parameter '" + name + "' follows from others and does not vary by itself",
                "give the " + what.substr(2) + " to the parameters that it follows from");
}

void check_covariance(const Covariance& covariance, const SymbolTable& symbols, const StatedVariation& stated) {
  const std::size_t n = covariance.names.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::string& name = covariance.names[i];
    check_stated("a covariance", name, symbols, covariance.where.empty() ? SourceSpan{} : covariance.where[i * n + i]);
    if (stated.tolerances.contains(name) || stated.distributions.contains(name))
      throw Error({}, "'" + name + "' has a covariance, and a tolerance or a distribution beside it", "state one of them");
  }
  static_cast<void>(factor_of(covariance));
}

}  // namespace

Variation variation_of(const SymbolTable& symbols, const StatedVariation& stated) {
  for (const auto& [name, tolerance] : stated.tolerances) check_stated("a tolerance", name, symbols);
  for (const Correlation& correlation : stated.correlations)
    for (const std::string& name : {correlation.first, correlation.second}) check_stated("a correlation", name, symbols);
  if (stated.covariance) check_covariance(*stated.covariance, symbols, stated);
  Variation result;
  for (const Symbol& symbol : symbols.all())
    if (symbol.kind == SymbolKind::parameter && !is_derived(symbol))
      if (auto parameter = varying(symbol, stated)) result.parameters.push_back(std::move(*parameter));
  result.correlations = correlations_of(symbols, stated, result);
  for (const Correlation& correlation : symbols.correlations) check_correlation(correlation, symbols, {});
  for (const Correlation& correlation : result.correlations) check_correlation(correlation, symbols, stated);
  result.covariance = stated.covariance;
  std::vector<Correlation> all = result.correlations;
  if (result.covariance)
    for (Correlation& correlation : correlations_of(*result.covariance)) all.push_back(std::move(correlation));
  if (const auto matrix = matrix_of(all, result)) result.cholesky = cholesky_of(*matrix);
  return result;
}

Covariance normal_covariance(const Variation& variation) {
  Covariance result;
  std::vector<exact::Rational> deviation;
  for (const VaryingParameter& parameter : variation.parameters) {
    if (parameter.distribution != Distribution::normal) continue;
    result.names.push_back(parameter.name);
    deviation.push_back(exact::Rational::of(parameter.half_width) / 3);
  }
  const std::size_t n = result.names.size();
  result.matrix.resize(n * n);
  result.where.resize(n * n);
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(result.names, name) - result.names.begin());
  };
  for (std::size_t i = 0; i < n; ++i) result.matrix[i * n + i] = deviation[i] * deviation[i];
  for (const Correlation& c : variation.correlations) {
    const std::size_t i = index(c.first), j = index(c.second);
    if (c.value == 0 || (i == n && j == n)) continue;
    if (i == n || j == n)
      throw Error(c.where, "'" + c.first + "' and '" + c.second + "' are correlated, and one of them is not normal",
                  "there is an ellipsoid of normal parameters only: state the distribution normal of both, or a covariance");
    result.matrix[i * n + j] = result.matrix[j * n + i] = decimal_rational(c.value) * deviation[i] * deviation[j];
    result.where[i * n + j] = result.where[j * n + i] = c.where;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const auto row = row_of(variation.covariance, result.names[i]), column = row_of(variation.covariance, result.names[j]);
      if (!row || !column) continue;
      const std::size_t at = *row * variation.covariance->names.size() + *column;
      result.matrix[i * n + j] = variation.covariance->matrix[at];
      if (!variation.covariance->where.empty()) result.where[i * n + j] = variation.covariance->where[at];
    }
  return result;
}

}  // namespace sfg
