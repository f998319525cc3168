#include "sfg/study/measures/coefficient_program.hpp"

#include <ginac/ginac.h>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/study/measures/delayed_coefficients.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

using numeric::TapeBuilder;

/// A side of the fraction, with the dead time that all of it has.
DelayedCoefficients side(const RationalFunction& T, const ring::Polynomial& polynomial, const GiNaC::ex& s) {
  std::vector<DelayedCoefficients> parts = delayed_coefficients(T.space(), polynomial, s);
  if (parts.size() > 1) throw NoAnswer("several dead times, or one inside a loop, make no fraction of polynomials", Advice::pade);
  return parts.empty() ? DelayedCoefficients() : std::move(parts.front());
}

}  // namespace

CoefficientProgram::CoefficientProgram(const SignalFlowGraph& graph, const Question& question,
                                       const std::vector<std::string>& parameters, const Budget& budget)
    : op_(graph.op) {
  constexpr std::uint64_t most_terms = 20'000;
  std::vector<GiNaC::ex> kept, inputs;
  const GiNaC::ex s = graph.op.in(graph.symbols);
  kept.push_back(s);
  for (const std::string& name : parameters) kept.push_back(graph.symbols.at(name).expr);
  const SignalFlowGraph numbered = graph.substituted(values_keeping(graph.symbols, kept));
  const RationalFunction T = transfer_function(numbered, question, {.budget = budget.with_terms(most_terms)}).value;
  const DelayedCoefficients above = side(T, T.numerator(), s), below = side(T, T.denominator(), s);
  const exact::Rational unit = greatest_coefficient(T.denominator());

  TapeBuilder builder;
  for (const std::string& name : parameters) builder.input(name);
  ExpressionCompiler compiler(builder);
  CoefficientWriter write(
      builder, T.space(), [&](const GiNaC::ex& letter) { return compiler(letter); },
      [&](const exact::Rational& number) { return builder.constant((number / unit).to_double()); });
  std::vector<TapeBuilder::Value> outputs;
  write.append(above, outputs);
  write.append(below, outputs);
  numerator_size_ = above.size();
  denominator_size_ = below.size();
  at_rest_ = {above.order_at_rest(op_.discrete()), below.order_at_rest(op_.discrete())};
  const GiNaC::ex delay = (above.delay - below.delay).expand();
  delayed_ = !delay.is_zero();
  if (delayed_) outputs.push_back(compiler(delay));
  tape_ = builder.tape(outputs);
  if (tape_.inputs().size() == parameters.size()) return;
  const auto missing = tape_.inputs().subspan(parameters.size());
  throw missing_values({missing.begin(), missing.end()}, graph.symbols);
}

}  // namespace sfg
