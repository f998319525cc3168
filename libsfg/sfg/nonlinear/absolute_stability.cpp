#include "sfg/nonlinear/absolute_stability.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;
using ring::Bounds;
using Verdict = AbsoluteStability::Verdict;

/// Re P(jω) as a polynomial of x = ω².
RationalPolynomial real_part(const RationalPolynomial& p) { return p.even_part().scaled(Rational(-1)); }
RationalPolynomial mirrored(const RationalPolynomial& p) { return p.scaled(Rational(-1)); }
RationalPolynomial times(const Rational& factor, const RationalPolynomial& p) { return RationalPolynomial::constant(factor) * p; }

bool positive_for_all_frequencies(const RationalPolynomial& p) {
  if (p.is_zero() || p.coefficient(0).sign() <= 0 || p.leading().sign() < 0) return false;
  return std::ranges::none_of(exact::real_roots(p), [](const exact::RealRoot& root) { return root.number.sign() >= 0; });
}

bool hurwitz(const RationalPolynomial& p) {
  const auto counts = p.root_counts();
  return !p.is_zero() && counts.right == 0 && counts.axis == 0;
}

/// The criteria for one linear part; sectors [α, β] with β that may be infinite.
class Criteria {
 public:
  Criteria(RationalPolynomial N, RationalPolynomial D) : N_(std::move(N)), D_(std::move(D)) {}

  bool linear(const Sector& sector) const {
    if (!sector.high) return false;  // decided at `largest`
    if (!hurwitz(with(sector.low)) || !hurwitz(with(*sector.high))) return false;
    // Between them no root crosses: N/D is real and −1/k somewhere on the axis.
    const RationalPolynomial crossing = imaginary_part(N_ * mirrored(D_));
    for (const exact::RealRoot& root : exact::real_roots(crossing)) {
      if (root.number.sign() < 0) continue;
      const double n = real_part(N_ * mirrored(D_)).at(root.number).to_double(), d = norm(D_).at(root.number).to_double();
      const double k = d == 0 || n == 0 ? INFINITY : -d / n;
      if (k >= sector.low.to_double() && k <= sector.high->to_double()) return false;
    }
    return true;
  }

  bool circle(const Sector& sector) const {
    const RationalPolynomial low = with(sector.low), high = sector.high ? with(*sector.high) : N_;
    return hurwitz(low) && positive_for_all_frequencies(real_part(high * mirrored(low)));
  }

  /// A factor q with which Popov's criterion holds. Cutting planes: points where a try fails bound the next one.
  std::optional<Rational> popov(const Sector& sector) const {
    const RationalPolynomial D = with(sector.low);
    if (!hurwitz(D)) return {};
    RationalPolynomial A = real_part(N_ * mirrored(D));
    if (sector.high) A += times(Rational(1) / (*sector.high - sector.low), norm(D));
    const RationalPolynomial B = real_part(N_.shifted_up(1) * mirrored(D));
    double low = -INFINITY, high = INFINITY;
    const auto cut = [&](double x) {
      const double a = A.at(std::complex<double>(x)).real(), b = B.at(std::complex<double>(x)).real();
      if (b > 0) low = std::max(low, -a / b);
      if (b < 0) high = std::min(high, -a / b);
      if (b == 0 && a < 0) low = INFINITY;
    };
    for (double x = 1e-8; x < 1e16; x *= 1.15) cut(x);
    for (int tries = 0; tries < 60 && low < high; ++tries) {
      const Rational q = between(low, high);
      const RationalPolynomial whole = A + times(q, B);
      if (positive_for_all_frequencies(whole)) return q;
      std::vector<exact::RealRoot> roots = exact::real_roots(whole);
      std::erase_if(roots, [](const exact::RealRoot& root) { return root.number.sign() < 0; });
      const double before = high - low;
      for (std::size_t i = 0; i < roots.size(); ++i) {
        const double here = roots[i].value, next = i + 1 < roots.size() ? roots[i + 1].value : 2 * here + 1;
        for (const double part : {0.0, 0.25, 0.5, 0.75}) cut(here + part * (next - here));
      }
      cut(0);
      if (high - low >= before) return {};
    }
    return {};
  }

  /// How far the upper end goes with the lower one kept: holds(β) is true up to there.
  template <class Holds>
  void find_largest(Verdict& verdict, const Rational& low, Holds holds) const {
    const auto at = [&](double width) { return holds(Sector{low, low + Rational::of(width)}); };
    verdict.none = !at(1e-9);
    if (verdict.none) return;
    double inside = 1e-9, outside = 1e12;
    if (at(outside)) return;  // however large
    while (outside > inside * (1 + 1e-7)) {
      const double middle = std::sqrt(inside * outside);
      (at(middle) ? inside : outside) = middle;
    }
    verdict.largest = low.to_double() + inside;
  }

 private:
  RationalPolynomial with(const Rational& k) const { return D_ + times(k, N_); }
  static RationalPolynomial norm(const RationalPolynomial& p) { return real_part(p * mirrored(p)); }
  /// Im P(jω)/ω as a polynomial of ω².
  static RationalPolynomial imaginary_part(const RationalPolynomial& p) { return p.odd_part().scaled(Rational(-1)); }

  static Rational between(double low, double high) {
    if (low < 0 && high > 0 && (low == -INFINITY || high == INFINITY)) return Rational(0);
    if (low == -INFINITY) return Rational::of(high - 1 - std::abs(high));
    if (high == INFINITY) return Rational::of(low + 1 + std::abs(low));
    return Rational::of(low + (high - low) / 2);
  }

  RationalPolynomial N_, D_;
};

/// inf and sup of f(u)/u, enclosed: pieces that decide are halved.
class SectorOfLaw {
 public:
  SectorOfLaw(const PrincipalForm& form, const GiNaC::exmap& values, const Budget& budget) : budget_(budget) {
    const std::array symbols{form.arguments.front().symbol};
    tape_ = compile(std::span(&form.laws.front().law, 1), symbols, values);
  }

  Bounds operator()(const Bounds& range) {
    const Bounds at_zero = enclosure(tape_, std::array{Bounds::exactly(0)}, {}).values.front();
    if (!at_zero.contains(0) || at_zero.width() > 1e-12) throw NoAnswer("the law is not 0 at 0, so that it lies in no sector");
    pieces_ = {piece(range)};
    bool one_is_done = false;
    for (int i = 0; i < 4000; ++i) {
      budget_.check("the sector of the law");
      const auto lowest = std::ranges::min_element(pieces_, {}, [](const Piece& p) { return p.ratio.low; });
      const auto highest = std::ranges::max_element(pieces_, {}, [](const Piece& p) { return p.ratio.high; });
      const auto chosen = i % 2 == 0 ? lowest : highest;
      const double cut = cut_of(chosen->range);
      if (!(chosen->range.low < cut && cut < chosen->range.high)) {
        if (lowest == highest || std::exchange(one_is_done, true)) break;
        continue;
      }
      one_is_done = false;
      const Bounds left{chosen->range.low, cut}, right{cut, chosen->range.high};
      *chosen = piece(left);
      pieces_.push_back(piece(right));
    }
    Bounds all = pieces_.front().ratio;
    for (const Piece& p : pieces_) all = ring::hull(all, p.ratio);
    return all;
  }

 private:
  struct Piece {
    Bounds range, ratio;
  };

  /// f(u)/u is a slope between 0 and u, and beside 0 a quotient.
  Piece piece(const Bounds& range) const {
    constexpr std::array<std::uint32_t, 1> by{0};
    const Enclosure from_zero = enclosure(tape_, std::array{ring::hull(range, Bounds::exactly(0))}, by);
    const Enclosure here = enclosure(tape_, std::array{range}, {});
    if (here.defined != Enclosure::Defined::everywhere) return {range, Bounds::everything()};
    const Bounds slope = from_zero.defined == Enclosure::Defined::everywhere ? from_zero.slopes.front() : Bounds::everything();
    if (range.contains(0)) return {range, slope};
    const Bounds quotient = here.values.front() / range;
    return {range, {std::max(slope.low, quotient.low), std::min(slope.high, quotient.high)}};
  }

  static double cut_of(const Bounds& range) {
    if (range.low < 0 && range.high > 0) {
      const double reach = std::max(-range.low, range.high), cut = reach > 2 ? 1 : reach / 4;
      return range.high >= -range.low ? cut : -cut;
    }
    if (range.low >= 0 && !std::isfinite(range.high)) return std::max(1.0, 10 * range.low);
    if (range.high <= 0 && !std::isfinite(range.low)) return std::min(-1.0, 10 * range.high);
    return range.low + (range.high - range.low) / 2;
  }

  const Budget& budget_;
  numeric::Tape tape_;
  std::vector<Piece> pieces_;
};

Sector found_sector(const PrincipalForm& form, const GiNaC::exmap& values, const SectorQuestion& question) {
  const Bounds range = question.range ? Bounds{question.range->first, question.range->second} : Bounds{-1e12, 1e12};
  const Bounds ratio = SectorOfLaw(form, values, question.budget)(range);
  if (!std::isfinite(ratio.low) || ratio.low < -1e9)
    throw NoAnswer("the law lies in no sector: f(u)/u has no lower bound", "state a range of its signal, or the sector");
  // Outwards to six digits, so that 0 and 1 stay what they are.
  const auto outwards = [](double x, int direction) {
    const Rational near = exact::rounded(decimal_rational(x), 6);
    const double width = std::max(std::abs(x), 1e-3) * 1e-5;
    return std::abs(near.to_double() - x) < width * 1e-3 ? near
                                                         : near + Rational(direction) * exact::rounded(Rational::of(width), 1);
  };
  const bool vanishes = ratio.low > 0 && ratio.low < 1e-6;  // far away
  Sector sector{vanishes ? Rational(0) : outwards(ratio.low, -1), {}};
  if (std::isfinite(ratio.high) && ratio.high < 1e9) sector.high = outwards(ratio.high, 1);
  if (sector.high && *sector.high <= sector.low)
    throw NoAnswer("there the law is a straight line, and no sector is asked about",
                   "ask for the poles of the linearised graph, or widen the range of the signal");
  return sector;
}

struct LinearPart {
  RationalPolynomial N, D;
};

LinearPart linear_part(const PrincipalForm& form, const Budget& budget) {
  const Question question{form.laws.front().output, form.arguments.front().node, {}, {}};
  const ExactTransfer T = exact_transfers(form.linear, std::span(&question, 1), {.budget = budget}).front();
  if (!T.rational())
    throw NoAnswer("the linear part has dead time: the criteria are decided by polynomials",
                   "replace it by a rational gain (Padé)");
  RationalPolynomial N = -T.numerator.polynomial(), D = T.denominator.polynomial();
  if (T.cancelled.degree() > 0 && !hurwitz(T.cancelled))
    throw NoAnswer("the linear part has a mode outside of the loop that does not decay: no law makes it stable");
  if (D.degree() < N.degree()) throw NoAnswer("the linear part is improper", "add the lag that is left out");
  return {std::move(N), std::move(D)};
}

}  // namespace

AbsoluteStability absolute_stability(const SignalFlowGraph& graph, const SectorQuestion& question) {
  const PrincipalForm form = principal_form(graph);
  if (form.laws.size() != 1 || form.arguments.size() != 1 || form.arguments.front().rate)
    throw NoAnswer("the criteria are of one law of one signal; here are " + std::to_string(form.laws.size()) + " laws of " +
                       std::to_string(form.arguments.size()) + " signals or rates",
                   "linearise the others", graph.where);
  if (graph.op.discrete()) throw NoAnswer("the criteria are those of continuous time", {}, graph.where);
  AbsoluteStability result;
  result.law = print(form.laws.front().stated);
  result.signal = form.arguments.front().signal;
  result.stated = question.sector.has_value();
  const bool varying = form.laws.front().law.has(form.time);
  if (varying && !question.sector) throw NoAnswer("the law changes with time: its sector must be stated");
  result.sector = question.sector ? *question.sector : found_sector(form, graph.parameter_values(), question);
  const LinearPart linear = linear_part(form, question.budget);
  result.N = linear.N;
  result.D = linear.D;
  const Criteria criteria(linear.N, linear.D);
  const auto judge = [&](auto holds) {
    Verdict verdict;
    criteria.find_largest(verdict, result.sector.low, holds);
    verdict.holds = result.sector.high ? holds(result.sector) : !verdict.none && !verdict.largest;
    return verdict;
  };
  result.linear = judge([&](const Sector& sector) { return criteria.linear(sector); });
  result.circle = judge([&](const Sector& sector) { return criteria.circle(sector); });
  if (!varying) {
    result.popov = judge([&](const Sector& sector) { return criteria.popov(sector).has_value(); });
    result.popov->q = criteria.popov(result.sector);
    if (!result.popov->q && result.circle.holds) result.popov->q = Rational(0);  // which is the circle criterion
    result.popov->holds = result.popov->q.has_value();
  }
  return result;
}

}  // namespace sfg
