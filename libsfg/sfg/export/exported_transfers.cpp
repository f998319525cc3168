#include "sfg/export/exported_transfers.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sfg/export/proper_branches.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/study/measures/delayed_coefficients.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

using numeric::TapeBuilder;

DelayedCoefficients one_delay(const TransferFunction& T, const ring::Polynomial& side, const GiNaC::ex& s) {
  std::vector<DelayedCoefficients> parts = delayed_coefficients(T.value.space(), side, s);
  if (parts.size() > 1) throw NoAnswer("several dead times, or one inside a loop, make no fraction of polynomials", Advice::pade);
  return parts.empty() ? DelayedCoefficients() : std::move(parts.front());
}

ExportedTransfer compiled_transfer(const ExportSubject& subject, const TransferFunction& T,
                                   const std::vector<ExportedParameter>& parameters) {
  const SignalFlowGraph& graph = subject.graph;
  const GiNaC::ex s = graph.op.in(graph.symbols);
  const DelayedCoefficients above = one_delay(T, T.value.numerator(), s), below = one_delay(T, T.value.denominator(), s);
  const exact::Rational unit = greatest_coefficient(T.value.denominator());
  TapeBuilder builder;
  for (const ExportedParameter& parameter : parameters) builder.input(parameter.name);
  ExpressionCompiler compiler(builder);
  CoefficientWriter write(
      builder, T.value.space(), [&](const GiNaC::ex& letter) { return compiler(letter); },
      // Whole numbers stay as they are: the formulas are read by people, too.
      [&](const exact::Rational& number) {
        const double x = number.to_double();
        return builder.constant(std::abs(unit.to_double()) < 0x1p53 ? x : (number / unit).to_double());
      });
  std::vector<TapeBuilder::Value> upper, lower;
  write.append(above, upper);
  write.append(below, lower);
  if (upper.empty()) upper.push_back(builder.constant(0));
  ExportedTransfer result{.input = graph[T.question.input].name, .output = graph[T.question.output].name, .coefficients = {}};
  result.numerator = upper.size();
  result.denominator = lower.size();
  std::ranges::reverse(upper);
  std::ranges::reverse(lower);
  upper.insert(upper.end(), lower.begin(), lower.end());
  const GiNaC::ex delay = (above.delay - below.delay).expand();
  result.delayed = !delay.is_zero();
  if (result.delayed) upper.push_back(compiler(delay));
  result.coefficients = builder.tape(upper);
  return result;
}

}  // namespace

double ExportedTransfer::pace(std::span<const double> parameters) const {
  const std::vector<double> c = coefficients.values(parameters);
  double fastest = 0;
  for (std::size_t k = 1; k < denominator; ++k)
    fastest = std::max(fastest, std::pow(std::abs(c[numerator + k] / c[numerator]), 1.0 / static_cast<double>(k)));
  return fastest > 0 && std::isfinite(fastest) ? std::ldexp(1.0, std::ilogb(fastest)) : 1;
}

std::vector<ExportedTransfer> exported_transfers(const ExportSubject& subject, const std::vector<ExportedParameter>& parameters,
                                                 const Budget& budget) {
  constexpr std::uint64_t most_terms = 20'000;
  refuse_laws(subject);
  std::vector<GiNaC::ex> kept{subject.graph.op.in(subject.graph.symbols)};
  for (const ExportedParameter& parameter : parameters) kept.push_back(parameter.symbol);
  try {
    const SignalFlowGraph numbered = subject.graph.substituted(values_keeping(subject.graph.symbols, kept));
    std::vector<ExportedTransfer> result;
    for (const TransferFunction& T : transfer_functions(numbered, subject.questions, {.budget = budget.with_terms(most_terms)}))
      result.push_back(compiled_transfer(subject, T, parameters));
    return result;
  } catch (const NoAnswer&) {
    refuse_gains(subject);  // it names the branch
    throw;
  }
}

namespace {

struct ValueWithDigits {
  std::complex<double> value;
  bool has_digits;  ///< on a pole or a zero the terms of a polynomial cancel, and rounding leaves none
};

/// @param c  what the program of the coefficients gives
ValueWithDigits value_of(const ExportedTransfer& T, const std::vector<double>& c, std::complex<double> s) {
  bool has_digits = true;
  const auto horner = [&](std::size_t from, std::size_t count) {
    constexpr double least = 1e-12;
    std::complex<double> sum = 0;
    double terms = 0;
    for (std::size_t k = from; k < from + count; ++k) {
      sum = sum * s + c[k];
      terms = terms * std::abs(s) + std::abs(c[k]);
    }
    has_digits = has_digits && std::abs(sum) > least * terms;
    return sum;
  };
  const std::complex<double> above = horner(0, T.numerator), value = above / horner(T.numerator, T.denominator);
  return {T.delayed ? value * std::exp(-c.back() * s) : value, has_digits};
}

}  // namespace

std::complex<double> value_of(const ExportedTransfer& T, std::span<const double> parameters, std::complex<double> s) {
  return value_of(T, T.coefficients.values(parameters), s).value;
}

std::string verification(const ExportSubject& subject, std::span<const ExportedTransfer> transfers,
                         const std::vector<ExportedParameter>& parameters, const Budget& budget) {
  if (subject.frequencies.empty() || transfers.empty())
    return "verified: closed forms by an independent elimination modulo primes";
  const std::vector<double> values = values_of(parameters);
  const std::vector<FrequencyResponse> responses = frequency_responses(
      subject.graph, subject.questions, {.frequency = subject.frequencies, .way = SweepOptions::Way::compiled, .budget = budget});
  double worst = 0;
  std::set<double> singular;
  for (std::size_t q = 0; q < transfers.size(); ++q) {
    const std::vector<double> coefficients = transfers[q].coefficients.values(std::span<const double>(values));
    for (std::size_t k = 0; k < subject.frequencies.size(); ++k) {
      const double w = subject.frequencies[k];
      const std::complex<double> s =
          subject.graph.op.discrete() ? std::polar(1.0, w * subject.graph.op.period().to_double()) : std::complex<double>(0, w);
      const std::complex<double> right = responses[q].value[k];
      const auto [found, has_digits] = value_of(transfers[q], coefficients, s);
      if (found == 0.0 && right == 0.0) continue;
      if (!has_digits)
        singular.insert(w);
      else if (right != 0.0)
        worst = std::max(worst, std::abs(found - right) / std::abs(right));
    }
  }
  const double bound = std::max(1e-14, std::pow(10, std::ceil(std::log10(std::max(worst, 1e-300)))));
  return fmt::format(
      "verified: at {} frequencies these coefficients give the response of the graph's own equations within {:.0e}{}",
      subject.frequencies.size() - singular.size(), bound,
      singular.empty() ? "" : fmt::format("; not compared at {}, on poles or zeros", singular.size()));
}

}  // namespace sfg
