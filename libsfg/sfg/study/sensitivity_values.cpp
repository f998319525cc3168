#include <ginac/ginac.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/study/sensitivity.hpp"
#include "sfg/study/total_derivative.hpp"

namespace sfg {

using ring::Polynomial;

namespace {

/// The quotient of two polynomials of s and k, with k put in: apart, they may leave the range of a double.
ExactTransfer numbered(const PolynomialSpace& space, const Polynomial& above, const Polynomial& below,
                       const SignalFlowGraph& graph, const Question& question) {
  const Polynomial one = Polynomial::constant(space.context(), 1);
  return exact_transfer(TransferFunction{question, RationalFunction(space, above, below), one, {}, {}}, graph);
}

std::complex<double> value_of(const GiNaC::ex& expression, const GiNaC::ex& variable, std::complex<double> s) {
  const auto value = complex_value(expression, variable, s);
  if (!value) throw NoAnswer("expression '" + print(expression) + "' has no numeric value");
  return *value;
}

/// T and ∂T/∂k at the frequencies, from the transfer function in s and k.
class Study {
 public:
  Study(const SignalFlowGraph& graph, const Question& question, const GiNaC::ex& parameter, const TransferOptions& options)
      : variable_(graph.op.in(graph.symbols)) {
    const GiNaC::exmap values = graph.symbols.values();
    const SignalFlowGraph mostly_numbers =
        graph.substituted(values_keeping(graph.symbols, std::vector<GiNaC::ex>{parameter, variable_}));
    const TransferFunction T = transfer_function(mostly_numbers, question, options);
    const PolynomialSpace& space = T.value.space();
    const Polynomial& below = T.value.denominator();
    const auto over_D = [&](const Polynomial& p) { return numbered(space, p, below, mostly_numbers, question); };
    T_ = over_D(T.value.numerator());
    for (const auto& [index, slope] : dependences(space, parameter, {}))
      slopes_.push_back({over_D(T.value.numerator().derivative(index)), over_D(below.derivative(index)), slope.subs(values)});
  }

  /// T and ∂T/∂k.
  std::pair<std::complex<double>, std::complex<double>> at(std::complex<double> s) const {
    const std::complex<double> T = value_at(T_, s);
    std::complex<double> dT = 0;
    for (const Slope& slope : slopes_)
      dT += (value_at(slope.N, s) - T * value_at(slope.D, s)) * value_of(slope.generator, variable_, s);
    return {T, dT};
  }

 private:
  struct Slope {
    ExactTransfer N, D;   ///< ∂N/∂g / D and ∂D/∂g / D
    GiNaC::ex generator;  ///< g's derivative by k: 1 for k itself
  };
  GiNaC::ex variable_;
  ExactTransfer T_;
  std::vector<Slope> slopes_;
};

/// Values of one parameter where double precision leaves doubt: by exact polynomials, and where a gain has no such (√s), or too
/// long ones, by the program with as many digits as it takes.
class Doubts {
 public:
  Doubts(const SignalFlowGraph& graph, const Question& question, const TransferOptions& options, const CompiledResponse& program)
      : graph_(graph), question_(question), options_(options), program_(program) {}

  std::pair<std::complex<double>, std::complex<double>> at(std::size_t index, const GiNaC::ex& parameter,
                                                           std::complex<double> s) {
    options_.budget.check("the sensitivities");
    auto known = studies_.find(index);
    if (known == studies_.end()) known = studies_.emplace(index, study_of(parameter)).first;
    if (known->second) return known->second->at(s);
    constexpr double every_digit = 1e-300;
    const CompiledValues exact = program_.values(std::span(&s, 1), {}, {.tolerance = every_digit, .budget = options_.budget});
    return {exact.value[0], exact.value[1 + index]};
  }

 private:
  std::optional<Study> study_of(const GiNaC::ex& parameter) const {
    try {
      return Study(graph_, question_, parameter, options_);
    } catch (const NoAnswer&) {
      return std::nullopt;
    } catch (const LimitReached&) {
      options_.budget.check("the sensitivities");  // it was the time that ended
      return std::nullopt;
    }
  }

  const SignalFlowGraph& graph_;
  const Question& question_;
  const TransferOptions& options_;
  const CompiledResponse& program_;
  std::map<std::size_t, std::optional<Study>> studies_;
};

/// A part that is no more than the rounding of the other one is 0; and 0 has no sign.
std::complex<double> without_rounding(std::complex<double> z) {
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(z);
  const auto part = [&](double x) { return std::abs(x) <= rounding ? 0.0 : x; };
  return std::isfinite(rounding) ? std::complex<double>(part(z.real()), part(z.imag())) : z;
}

SensitivityValue value_from(double w, const std::string& name, std::complex<double> k, std::complex<double> T,
                            std::complex<double> dT) {
  SensitivityValue result{w, name, {dT.real() + 0.0, dT.imag() + 0.0}, {}, 0, 0};
  if (T == 0.0) return result;
  const std::complex<double> q = without_rounding(dT / T);
  result.relative = k * q;
  result.magnitude = std::abs(T) * q.real();
  result.phase = q.imag();
  return result;
}

/// Whether bounds of the errors leave no doubt: of the derivative itself, or of the relative one, whose natural size is 1.
bool certain(std::complex<double> k, std::complex<double> T, double error_of_T, std::complex<double> dT, double error_of_dT) {
  constexpr double relative = 1e-10, of_sensitivity = 1e-13;
  return error_of_T <= relative * std::abs(T) &&
         (error_of_dT <= relative * std::abs(dT) || (k != 0.0 && std::abs(k) * error_of_dT <= of_sensitivity * std::abs(T)));
}

}  // namespace

std::vector<SensitivityValue> sensitivity_values(const StudiedGraph& studied, const Question& question,
                                                 std::span<const double> rad_per_s, const TransferOptions& options) {
  const SignalFlowGraph& graph = studied.graph;
  const GiNaC::ex variable = graph.op.in(graph.symbols);
  const GiNaC::exmap values = graph.symbols.values();
  std::vector<const StudyParameter*> parameters;
  std::vector<GiNaC::ex> numbers;
  CompiledOptions compiled{.budget = options.budget};
  for (const StudyParameter& parameter : studied.parameters) {
    if (!values.contains(parameter.symbol)) continue;
    parameters.push_back(&parameter);
    numbers.push_back(parameter.nominal.subs(values, GiNaC::subs_options::no_pattern));
    compiled.derivatives.push_back(GiNaC::ex_to<GiNaC::symbol>(parameter.symbol).get_name());
  }
  const CompiledResponse program(graph, std::span(&question, 1), compiled);
  std::vector<std::complex<double>> points;
  for (const double w : rad_per_s) points.push_back(graph.op.at_frequency(w));
  const CompiledValues found = program.bounded(points, {}, {.budget = options.budget});
  Doubts doubts(graph, question, options, program);
  constexpr std::size_t few = 500;  // so many are calculated exactly at once
  const bool every_digit = points.size() * parameters.size() <= few && !prefers_compiled(graph, std::span(&question, 1));
  std::vector<SensitivityValue> result;
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::complex<double> k = value_of(numbers[i], variable, points[p]);
      const std::size_t at = (1 + i) * points.size() + p;
      std::pair both{found.value[p], found.value[at]};
      if (every_digit || !certain(k, both.first, found.error[p], both.second, found.error[at]))
        both = doubts.at(i, parameters[i]->symbol, points[p]);
      result.push_back(value_from(rad_per_s[p], parameters[i]->name, k, both.first, both.second));
    }
  return result;
}

std::vector<SensitivityValue> sensitivity_values(const SignalFlowGraph& graph, const Question& question,
                                                 std::span<const double> rad_per_s, const TransferOptions& options) {
  return sensitivity_values(studied(graph), question, rad_per_s, options);
}

}  // namespace sfg
