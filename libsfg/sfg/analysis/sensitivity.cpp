// T = N/D with polynomials N, D of one space. With N′, D′ the derivatives by k,
//   ∂T/∂k = (N′D − N D′)/D²,   (k/T) ∂T/∂k = k (N′D − N D′)/(N D).
// A kernel such as exp(−s·T) or sqrt(k) is a variable of its own: it adds its derivative by the chain rule.
#include "sfg/analysis/sensitivity.hpp"

#include <ginac/ginac.h>

#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/draft.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

/// N′D − N D′ by variable `index` of the space.
Polynomial wronskian(const Polynomial& N, const Polynomial& D, std::size_t index) {
  return N.derivative(index) * D - N * D.derivative(index);
}

/// The variables of the space that depend on k, each with its derivative by k.
std::vector<std::pair<std::size_t, GiNaC::ex>> dependences(const PolynomialSpace& space, const GiNaC::ex& k) {
  std::vector<std::pair<std::size_t, GiNaC::ex>> result;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const GiNaC::ex slope = space.generator(i).diff(GiNaC::ex_to<GiNaC::symbol>(k));
    if (!slope.is_zero()) result.emplace_back(i, slope);
  }
  return result;
}

Sensitivity sensitivity(const RationalFunction& T, const Symbol& parameter) {
  const Polynomial &N = T.numerator(), &D = T.denominator();
  const auto depends = dependences(T.space(), parameter.expr);
  if (depends.empty() || N.is_zero()) return {parameter.name, "0", "0"};
  if (depends.size() == 1 && depends.front().second.is_equal(1)) {
    const std::size_t index = depends.front().first;
    const Polynomial above = wronskian(N, D, index), k = Polynomial::variable(T.space().context(), index);
    return {parameter.name, RationalFunction(T.space(), above, D * D).reduced().text(),
            RationalFunction(T.space(), k * above, N * D).reduced().text()};
  }
  GiNaC::ex above = 0;
  for (const auto& [index, slope] : depends) above += T.space().expression(wronskian(N, D, index)) * slope;
  const GiNaC::ex n = T.space().expression(N), d = T.space().expression(D);
  return {parameter.name, print(normal_form(above / (d * d))), print(normal_form(parameter.expr * above / (n * d)))};
}

bool is_parameter(const Symbol& symbol, const SignalFlowGraph& graph) {
  return symbol.name != graph.variable && symbol.kind == SymbolKind::parameter;
}

}  // namespace

std::vector<Sensitivity> sensitivities(const TransferFunction& transfer, const SignalFlowGraph& graph, const Budget& budget) {
  std::vector<Sensitivity> result;
  for (const Symbol& symbol : graph.symbols.all()) {
    if (!is_parameter(symbol, graph)) continue;
    budget.check("the sensitivities");
    result.push_back(sensitivity(transfer.value, symbol));
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
      : parameter_(parameter), values_(graph.symbols.values()) {
    variable_ = operator_symbol(graph);
    GiNaC::exmap others = values_;
    others.erase(parameter.expr);
    others.erase(variable_);
    const SignalFlowGraph mostly_numbers = graph.substituted(others);
    const TransferFunction T = transfer_function(mostly_numbers, question, options);
    const PolynomialSpace& space = T.value.space();
    const Polynomial& below = T.value.denominator();
    const auto over_D = [&](const Polynomial& p) { return numbered(space, p, below, mostly_numbers, question); };
    T_ = over_D(T.value.numerator());
    for (const auto& [index, slope] : dependences(space, parameter.expr))
      slopes_.push_back({over_D(T.value.numerator().derivative(index)), over_D(below.derivative(index)), slope.subs(values_)});
  }

  SensitivityValue at(double w) const {
    const std::complex<double> s(0, w), T = value_at(T_, s);
    std::complex<double> dT = 0;
    for (const Slope& slope : slopes_)
      dT += (value_at(slope.N, s) - T * value_at(slope.D, s)) * value_of(slope.generator, variable_, s);
    SensitivityValue result;
    result.frequency = w;
    result.parameter = parameter_.name;
    result.derivative = dT;
    const double k = double_value(values_.at(parameter_.expr)).value_or(0);
    if (T != 0.0) {
      result.relative = k * dT / T;
      result.magnitude = (std::conj(T) * dT).real() / std::abs(T);
      result.phase = (dT / T).imag();
    }
    return result;
  }

 private:
  struct Slope {
    ExactTransfer N, D;   ///< ∂N/∂g / D and ∂D/∂g / D
    GiNaC::ex generator;  ///< g's derivative by k: 1 for k itself
  };
  const Symbol& parameter_;
  GiNaC::exmap values_;
  GiNaC::ex variable_;
  ExactTransfer T_;
  std::vector<Slope> slopes_;
};

}  // namespace

std::vector<SensitivityValue> sensitivity_values(const SignalFlowGraph& graph, const Question& question,
                                                 std::span<const double> rad_per_s, const TransferOptions& options) {
  std::vector<Study> studies;
  const GiNaC::exmap values = graph.symbols.values();
  for (const Symbol& symbol : graph.symbols.all())
    if (is_parameter(symbol, graph) && values.contains(symbol.expr)) studies.emplace_back(graph, question, symbol, options);
  std::vector<SensitivityValue> result;
  for (const double w : rad_per_s)
    for (const Study& study : studies) result.push_back(study.at(w));
  return result;
}

}  // namespace sfg
