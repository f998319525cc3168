#include "sfg/study/coefficient_program.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

using numeric::TapeBuilder;
using Value = TapeBuilder::Value;

/// A product without its power of the operator: a coefficient and powers of the space's other variables.
struct Product {
  exact::Rational coefficient;
  std::vector<std::pair<std::size_t, std::uint64_t>> powers;
};

/// The coefficients of one polynomial, and the dead time that all of it has.
struct Coefficients {
  std::map<std::uint64_t, std::vector<Product>> by_power;
  GiNaC::ex delay = 0;
};

class Reader {
 public:
  Reader(const PolynomialSpace& space, const GiNaC::ex& s) : space_(space), s_(s) {}

  Coefficients operator()(const ring::Polynomial& polynomial) const {
    Coefficients result;
    bool first = true;
    for (const ring::Polynomial::Term& term : polynomial.terms()) {
      Product product{term.coefficient, {}};
      std::uint64_t power = 0;
      GiNaC::ex delay = 0;
      for (const auto& [index, exponent] : term.powers) {
        const GiNaC::ex& generator = space_.generator(index);
        if (generator.is_equal(s_))
          power = exponent;
        else if (generator.has(s_))
          delay += static_cast<unsigned long>(exponent) * delay_of(generator);
        else
          product.powers.emplace_back(index, exponent);
      }
      if (!first && !(delay - result.delay).expand().is_zero())
        throw NoAnswer("several dead times, or one inside a loop, make no fraction of polynomials", Advice::pade);
      result.delay = delay, first = false;
      result.by_power[power].push_back(std::move(product));
    }
    return result;
  }

 private:
  GiNaC::ex delay_of(const GiNaC::ex& kernel) const {
    if (GiNaC::is_the_function<GiNaC::exp_SERIAL>(kernel)) {
      const GiNaC::ex exponent = kernel.op(0).expand();
      if (exponent.degree(s_) == 1 && exponent.ldegree(s_) == 1) return -exponent.coeff(s_, 1);
    }
    throw NoAnswer("expression '" + print(kernel) + "' is neither rational in " + print(s_) + " nor a dead time");
  }

  const PolynomialSpace& space_;
  const GiNaC::ex& s_;
};

/// Sums of products by Horner's rule in many letters: what occurs most is taken out.
class Horner {
 public:
  Horner(TapeBuilder& builder, ExpressionCompiler& compiler, const PolynomialSpace& space, const exact::Rational& unit)
      : builder_(builder), compiler_(compiler), space_(space), unit_(unit) {}

  Value operator()(std::vector<Product> sum) {
    std::map<std::size_t, std::size_t> uses;
    for (const Product& product : sum)
      for (const auto& [index, exponent] : product.powers) ++uses[index];
    const auto most = std::ranges::max_element(uses, {}, [](const auto& entry) { return entry.second; });
    if (uses.empty()) return constant(sum);
    const std::size_t letter = most->first;
    std::vector<Product> with, without;
    std::uint64_t common = UINT64_MAX;
    for (Product& product : sum) {
      const auto at = std::ranges::find(product.powers, letter, [](const auto& entry) { return entry.first; });
      if (at == product.powers.end()) {
        without.push_back(std::move(product));
      } else {
        common = std::min(common, at->second);
        with.push_back(std::move(product));
      }
    }
    for (Product& product : with)
      std::erase_if(product.powers, [&](auto& entry) { return entry.first == letter && (entry.second -= common) == 0; });
    const Value factor = builder_.power(compiler_(space_.generator(letter)), static_cast<std::int32_t>(common));
    const Value taken = builder_.multiply(factor, (*this)(std::move(with)));
    return without.empty() ? taken : builder_.add(taken, (*this)(std::move(without)));
  }

 private:
  Value constant(const std::vector<Product>& sum) {
    exact::Rational total = 0;
    for (const Product& product : sum) total += product.coefficient;
    return builder_.constant((total / unit_).to_double());
  }

  TapeBuilder& builder_;
  ExpressionCompiler& compiler_;
  const PolynomialSpace& space_;
  const exact::Rational& unit_;
};

/// The greatest number in a polynomial: divided by it, both sides stay in the range of a double.
exact::Rational greatest(const ring::Polynomial& polynomial) {
  exact::Rational found = 0;
  for (const ring::Polynomial::Term& term : polynomial.terms()) found = std::max(found, term.coefficient.abs());
  return found.sign() == 0 ? exact::Rational(1) : found;
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
  const Reader read(T.space(), s);
  const Coefficients above = read(T.numerator()), below = read(T.denominator());
  const exact::Rational unit = greatest(T.denominator());

  TapeBuilder builder;
  for (const std::string& name : parameters) builder.input(name);
  ExpressionCompiler compiler(builder);
  Horner horner(builder, compiler, T.space(), unit);
  std::vector<Value> outputs;
  const auto add = [&](const Coefficients& polynomial) {
    const std::size_t size = polynomial.by_power.empty() ? 0 : polynomial.by_power.rbegin()->first + 1;
    for (std::size_t power = 0; power < size; ++power) {
      const auto known = polynomial.by_power.find(power);
      outputs.push_back(known == polynomial.by_power.end() ? builder.constant(0) : horner(known->second));
    }
    return size;
  };
  numerator_size_ = add(above);
  denominator_size_ = add(below);
  const GiNaC::ex delay = (above.delay - below.delay).expand();
  delayed_ = !delay.is_zero();
  if (delayed_) outputs.push_back(compiler(delay));
  tape_ = builder.tape(outputs);
  if (tape_.inputs().size() == parameters.size()) return;
  const auto missing = tape_.inputs().subspan(parameters.size());
  throw missing_values({missing.begin(), missing.end()}, graph.symbols);
}

}  // namespace sfg
