#include "sfg/transfer/standard.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using Factor = FactoredTransfer::Factor;
using GiNaC::ex;
using ring::Polynomial;

Math one() { return Math::number("1"); }
Math squared(Math base) { return Math::power(std::move(base), Math::number("2")); }
Math raised(Math base, std::uint64_t exponent) {
  return exponent == 1 ? std::move(base) : Math::power(std::move(base), Math::number(std::to_string(exponent)));
}

bool all_negative(const Polynomial& polynomial) {
  bool negative = !polynomial.is_zero();
  polynomial.visit_terms(
      [&](const exact::Rational& coefficient, std::span<const std::uint64_t>) { negative &= coefficient.sign() < 0; });
  return negative;
}

/// Whether one reads it as negative: −g, but not a − b.
bool reads_below_zero(const ex& e) {
  const PolynomialSpace space(std::span(&e, 1));
  const RationalFunction value = space.rational(e).reduced();
  return all_negative(value.numerator()) && !all_negative(value.denominator());
}

/// Builds the form of one transmittance.
class Builder {
 public:
  Builder(const FactoredTransfer& transfer, const PolynomialSpace& space, const GiNaC::exmap& values,
          const std::vector<std::string>& taken)
      : transfer_(transfer), space_(space), values_(values), taken_(taken), discrete_(transfer.at_rest == 1) {}

  StandardTransfer operator()() {
    result_.question = transfer_.question;
    result_.variable = transfer_.variable;
    result_.taken_as_positive = transfer_.taken_as_positive;
    gain_ = GiNaC::numeric(transfer_.gain.text().c_str());
    add_side(transfer_.above, result_.above, 1);
    add_side(transfer_.below, result_.below, -1);
    result_.gain = normal_form(gain_);
    add_power();
    return std::move(result_);
  }

 private:
  Math variable() const { return Math::name(transfer_.variable); }
  std::string of_side(const std::string& letter) const { return letter + (zeros_ ? "_z" : "_p"); }

  /// Factors of the same kind by the size of their roots.
  std::vector<const Factor*> ordered(const std::vector<Factor>& factors) const {
    std::vector<std::pair<double, const Factor*>> keyed;
    for (const Factor& factor : factors) keyed.emplace_back(size_of(factor), &factor);
    std::ranges::stable_sort(keyed, [](const auto& a, const auto& b) {
      return std::pair(a.second->order, a.first) < std::pair(b.second->order, b.first);
    });
    std::vector<const Factor*> result;
    for (const auto& [size, factor] : keyed) result.push_back(factor);
    return result;
  }
  double size_of(const Factor& factor) const {
    if (factor.order == 0) return 0;
    const auto c = factor.polynomial.coefficients(0);
    const auto ratio = stated(space_.expression(c.back()) / space_.expression(c.front()));
    return ratio ? std::abs(ratio->to_double()) : 0;
  }

  /// By the stated values; nothing where they do not tell, or divide by zero.
  std::optional<exact::Rational> stated(const ex& value) const {
    try {
      return rational_value(value.subs(values_, GiNaC::subs_options::no_pattern));
    } catch (const GiNaC::pole_error&) {
      return std::nullopt;
    }
  }

  void add_side(const std::vector<Factor>& factors, std::vector<Math>& list, int direction) {
    zeros_ = direction > 0;
    for (const Factor* factor : ordered(factors)) {
      if (factor->order == 0 && !transcendental(space_, factor->polynomial)) {
        take_into_gain(factor->value, direction, factor->multiplicity);
        continue;
      }
      const std::size_t before = result_.definitions.size();
      for (const Math& each : made_of(*factor, factors, direction)) list.push_back(raised(each, factor->multiplicity));
      std::vector<std::string> names;
      for (std::size_t i = before; i < result_.definitions.size(); ++i) names.push_back(result_.definitions[i].name);
      if (!names.empty()) result_.roots.push_back({std::move(names), factor->polynomial, direction > 0});
    }
  }

  void take_into_gain(const ex& value, int direction, std::uint64_t multiplicity) {
    gain_ *= GiNaC::pow(value, GiNaC::numeric(static_cast<long>(multiplicity) * direction));
  }

  /// At rest: the sum of the coefficients in z, the last one in s.
  ex at_rest(const Factor& factor) const {
    const auto c = factor.polynomial.coefficients(0);
    if (!discrete_) return space_.expression(c.back());
    ex sum = 0;
    for (const Polynomial& coefficient : c) sum += space_.expression(coefficient);
    return sum;
  }

  /// By the stated values it is 0 at rest, so that it cannot be 1 there, has one root less, which then has no corner, or no
  /// damping, so that Q is infinite.
  bool degenerates(const Factor& factor) const {
    if (factor.roots.size() == 1 && factor.roots.front().is_equal(1)) return false;
    const auto is_zero = [&](const ex& value) { return stated(value) == exact::Rational(0); };
    const auto c = factor.polynomial.coefficients(0);
    if (factor.second && factor.second->quality && is_zero(space_.expression(c[1]))) return true;
    return is_zero(at_rest(factor)) || is_zero(space_.expression(c.front()));
  }

  std::vector<Math> made_of(const Factor& factor, const std::vector<Factor>& all, int direction) {
    if (transcendental(space_, factor.polynomial) || degenerates(factor)) return {math(factor.polynomial)};
    const bool alone = std::ranges::count(all, factor.order, &Factor::order) == 1;
    if (discrete_) return discrete(factor, alone, direction);
    take_into_gain(at_rest(factor), direction, factor.multiplicity);
    if (factor.first) return {lag(corner(factor), alone)};
    if (factor.second) return {pair(factor, alone)};
    std::vector<Math> lags;
    for (const ex& root : factor.roots) lags.push_back(lag(-root, false));
    return lags.empty() ? std::vector{longer(factor, alone)} : lags;
  }

  /// b/a of a·s + b.
  ex corner(const Factor& factor) const {
    const auto c = factor.polynomial.coefficients(0);
    return normal_form(space_.expression(c[1]) / space_.expression(c[0]));
  }

  /// 1 + s/ω, or 1 − s/ω where the corner is negative.
  Math lag(const ex& corner, bool alone) {
    const auto number = stated(corner);
    const bool negative = number ? number->sign() < 0 : reads_below_zero(corner);
    const Math ratio = Math::quotient(variable(), name(of_side("omega"), alone, negative ? normal_form(-corner) : corner));
    return Math::sum({one(), negative ? Math::negative(ratio) : ratio});
  }

  /// 1 + s/(Q·ω_0) + (s/ω_0)².
  Math pair(const Factor& factor, bool alone) {
    const Math frequency = name(zeros_ ? "omega_0z" : "omega_0", alone, factor.second->frequency, factor.second->positive);
    std::vector<Math> terms{one()};
    if (factor.second->quality) {
      const Math quality = name(zeros_ ? "Q_z" : "Q", alone, *factor.second->quality, {}, true);
      terms.push_back(Math::quotient(variable(), Math::product({quality, frequency})));
    }
    terms.push_back(squared(Math::quotient(variable(), frequency)));
    return Math::sum(std::move(terms));
  }

  /// 1 + a₁s + a₂s² + …
  Math longer(const Factor& factor, bool alone) {
    auto c = factor.polynomial.coefficients(0);
    std::ranges::reverse(c);
    const std::string letter = zeros_ ? "b_" : "a_";
    const std::string which = alone ? "" : std::to_string(++count_[letter]) + "_";
    std::vector<Math> terms{one()};
    for (std::size_t k = 1; k < c.size(); ++k) {
      if (c[k].is_zero()) continue;
      const Math a = defined(letter + which + std::to_string(k), normal_form(space_.expression(c[k]) / space_.expression(c[0])));
      terms.push_back(Math::product({a, raised(variable(), k)}));
    }
    return Math::sum(std::move(terms));
  }

  /// (z − q)/(1 − q), (z² − 2r cos θ z + r²)/(1 − 2r cos θ + r²).
  std::vector<Math> discrete(const Factor& factor, bool alone, int direction) {
    if (factor.order == 1 && factor.roots.front().is_equal(1)) return {Math::sum({variable(), Math::negative(one())})};
    take_into_gain(at_rest(factor), direction, factor.multiplicity);
    const auto over_rest = [](const std::function<Math(const Math&)>& at, const Math& z) {
      return Math::quotient(at(z), at(one()));
    };
    if (factor.pair) {
      const Math radius = name(of_side("r"), alone, factor.pair->radius, factor.pair->positive);
      const Math angle = name(of_side("theta"), alone, factor.pair->angle, {}, true);
      const Math middle = Math::call("cos", {angle});
      return {over_rest(
          [&](const Math& z) {
            std::vector<Math> linear{Math::number("2"), radius, middle};
            const bool at_one = z == one();
            if (!at_one) linear.push_back(z);
            return Math::sum({at_one ? z : squared(z), Math::negative(Math::product(std::move(linear))), squared(radius)});
          },
          variable())};
    }
    if (factor.roots.empty()) return {Math::quotient(math(factor.polynomial), math(at_rest(factor)))};
    std::vector<Math> made;
    for (const ex& root : factor.roots) {
      const bool bare = GiNaC::is_a<GiNaC::symbol>(root) || GiNaC::is_exactly_a<GiNaC::numeric>(root);
      const Math q = bare ? math(root) : name(of_side("q"), alone && factor.roots.size() == 1, root);
      made.push_back(over_rest([&](const Math& z) { return Math::sum({z, Math::negative(q)}); }, variable()));
    }
    return made;
  }

  /// (ω_u/s)^n, (s/ω_u)^n; z^n is 1 at rest.
  void add_power() {
    const auto n = static_cast<std::uint64_t>(std::abs(transfer_.power));
    if (n == 0) return;
    const bool above = transfer_.power > 0;
    if (discrete_) {
      std::vector<Math>& side = above ? result_.above : result_.below;
      side.insert(side.begin(), raised(variable(), n));
      return;
    }
    const bool negative = reads_below_zero(result_.gain);
    const ex size = negative ? normal_form(-result_.gain) : result_.gain;
    const ex frequency = normal_form(above ? 1 / size : size);
    const Math unity = defined("omega_u", n == 1 ? frequency : GiNaC::pow(frequency, GiNaC::numeric(1, static_cast<long>(n))));
    result_.gain = negative ? -1 : 1;
    result_.above.insert(result_.above.begin(), raised(above ? variable() : unity, n));
    result_.below.insert(result_.below.begin(), raised(above ? unity : variable(), n));
  }

  /// @param again  the second name of a pair: it has the number of the first
  Math name(const std::string& base, bool alone, const ex& value, const std::optional<ex>& positive = {}, bool again = false) {
    std::string text = base;
    if (!alone) {
      std::size_t& number = count_[of_side("") + (discrete_                                              ? "z"
                                                  : base.starts_with("omega_0") || base.starts_with('Q') ? "2"
                                                                                                         : "1")];
      text += (base.find('_') == std::string::npos ? "_" : "") + std::to_string(again ? number : ++number);
    }
    return defined(text, value, positive);
  }

  Math defined(std::string text, const ex& value, const std::optional<ex>& positive = {}) {
    const auto known = [&] {
      return std::ranges::find(taken_, text) != taken_.end() ||
             std::ranges::find(result_.definitions, text, &StandardTransfer::Definition::name) != result_.definitions.end();
    };
    while (known()) text += "_";
    result_.definitions.push_back({text, value, positive});
    return Math::name(text);
  }

  const FactoredTransfer& transfer_;
  const PolynomialSpace& space_;
  const GiNaC::exmap& values_;
  const std::vector<std::string>& taken_;
  bool discrete_;
  bool zeros_ = false;  ///< else poles
  std::map<std::string, std::size_t> count_;
  ex gain_;
  StandardTransfer result_;
};

}  // namespace

Math StandardTransfer::expression(Math written) const {
  const bool negative = written.is_negative();
  Math size = negative ? written.parts.front() : std::move(written);
  std::vector<Math> top = above;
  const bool unity = size == one();
  if (!unity) top.insert(top.begin(), std::move(size));
  Math value = top.empty() ? one() : Math::product(std::move(top));
  if (!below.empty()) value = Math::quotient(std::move(value), Math::product(below));
  return negative ? Math::negative(std::move(value)) : value;
}

StandardTransfer standard(const FactoredTransfer& transfer, const PolynomialSpace& space, const GiNaC::exmap& values,
                          const std::vector<std::string>& taken) {
  return Builder(transfer, space, values, taken)();
}

}  // namespace sfg
