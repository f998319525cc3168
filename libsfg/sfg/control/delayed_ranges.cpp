#include "sfg/control/delayed_ranges.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sfg/control/margins.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/transfer/characteristic.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;

ExactTransfer times_gain(ExactTransfer L, const Rational& K) {
  if (K.is_zero()) L.numerator.parts.clear();
  for (auto& part : L.numerator.parts) part.polynomial = part.polynomial * RationalPolynomial::constant(K);
  return L;
}

ClosedLoop::Verdict verdict_at(const ExactTransfer& L, const Rational& K) { return closed_loop(times_gain(L, K)).verdict; }

/// |K| at which roots are on the axis, of one sign of K, ascending.
std::vector<exact::RealRoot> limits(const ExactTransfer& L, int sign) {
  std::vector<exact::RealRoot> found;
  const RationalPolynomial &n = L.numerator.parts.front().polynomial, d = L.denominator.polynomial();
  const auto add_exactly = [&](const Rational& above, const Rational& below) {
    if (above.is_zero() || below.is_zero()) return;
    const Rational K = above / below;
    found.push_back({K.abs(), K.abs().to_double(), true});
  };
  if (const Rational K = n.at(Rational(0)).is_zero() ? Rational(0) : -d.at(Rational(0)) / n.at(Rational(0)); K.sign() == sign)
    add_exactly(K, 1);
  if (n.degree() == d.degree()) add_exactly(d.leading(), n.leading());
  for (const Margins::PhaseCrossover& crossing : margins(times_gain(L, sign)).phase_crossovers) {
    if (crossing.frequency == 0) continue;
    const double K = std::pow(10.0, crossing.gain_margin_db / 20);
    if (!std::isfinite(K) || K <= 0) continue;
    const double shown = std::stod(exact::decimal(Rational::of(K), 10));  // to the digits that are confirmed
    found.push_back({decimal_rational(shown), shown, false});
  }
  std::ranges::sort(found, {}, &exact::RealRoot::value);
  constexpr double same = 1e-12;
  const auto again = [&](const exact::RealRoot& a, const exact::RealRoot& b) { return b.value - a.value <= same * b.value; };
  found.erase(std::unique(found.begin(), found.end(), again), found.end());
  return found;
}

/// The limit is between two numbers that the count of roots tells apart.
void confirm(const ExactTransfer& L, const exact::RealRoot& limit, int sign, ClosedLoop::Verdict below,
             ClosedLoop::Verdict above) {
  if (limit.exact) return;
  constexpr double apart = 1e-9;
  const auto beside = [&](double factor) { return verdict_at(L, Rational(sign) * Rational::of(limit.value * factor)); };
  if (beside(1 - apart) != below || beside(1 + apart) != above)
    throw NoAnswer("the limit " + std::to_string(sign * limit.value) + " is too near to another one to be told from it",
                   "ask for margins at one value after the other");
}

struct Part {
  std::optional<exact::RealRoot> low, high;  ///< of |K|; low: none for 0
};

std::vector<Part> stable_parts(const ExactTransfer& L, int sign, const Budget& budget) {
  const std::vector<exact::RealRoot> ends = limits(L, sign);
  std::vector<ClosedLoop::Verdict> verdicts;
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    budget.check("the ranges of stability");
    const double from = i == 0 ? 0 : ends[i - 1].value, to = i == ends.size() ? 2 * from + 1 : ends[i].value;
    verdicts.push_back(verdict_at(L, Rational(sign) * Rational::of((from + to) / 2)));
    if (verdicts.back() == ClosedLoop::Verdict::unknown || verdicts.back() == ClosedLoop::Verdict::on_the_edge)
      throw NoAnswer("the roots could not be counted between two limits of the parameter", "ask for margins at one value");
  }
  std::vector<Part> parts;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] != ClosedLoop::Verdict::stable) continue;
    Part part;
    if (i > 0) part.low = ends[i - 1], confirm(L, ends[i - 1], sign, verdicts[i - 1], verdicts[i]);
    if (i < ends.size()) part.high = ends[i], confirm(L, ends[i], sign, verdicts[i], verdicts[i + 1]);
    parts.push_back(part);
  }
  return parts;
}

exact::RealRoot negative(const exact::RealRoot& root) { return {-root.number, -root.value, root.exact}; }

}  // namespace

std::vector<OpenRange> delayed_stable_ranges(const ExactTransfer& L, const Budget& budget) {
  if (L.numerator.parts.size() != 1 || !L.denominator.rational())
    throw NoAnswer("the parameter is no factor of all that has the dead time, or there are several dead times", Advice::pade);
  const exact::RealRoot zero{0, 0, true};
  std::vector<OpenRange> ranges;
  const std::vector<Part> below = stable_parts(L, -1, budget), above = stable_parts(L, 1, budget);
  for (auto part = below.rbegin(); part != below.rend(); ++part)
    ranges.push_back({part->high ? std::optional(negative(*part->high)) : std::nullopt, part->low ? negative(*part->low) : zero});
  const bool through = verdict_at(L, 0) == ClosedLoop::Verdict::stable && !ranges.empty() && !below.front().low &&
                       !above.empty() && !above.front().low;
  for (const Part& part : above) {
    if (through && !part.low)
      ranges.back().high = part.high;
    else
      ranges.push_back({part.low.value_or(zero), part.high});
  }
  return ranges;
}

std::vector<OpenRange> delayed_stable_ranges(const GiNaC::ex& characteristic, const GiNaC::ex& parameter, const Operator& op,
                                             const SymbolTable& symbols, const Budget& budget) {
  const GiNaC::ex whole = characteristic.expand(), s = op.in(symbols);
  const GiNaC::ex without = whole.coeff(parameter, 0), with = whole.coeff(parameter, 1);
  if (!(whole - without - parameter * with).expand().is_zero() || without.has(parameter) || with.is_zero() || without.is_zero())
    throw NoAnswer(
        "with dead time the ranges are known of a parameter that is a factor of the loop, and " + print(parameter) + " is none",
        Advice::pade);
  SignalFlowGraph graph;
  graph.op = op;
  graph.symbols = symbols;
  const Question question{graph.node("K"), graph.node("L")};
  const GiNaC::ex ratio = with / without;
  const PolynomialSpace space(std::array<GiNaC::ex, 2>{ratio, s}, s);
  const ring::Polynomial one = ring::Polynomial::constant(space.context(), 1);
  ExactTransfer L = exact_transfer(TransferFunction{question, space.rational(ratio), one, {}, {}}, graph);
  if (!L.denominator.rational()) throw NoAnswer("dead time where " + print(parameter) + " is no factor", Advice::pade);
  // what cancels in the ratio stays in the characteristic
  std::vector<Rational> whole_denominator;
  for (const RationalPolynomial& c : coefficients_in(without, s, parameter)) whole_denominator.push_back(c.coefficient(0));
  L.cancelled = divided(RationalPolynomial(whole_denominator), L.denominator.polynomial()).first;
  return delayed_stable_ranges(L, budget);
}

}  // namespace sfg
