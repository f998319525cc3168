#include "sfg/transfer/exact_transfer.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include "sfg/ddd/determinant_diagram.hpp"
#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/exact/polynomial_determinant.hpp"
#include "sfg/expr/exact_constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/transfer/unrounded_transfer.hpp"

namespace sfg {

using exact::ExactNumber;
using exact::ExactPolynomial;
using exact::RationalPolynomial;

bool QuasiPolynomial::rational() const { return parts.empty() || (parts.size() == 1 && parts.front().delay.sign() == 0); }

RationalPolynomial QuasiPolynomial::polynomial() const {
  if (!rational()) throw std::logic_error("QuasiPolynomial::polynomial: there is dead time");
  return parts.empty() ? RationalPolynomial() : parts.front().polynomial;
}

namespace {

/// What one variable of a polynomial means once every parameter is a number.
struct Meaning {
  enum class Kind { operator_, constant, delay } kind = Kind::constant;
  ExactNumber value;   ///< of a constant; τ of e^(−τs)
  ExactNumber factor;  ///< e^b of e^(−τs + b)
};

struct Ascending {
  bool operator()(const ExactNumber& a, const ExactNumber& b) const { return (a - b).sign() < 0; }
};
using ByDelay = std::map<ExactNumber, ExactPolynomial, Ascending>;

class Reading {
 public:
  Reading(const PolynomialSpace& space, const GiNaC::ex& variable, const GiNaC::exmap& values, const SymbolTable& symbols,
          const exact::ExactField& field = {})
      : space_(space), variable_(variable), values_(values), field_(field) {
    for (std::size_t i = 0; i < space.size(); ++i) meanings_.push_back(meaning(space.generator(i), variable, values));
    if (!missing_.empty()) throw missing_values(missing_, symbols);
  }

  ByDelay operator()(const ring::Polynomial& polynomial) const {
    std::map<ExactNumber, std::map<std::uint64_t, ExactNumber>, Ascending> sums;
    for (const ring::Polynomial::Term& term : polynomial.terms()) {
      ExactNumber coefficient(term.coefficient), delay;
      std::uint64_t power = 0;
      for (const auto& [index, exponent] : term.powers) apply(meanings_[index], exponent, coefficient, delay, power);
      ExactNumber& sum = sums[delay][power];
      sum = sum + coefficient;
    }
    ByDelay result;
    for (const auto& [delay, by_power] : sums) {
      std::vector<ExactNumber> coefficients(by_power.rbegin()->first + 1);
      for (const auto& [power, value] : by_power) {
        require_decided(value, power, polynomial);
        coefficients[coefficients.size() - 1 - power] = value;
      }
      if (ExactPolynomial p(std::move(coefficients)); !p.is_zero()) result.emplace(delay, std::move(p));
    }
    return result;
  }

 private:
  /// The degree is decided by it, so it is named where it cannot be told from 0.
  void require_decided(const ExactNumber& coefficient, std::uint64_t power, const ring::Polynomial& polynomial) const {
    try {
      (void)coefficient.is_zero();
    } catch (const exact::Undecided& why) {
      const GiNaC::ex whole = space_.expression(polynomial).subs(values_, GiNaC::subs_options::no_pattern).expand();
      throw undecided("the coefficient of " + print(variable_) + "^" + std::to_string(power),
                      whole.coeff(variable_, static_cast<int>(power)), why);
    }
  }

  Meaning meaning(const GiNaC::ex& generator, const GiNaC::ex& variable, const GiNaC::exmap& values) {
    if (generator.is_equal(variable)) return {Meaning::Kind::operator_, {}, {}};
    const GiNaC::ex numbered = generator.subs(values, GiNaC::subs_options::no_pattern);
    for (const std::string& name : symbol_names(numbered))
      if (name != GiNaC::ex_to<GiNaC::symbol>(variable).get_name()) missing_.insert(name);
    if (!missing_.empty()) return {};
    if (!numbered.has(variable)) {
      if (auto value = exact_number(numbered, field_)) return {Meaning::Kind::constant, *value, {}};
      throw NoAnswer("value '" + print(numbered) + "' is not a real number");
    }
    if (GiNaC::is_the_function<GiNaC::exp_SERIAL>(numbered)) {
      const GiNaC::ex exponent = numbered.op(0).expand();
      const auto slope = exact_number(-exponent.coeff(variable, 1), field_),
                 offset = exact_number(GiNaC::exp(exponent.coeff(variable, 0)), field_);
      if (slope && offset && exponent.degree(variable) == 1 && exponent.ldegree(variable) >= 0)
        return {Meaning::Kind::delay, *slope, *offset};
    }
    throw NoAnswer("expression '" + print(numbered) + "' is neither rational in " + print(variable) + " nor a dead time exp(-" +
                   print(variable) + "*T)");
  }

  static void apply(const Meaning& meaning, std::uint64_t exponent, ExactNumber& coefficient, ExactNumber& delay,
                    std::uint64_t& power) {
    switch (meaning.kind) {
      case Meaning::Kind::operator_: power += exponent; break;
      case Meaning::Kind::constant:
        for (std::uint64_t i = 0; i < exponent; ++i) coefficient = coefficient * meaning.value;
        break;
      case Meaning::Kind::delay:
        delay = delay + ExactNumber(exponent) * meaning.value;
        for (std::uint64_t i = 0; i < exponent; ++i) coefficient = coefficient * meaning.factor;
        break;
    }
  }

  const PolynomialSpace& space_;
  const GiNaC::ex& variable_;
  const GiNaC::exmap& values_;
  exact::ExactField field_;
  std::vector<Meaning> meanings_;
  std::set<std::string> missing_;
};

QuasiPolynomial quasi(const ByDelay& by_delay, const ExactNumber& earlier, exact::Boundary boundary) {
  QuasiPolynomial result;
  for (const auto& [delay, polynomial] : by_delay)
    result.parts.push_back({(delay - earlier).rounded(), rounded(polynomial, boundary)});
  return result;
}

/// Numbers may cancel where symbols did not. Irrational ones are made so that the denominator is monic: their quotients are
/// often simpler than they are.
/// @returns what was cancelled, monic
ExactPolynomial cancel(ExactPolynomial& n, ExactPolynomial& d) {
  const auto above = n.rational(), below = d.rational();
  if (above && below) {
    const RationalPolynomial common = gcd(*above, *below);
    if (common.degree() < 1) return ExactPolynomial({ExactNumber(1)});
    n = ExactPolynomial(divided(*above, common).first);
    d = ExactPolynomial(divided(*below, common).first);
    return ExactPolynomial(common);
  }
  ExactPolynomial common = gcd(n, d);
  const ExactPolynomial divisor = common * ExactPolynomial({d.leading()});
  n = divided(n, divisor).first;
  d = divided(d, divisor).first;
  return common;
}

struct Sides {
  ByDelay numerator, denominator;
  ExactNumber earliest;  ///< dead time of the denominator: dividing by e^(−τs) leaves a part without one below
  ByDelay common;        ///< that was cancelled
};

ByDelay multiplied(const ByDelay& a, const ByDelay& b) {
  ByDelay result;
  for (const auto& [delay, p] : a)
    for (const auto& [other, q] : b) {
      const ExactPolynomial product = p * q;
      const auto [sum, fresh] = result.try_emplace(delay + other, product);
      if (!fresh) sum->second = sum->second + product;
    }
  std::erase_if(result, [](const auto& part) { return part.second.is_zero(); });
  return result;
}

Sides lowest_terms(const TransferFunction& transfer, const Reading& reading) {
  const ByDelay one{{ExactNumber(), ExactPolynomial({ExactNumber(1)})}};
  Sides sides{reading(transfer.value.numerator()), reading(transfer.value.denominator()), {}, one};
  if (sides.denominator.empty()) throw NoAnswer("the determinant vanishes for these parameter values");
  sides.earliest = sides.denominator.begin()->first;
  if (!sides.numerator.empty() && Ascending{}(sides.numerator.begin()->first, sides.earliest))
    throw NoAnswer("the transfer function looks ahead in time: its dead time is negative");
  if (sides.numerator.empty()) sides.common = std::exchange(sides.denominator, one);  // 0 in lowest terms: all of it cancels
  if (sides.denominator.size() == 1 && sides.numerator.size() == 1)
    sides.common = {{ExactNumber(), cancel(sides.numerator.begin()->second, sides.denominator.begin()->second)}};
  return sides;
}

}  // namespace

ExactTransfer exact_transfer(const TransferFunction& transfer, const SignalFlowGraph& graph) {
  const GiNaC::exmap values = graph.parameter_values();
  const GiNaC::ex variable = graph.op.in(graph.symbols);
  const Reading reading(transfer.value.space(), variable, values, graph.symbols);
  const Sides sides = lowest_terms(transfer, reading);
  ExactTransfer result;
  result.input = graph[transfer.question.input].name;
  result.output = graph[transfer.question.output].name;
  result.op = graph.op;
  const exact::Boundary boundary = graph.op.boundary();
  result.numerator = quasi(sides.numerator, sides.earliest, boundary);
  result.denominator = quasi(sides.denominator, sides.earliest, boundary);
  const ByDelay hidden = multiplied(reading(transfer.cancelled), sides.common);  // of a loop with dead time: several parts
  result.cancelled = hidden.size() == 1 ? rounded(hidden.begin()->second, boundary) : RationalPolynomial();
  return result;
}

std::vector<UnroundedTransfer> unrounded_transfers(const SignalFlowGraph& graph, std::span<const Question> questions,
                                                   const TransferOptions& options) {
  const SignalFlowGraph numbered = graph.substituted(graph.parameter_values());
  const GiNaC::ex variable = numbered.op.in(numbered.symbols);
  const GiNaC::exmap values = numbered.parameter_values();
  const exact::ExactField field;
  std::vector<UnroundedTransfer> result;
  for (const TransferFunction& transfer : transfer_functions(numbered, questions, options)) {
    const Reading reading(transfer.value.space(), variable, values, numbered.symbols, field);
    Sides sides = lowest_terms(transfer, reading);
    if (sides.numerator.size() > 1 || sides.denominator.size() > 1)
      throw NoAnswer("dead times are in a sum: the transfer function has infinitely many poles or zeros", Advice::pade);
    UnroundedTransfer& entry = result.emplace_back();
    entry.denominator = std::move(sides.denominator.begin()->second);
    if (sides.numerator.empty()) continue;
    entry.delay = sides.numerator.begin()->first - sides.earliest;
    entry.numerator = std::move(sides.numerator.begin()->second);
  }
  return result;
}

std::vector<ExactTransfer> exact_transfers(const SignalFlowGraph& graph, std::span<const Question> questions,
                                           const TransferOptions& options) {
  const SignalFlowGraph numbered = graph.substituted(graph.parameter_values());
  std::vector<ExactTransfer> result;
  for (const TransferFunction& transfer : transfer_functions(numbered, questions, options))
    result.push_back(exact_transfer(transfer, numbered));
  return result;
}

ExactTransfer pade(const ExactTransfer& transfer, std::size_t order) {
  if (transfer.rational()) return transfer;
  // e^(−x) ≈ P(−x)/P(x), P(x) = Σ c_k x^k, c_0 = 1, c_(k+1) = c_k (n−k) / ((2n−k)(k+1))
  std::vector<exact::Rational> P{1};
  for (std::size_t k = 0; k < order; ++k) P.insert(P.begin(), (P.front() * (order - k)) / ((2 * order - k) * (k + 1)));
  const RationalPolynomial series(P);
  std::set<exact::Rational> delays;
  for (const QuasiPolynomial* side : {&transfer.numerator, &transfer.denominator})
    for (const auto& part : side->parts)
      if (part.delay.sign() != 0) delays.insert(part.delay);
  const auto replaced = [&](const QuasiPolynomial& side) {  // over the common denominator Π P(τ s)
    RationalPolynomial sum;
    for (const auto& part : side.parts) {
      RationalPolynomial product = part.polynomial;
      for (const exact::Rational& delay : delays) product *= series.scaled(part.delay == delay ? -delay : delay);
      sum += product;
    }
    return sum;
  };
  RationalPolynomial n = replaced(transfer.numerator), d = replaced(transfer.denominator);
  if (const RationalPolynomial common = gcd(n, d); common.degree() > 0) {
    n = divided(n, common).first;
    d = divided(d, common).first;
  }
  ExactTransfer result = transfer;
  result.numerator.parts.clear();
  if (!n.is_zero()) result.numerator.parts.push_back({0, n});
  result.denominator.parts = {{0, d}};
  return result;
}

namespace {

using Scaled = RationalPolynomial::Scaled;

std::complex<double> shifted(std::complex<double> z, long exponent) {
  const int shift = static_cast<int>(std::clamp(exponent, -4000L, 4000L));
  return {std::ldexp(z.real(), shift), std::ldexp(z.imag(), shift)};
}

/// One side of the quotient, ready for many points. Values of high degree leave the range of a double, hence the exponents.
class FractionSide {
 public:
  explicit FractionSide(const QuasiPolynomial& side) {
    for (const auto& part : side.parts) parts_.emplace_back(part.delay.to_double(), part.polynomial);
  }
  Scaled at(std::complex<double> s) const {
    Scaled sum;
    for (const auto& [delay, polynomial] : parts_) {
      Scaled term = polynomial.scaled_at(s);
      if (delay != 0) term.mantissa *= std::exp(-delay * s);
      if (term.mantissa == 0.0) continue;
      if (sum.mantissa == 0.0) {
        sum = term;
        continue;
      }
      const long exponent = std::max(sum.exponent, term.exponent);
      sum = {shifted(sum.mantissa, sum.exponent - exponent) + shifted(term.mantissa, term.exponent - exponent), exponent};
    }
    return sum;
  }

 private:
  std::vector<std::pair<double, RationalPolynomial>> parts_;
};

}  // namespace

std::vector<std::complex<double>> values_at(const ExactTransfer& transfer, std::span<const std::complex<double>> points) {
  const FractionSide numerator(transfer.numerator), denominator(transfer.denominator);
  std::vector<std::complex<double>> values;
  values.reserve(points.size());
  for (const std::complex<double> s : points) {
    const Scaled above = numerator.at(s), below = denominator.at(s);
    values.push_back(below.mantissa == 0.0 ? std::complex<double>(std::numeric_limits<double>::infinity(), 0.0)
                                           : shifted(above.mantissa / below.mantissa, above.exponent - below.exponent));
  }
  return values;
}

std::complex<double> value_at(const ExactTransfer& transfer, std::complex<double> s) {
  return values_at(transfer, std::span(&s, 1)).front();
}

namespace {

struct RationalPolynomialRing {
  using Value = RationalPolynomial;
  Value zero() const { return Value(); }
  Value one() const { return Value::constant(1); }
  Value add(const Value& a, const Value& b) const { return a + b; }
  Value multiply(const Value& a, const Value& b) const { return a * b; }
  Value negate(const Value& a) const { return -a; }
};

ExactPolynomial numbered(const GiNaC::ex& polynomial, const GiNaC::ex& variable, const SymbolTable& symbols,
                         const exact::ExactField& field) {
  const auto coefficients = polynomial_coefficients(polynomial, variable);
  if (!coefficients) throw NoAnswer("expression '" + print(polynomial) + "' is not a polynomial in " + print(variable));
  std::vector<ExactNumber> numbers;
  for (const GiNaC::ex& coefficient : *coefficients) {
    const auto number = exact_number(coefficient, field);
    if (!number) throw missing_values(coefficient, symbols);
    numbers.push_back(*number);
  }
  return ExactPolynomial(std::move(numbers));
}

/// A row times the least common multiple of its denominators.
std::map<std::size_t, ExactPolynomial> cleared(const std::map<std::size_t, GiNaC::ex>& row, const GiNaC::ex& variable,
                                               const GiNaC::exmap& values, const SymbolTable& symbols,
                                               const exact::ExactField& field) {
  std::map<std::size_t, std::pair<ExactPolynomial, ExactPolynomial>> fractions;
  ExactPolynomial common({ExactNumber(1)});
  for (const auto& [column, entry] : row) {
    const auto [n, d] = fraction(entry.subs(values, GiNaC::subs_options::no_pattern), variable);
    ExactPolynomial below = numbered(d, variable, symbols, field);
    common = divided(common * below, gcd(common, below)).first;
    fractions.emplace(column, std::pair(numbered(n, variable, symbols, field), std::move(below)));
  }
  std::map<std::size_t, ExactPolynomial> result;
  for (auto& [column, f] : fractions)
    if (!f.first.is_zero()) result.emplace(column, f.first * divided(common, f.second).first);
  return result;
}

/// By the diagram of its products, as sparse as it is; of dense equations by values, where all numbers are rational.
RationalPolynomial determinant_of(std::size_t size, const std::vector<ddd::Entry>& places,
                                  const std::vector<ExactPolynomial>& entries, exact::Boundary boundary, const Budget& budget) {
  constexpr std::uint64_t few = 20'000;  // states
  std::vector<RationalPolynomial> rational;
  for (const ExactPolynomial& entry : entries) {
    auto value = entry.rational();
    if (!value) break;
    rational.push_back(std::move(*value));
  }
  const bool all = rational.size() == entries.size();
  ddd::BuildOptions options;
  options.checkpoint = [&](std::uint64_t) { budget.check("the characteristic polynomial"); };
  if (all) options.max_states = few;
  try {
    const ddd::DeterminantDiagram diagram(ddd::Pattern(size, places), options);
    if (all) return ddd::evaluate(diagram, RationalPolynomialRing{}, rational);
    return rounded(ddd::evaluate(diagram, exact::ExactPolynomialRing{}, entries), boundary);
  } catch (const ddd::TooLarge& large) {
    if (!all)
      throw LimitReached(std::string(large.what()) + ": the equations are dense, and not all their numbers are rational",
                         "state decimals");
  }
  std::vector<exact::PolynomialEntry> matrix;
  for (std::size_t i = 0; i < places.size(); ++i) matrix.push_back({places[i].row, places[i].column, std::move(rational[i])});
  return exact::determinant(size, matrix, [&] { budget.check("the characteristic polynomial"); });
}

/// `take(row, column, entry)` for every entry of D(p) with numbers.
template <class Take>
void for_entries(const EquationSystem& system, const exact::ExactField& field, const Budget& budget, Take take) {
  refuse_laws(system, ", and the equations have no poles");
  const GiNaC::ex variable = system.op.in(system.symbols);
  GiNaC::exmap values = system.symbols.values();
  values.erase(variable);
  for (std::size_t row = 0; row < system.equations.size(); ++row) {
    budget.check("the characteristic polynomial");
    for (auto& [column, entry] : cleared(system.equations[row].left, variable, values, system.symbols, field))
      take(row, column, std::move(entry));
  }
}

}  // namespace

std::vector<std::map<std::size_t, RationalPolynomial>> operator_rows(const EquationSystem& system, const Budget& budget) {
  std::vector<std::map<std::size_t, RationalPolynomial>> rows(system.equations.size());
  const exact::ExactField field;
  for_entries(system, field, budget, [&](std::size_t row, std::size_t column, const ExactPolynomial& entry) {
    rows[row].emplace(column, rounded(entry, system.op.boundary()));
  });
  return rows;
}

std::vector<exact::Rational> characteristic_coefficients(const EquationSystem& system, const Budget& budget) {
  std::vector<ddd::Entry> places;
  std::vector<ExactPolynomial> entries;  // rows ascending, columns ascending: the numbering of the pattern
  const exact::ExactField field;
  for_entries(system, field, budget, [&](std::size_t row, std::size_t column, ExactPolynomial entry) {
    places.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)});
    entries.push_back(std::move(entry));
  });
  const RationalPolynomial determinant = determinant_of(system.unknowns.size(), places, entries, system.op.boundary(), budget);
  if (determinant.is_zero())
    throw NoAnswer("the determinant of the equations vanishes: they are dependent for these parameter values", Advice::derive);
  return determinant.coefficients();
}

}  // namespace sfg
