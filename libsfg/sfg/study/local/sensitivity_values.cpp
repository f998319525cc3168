#include <ginac/ginac.h>

#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/study/local/exact_sensitivity.hpp"
#include "sfg/study/local/sensitivity.hpp"

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

/// The relative values refer to these: numbers, or gains that depend on the frequency.
class Nominal {
 public:
  Nominal(const GiNaC::ex& nominal, const GiNaC::ex& variable) : expression_(nominal), variable_(variable) {
    if (!nominal.has(variable)) number_ = value_of(nominal, variable, 0);
  }
  std::complex<double> at(std::complex<double> s) const { return number_ ? *number_ : value_of(expression_, variable_, s); }

 private:
  GiNaC::ex expression_, variable_;
  std::optional<std::complex<double>> number_;
};

/// A studied graph's program, and what its values are asked of.
class Frequencies {
 public:
  Frequencies(const StudiedGraph& studied, const Question& question, std::span<const double> rad_per_s,
              const TransferOptions& options)
      : graph_(studied.graph), question_(question), rad_per_s_(rad_per_s), options_(options) {
    const GiNaC::ex variable = graph_.op.in(graph_.symbols);
    const GiNaC::exmap values = graph_.symbols.values();
    CompiledOptions compiled{.budget = options.budget};
    for (const StudyParameter& parameter : studied.parameters) {
      if (!values.contains(parameter.symbol)) continue;
      parameters_.push_back(&parameter);
      nominal_.emplace_back(parameter.nominal.subs(values, GiNaC::subs_options::no_pattern), variable);
      compiled.derivatives.push_back(GiNaC::ex_to<GiNaC::symbol>(parameter.symbol).get_name());
    }
    program_.emplace(graph_, std::span(&question, 1), compiled);
    for (const double w : rad_per_s) points_.push_back(graph_.op.at_frequency(w));
  }

  std::vector<SensitivityValue> values() const {
    CompiledValues found = program_->bounded(points_, {}, {.budget = options_.budget});
    if (!exact(found.value)) refine(found);
    std::vector<SensitivityValue> result;
    result.reserve(points_.size() * parameters_.size());
    for (std::size_t p = 0; p < points_.size(); ++p)
      for (std::size_t i = 0; i < parameters_.size(); ++i)
        result.push_back(value_from(rad_per_s_[p], parameters_[i]->name, nominal_[i].at(points_[p]), found.value[p],
                                    found.value[(1 + i) * points_.size() + p]));
    return result;
  }

 private:
  /// Few values of a small graph by exact polynomials. @returns whether there are such.
  bool exact(std::vector<std::complex<double>>& values) const {
    constexpr std::size_t few = 500;
    if (points_.size() * parameters_.size() > few || prefers_compiled(graph_, std::span(&question_, 1))) return false;
    try {
      for (std::size_t i = 0; i < parameters_.size(); ++i) {
        options_.budget.check("the sensitivities");
        const Study study(graph_, question_, parameters_[i]->symbol, options_);
        for (std::size_t p = 0; p < points_.size(); ++p)
          std::tie(values[p], values[(1 + i) * points_.size() + p]) = study.at(points_[p]);
      }
      return true;
    } catch (const NoAnswer&) {  // a gain that is no polynomial: √s
      return false;
    } catch (const LimitReached&) {
      options_.budget.check("the sensitivities");  // it was the time that ended
      return false;
    }
  }

  /// Points where double precision leaves doubt, again with as many digits as it takes: all their values in one run.
  void refine(CompiledValues& found) const {
    std::vector<std::size_t> doubtful;
    std::vector<std::complex<double>> again;
    for (std::size_t p = 0; p < points_.size(); ++p) {
      bool sure = true;
      for (std::size_t i = 0; i < parameters_.size() && sure; ++i) {
        const std::size_t at = (1 + i) * points_.size() + p;
        sure = certain(nominal_[i].at(points_[p]), found.value[p], found.error[p], found.value[at], found.error[at]);
      }
      if (sure) continue;
      doubtful.push_back(p);
      again.push_back(points_[p]);
    }
    if (doubtful.empty()) return;
    constexpr double every_digit = 1e-300;
    const CompiledValues exact = program_->values(again, {}, {.tolerance = every_digit, .budget = options_.budget});
    for (std::size_t d = 0; d < doubtful.size(); ++d)
      for (std::size_t o = 0; o <= parameters_.size(); ++o)
        found.value[o * points_.size() + doubtful[d]] = exact.value[o * doubtful.size() + d];
  }

  const SignalFlowGraph& graph_;
  const Question& question_;
  std::span<const double> rad_per_s_;
  const TransferOptions& options_;
  std::vector<const StudyParameter*> parameters_;
  std::vector<Nominal> nominal_;
  std::vector<std::complex<double>> points_;
  std::optional<CompiledResponse> program_;
};

}  // namespace

std::vector<SensitivityValue> sensitivity_values(const StudiedGraph& studied, const Question& question,
                                                 std::span<const double> rad_per_s, const TransferOptions& options) {
  return Frequencies(studied, question, rad_per_s, options).values();
}

std::vector<SensitivityValue> sensitivity_values(const SignalFlowGraph& graph, const Question& question,
                                                 std::span<const double> rad_per_s, const TransferOptions& options) {
  return sensitivity_values(studied(graph), question, rad_per_s, options);
}

}  // namespace sfg
