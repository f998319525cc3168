// T = N/D with polynomials N, D of one space. With N′, D′ the derivatives by k,
//   ∂T/∂k = (N′D − N D′)/D²,   (k/T) ∂T/∂k = k (N′D − N D′)/(N D).
// A kernel such as exp(−s·T) or sqrt(k) is a variable of its own: it adds its derivative by the chain rule. So does every
// parameter that is derived from k.
#include "sfg/study/sensitivity.hpp"

#include <ginac/ginac.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/response/compiled_response.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

/// N′D − N D′ by variable `index` of the space.
Polynomial wronskian(const Polynomial& N, const Polynomial& D, std::size_t index) {
  return N.derivative(index) * D - N * D.derivative(index);
}

/// The total derivative by k of an expression in base and derived parameters.
GiNaC::ex total_derivative(const GiNaC::ex& expression, const GiNaC::ex& k, const GiNaC::exmap& derived) {
  const auto& symbol = GiNaC::ex_to<GiNaC::symbol>(k);
  GiNaC::ex slope = expression.diff(symbol);
  for (const auto& [parameter, definition] : derived)
    if (expression.has(parameter)) slope += expression.diff(GiNaC::ex_to<GiNaC::symbol>(parameter)) * definition.diff(symbol);
  return slope;
}

/// The variables of the space that depend on k, each with its derivative by k.
std::vector<std::pair<std::size_t, GiNaC::ex>> dependences(const PolynomialSpace& space, const GiNaC::ex& k,
                                                           const GiNaC::exmap& derived) {
  std::vector<std::pair<std::size_t, GiNaC::ex>> result;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const GiNaC::ex slope = total_derivative(space.generator(i), k, derived);
    if (!slope.is_zero()) result.emplace_back(i, slope);
  }
  return result;
}

Sensitivity sensitivity(const RationalFunction& T, const Symbol& parameter, const GiNaC::ex& s, const GiNaC::exmap& derived) {
  const Polynomial &N = T.numerator(), &D = T.denominator();
  const auto depends = dependences(T.space(), parameter.expr, derived);
  const auto quotient = [&](const Polynomial& above, const Polynomial& below) {
    return RationalFunction(T.space(), above, below).reduced();
  };
  if (depends.empty() || N.is_zero()) {
    const Polynomial zero = Polynomial::constant(T.space().context(), 0), one = Polynomial::constant(T.space().context(), 1);
    return {parameter.name, quotient(zero, one), quotient(zero, one)};
  }
  if (depends.size() == 1 && depends.front().second.is_equal(1)) {
    const std::size_t index = depends.front().first;
    const Polynomial above = wronskian(N, D, index), k = Polynomial::variable(T.space().context(), index);
    return {parameter.name, quotient(above, D * D), quotient(k * above, N * D)};
  }
  GiNaC::ex above = 0;
  for (const auto& [index, slope] : depends) above += T.space().expression(wronskian(N, D, index)) * slope;
  const GiNaC::ex n = T.space().expression(N), d = T.space().expression(D);
  const std::array both{GiNaC::ex(above / (d * d)), GiNaC::ex(parameter.expr * above / (n * d))};
  const PolynomialSpace space(both, s);
  return {parameter.name, space.rational(both[0]).reduced(), space.rational(both[1]).reduced()};
}

bool is_parameter(const Symbol& symbol, const SignalFlowGraph& graph) {
  return symbol.name != graph.op.symbol() && symbol.kind == SymbolKind::parameter && !is_derived(symbol);
}

}  // namespace

std::vector<Sensitivity> sensitivities(const TransferFunction& transfer, const SignalFlowGraph& graph, const Budget& budget) {
  std::vector<Sensitivity> result;
  const GiNaC::exmap derived = definitions(graph.symbols);
  for (const Symbol& symbol : graph.symbols.all()) {
    if (!is_parameter(symbol, graph)) continue;
    budget.check("the sensitivities");
    result.push_back(sensitivity(transfer.value, symbol, graph.op.in(graph.symbols), derived));
  }
  return result;
}

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
  Study(const SignalFlowGraph& graph, const Question& question, const Symbol& parameter, const TransferOptions& options)
      : variable_(graph.op.in(graph.symbols)) {
    const GiNaC::exmap values = graph.symbols.values();
    const SignalFlowGraph mostly_numbers =
        graph.substituted(values_keeping(graph.symbols, std::vector<GiNaC::ex>{parameter.expr, variable_}));
    const TransferFunction T = transfer_function(mostly_numbers, question, options);
    const PolynomialSpace& space = T.value.space();
    const Polynomial& below = T.value.denominator();
    const auto over_D = [&](const Polynomial& p) { return numbered(space, p, below, mostly_numbers, question); };
    T_ = over_D(T.value.numerator());
    for (const auto& [index, slope] : dependences(space, parameter.expr, {}))
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

  std::pair<std::complex<double>, std::complex<double>> at(std::size_t index, const Symbol& parameter, std::complex<double> s) {
    options_.budget.check("the sensitivities");
    auto known = studies_.find(index);
    if (known == studies_.end()) known = studies_.emplace(index, study_of(parameter)).first;
    if (known->second) return known->second->at(s);
    constexpr double every_digit = 1e-300;
    const CompiledValues exact = program_.values(std::span(&s, 1), {}, {.tolerance = every_digit, .budget = options_.budget});
    return {exact.value[0], exact.value[1 + index]};
  }

 private:
  std::optional<Study> study_of(const Symbol& parameter) const {
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

SensitivityValue value_from(double w, const std::string& name, double k, std::complex<double> T, std::complex<double> dT) {
  SensitivityValue result{w, name, {dT.real() + 0.0, dT.imag() + 0.0}, {}, 0, 0};
  if (T == 0.0) return result;
  const std::complex<double> q = without_rounding(dT / T);
  result.relative = k * q;
  result.magnitude = std::abs(T) * q.real();
  result.phase = q.imag();
  return result;
}

/// Whether bounds of the errors leave no doubt: of the derivative itself, or of the relative one, whose natural size is 1.
bool certain(double k, std::complex<double> T, double error_of_T, std::complex<double> dT, double error_of_dT) {
  constexpr double relative = 1e-10, of_sensitivity = 1e-13;
  return error_of_T <= relative * std::abs(T) &&
         (error_of_dT <= relative * std::abs(dT) || (k != 0 && std::abs(k) * error_of_dT <= of_sensitivity * std::abs(T)));
}

}  // namespace

std::vector<SensitivityValue> sensitivity_values(const SignalFlowGraph& graph, const Question& question,
                                                 std::span<const double> rad_per_s, const TransferOptions& options) {
  const GiNaC::exmap values = graph.symbols.values();
  std::vector<const Symbol*> parameters;
  std::vector<double> numbers;
  CompiledOptions compiled{.budget = options.budget};
  for (const Symbol& symbol : graph.symbols.all()) {
    if (!is_parameter(symbol, graph) || !symbol.value) continue;
    parameters.push_back(&symbol);
    numbers.push_back(double_value(values.at(symbol.expr)).value_or(0));
    compiled.derivatives.push_back(symbol.name);
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
      const double k = numbers[i];
      const std::size_t at = (1 + i) * points.size() + p;
      std::pair both{found.value[p], found.value[at]};
      if (every_digit || !certain(k, both.first, found.error[p], both.second, found.error[at]))
        both = doubts.at(i, *parameters[i], points[p]);
      result.push_back(value_from(rad_per_s[p], parameters[i]->name, k, both.first, both.second));
    }
  return result;
}

}  // namespace sfg
