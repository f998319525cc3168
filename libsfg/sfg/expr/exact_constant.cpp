#include "sfg/expr/exact_constant.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_set>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using exact::ExactNumber;
using GiNaC::ex;

/// No real number: it has a name in it, or its value is complex or infinite.
struct NotReal {};

class Reading {
 public:
  explicit Reading(const exact::ExactField& field) : field_(field) {}

  ExactNumber operator()(const ex& e) const {
    if (GiNaC::is_a<GiNaC::numeric>(e)) return number(GiNaC::ex_to<GiNaC::numeric>(e));
    if (e.is_equal(GiNaC::Pi)) return field_.pi();
    if (GiNaC::is_a<GiNaC::add>(e)) return folded(e, [](const ExactNumber& a, const ExactNumber& b) { return a + b; });
    if (GiNaC::is_a<GiNaC::mul>(e)) return folded(e, [](const ExactNumber& a, const ExactNumber& b) { return a * b; });
    if (GiNaC::is_a<GiNaC::power>(e)) return field_.power((*this)(e.op(0)), (*this)(e.op(1)));
    if (GiNaC::is_a<GiNaC::function>(e)) return function(GiNaC::ex_to<GiNaC::function>(e));
    throw NotReal{};
  }

 private:
  static ExactNumber number(const GiNaC::numeric& value) {
    if (!value.is_rational()) throw NotReal{};
    return ExactNumber(exact_value(value));
  }

  template <class Operation>
  ExactNumber folded(const ex& e, Operation operation) const {
    ExactNumber result = (*this)(e.op(0));
    for (std::size_t i = 1; i < e.nops(); ++i) result = operation(result, (*this)(e.op(i)));
    return result;
  }

  ExactNumber function(const GiNaC::function& f) const {
    const std::string name = f.get_name();
    const ExactNumber x = (*this)(f.op(0));
    if (f.nops() == 2) return function(name, x, (*this)(f.op(1)));
    const ExactNumber one(1), half(exact::Rational(1) / 2);
    if (name == "exp") return field_.exp(x);
    if (name == "log") return field_.log(x);
    if (name == "sin") return field_.sin(x);
    if (name == "cos") return field_.cos(x);
    if (name == "tan") return field_.sin(x) / field_.cos(x);
    if (name == "asin") return field_.asin(x);
    if (name == "acos") return field_.acos(x);
    if (name == "atan") return field_.atan(x);
    if (name == "sinh") return half * (field_.exp(x) - one / field_.exp(x));
    if (name == "cosh") return half * (field_.exp(x) + one / field_.exp(x));
    if (name == "tanh") return one - (one + one) / (field_.exp(x + x) + one);
    if (name == "abs") return x.sign() < 0 ? -x : x;
    if (name == "sign") return ExactNumber(x.sign());
    if (name == "step") return ExactNumber(x.sign() < 0 ? 0 : 1);
    throw NotReal{};
  }

  ExactNumber function(const std::string& name, const ExactNumber& x, const ExactNumber& y) const {
    if (name == "min") return (x - y).sign() < 0 ? x : y;
    if (name == "max") return (x - y).sign() < 0 ? y : x;
    if (name == "atan2") return angle(x, y);
    throw NotReal{};
  }

  /// The angle of the point (x, y).
  ExactNumber angle(const ExactNumber& y, const ExactNumber& x) const {
    const int above = y.sign(), right = x.sign();
    if (above == 0 && right == 0) throw NotReal{};
    const ExactNumber pi = field_.pi();
    if (right == 0) return ExactNumber(exact::Rational(above) / 2) * pi;
    const ExactNumber slope = field_.atan(y / x);
    if (right > 0) return slope;
    return above < 0 ? slope - pi : slope + pi;
  }

  const exact::ExactField& field_;
};

}  // namespace

bool has_irrational_constant(const ex& e) {
  std::unordered_set<const GiNaC::basic*> seen;  // parts are shared: a tree of them may be exponentially larger
  const auto search = [&seen](const auto& self, const ex& part) -> bool {
    if (!seen.insert(&GiNaC::ex_to<GiNaC::basic>(part)).second) return false;
    const bool kernel = GiNaC::is_a<GiNaC::constant>(part) || GiNaC::is_a<GiNaC::function>(part) ||
                        (GiNaC::is_a<GiNaC::power>(part) && !part.op(1).info(GiNaC::info_flags::integer));
    if (kernel && symbol_names(part).empty()) return true;
    for (std::size_t i = 0; i < part.nops(); ++i)
      if (self(self, part.op(i))) return true;
    return false;
  };
  return search(search, e);
}

NoAnswer undecided(const std::string& what, const ex& constant, const exact::Undecided& why) {
  constexpr std::size_t longest = 160;
  std::string text = print(constant);
  if (text.size() > longest) text = text.substr(0, longest) + "…";
  return NoAnswer(what + ", " + text + ", may be zero: " + why.what(), "state it as a decimal, or 0 where 0 is meant");
}

std::optional<ExactNumber> exact_number(const ex& e, const exact::ExactField& field) {
  try {
    return Reading(field)(e);
  } catch (const NotReal&) {
    return std::nullopt;
  } catch (const std::domain_error&) {  // a pole, an even root of a negative number
    return std::nullopt;
  } catch (const exact::Undecided& why) {
    throw undecided("the constant", e, why);
  }
}

namespace {

using ring::Polynomial;

bool is_constant_generator(const ex& generator) {
  return !GiNaC::is_a<GiNaC::symbol>(generator) && symbol_names(generator).empty();
}

/// A polynomial by the products of its names, each with a coefficient that is a polynomial in irrational constants.
class ByNames {
 public:
  ByNames(const Polynomial& p, const PolynomialSpace& space) : space_(space), context_(p.context()) {
    for (std::size_t i = 0; i < space.size(); ++i)
      if (is_constant_generator(space.generator(i)) && p.depends_on(i)) constants_.insert(i);
    if (constants_.empty()) return;
    for (const Polynomial::Term& term : p.terms()) {
      Powers names;
      Polynomial::Term coefficient{term.coefficient, {}};
      for (const auto& power : term.powers) (constants_.contains(power.first) ? coefficient.powers : names).push_back(power);
      groups_[names].push_back(std::move(coefficient));
    }
  }

  bool rational() const { return constants_.empty(); }

  Polynomial settled() const {
    std::map<std::size_t, ExactNumber> values;
    const exact::ExactField field;
    for (const std::size_t i : constants_) {
      const auto value = exact_number(space_.generator(i), field);
      if (!value) continue;  // complex, infinite: what needs its value will say so
      values.emplace(i, *value);
    }
    std::vector<Polynomial::Term> terms;
    for (const auto& [names, coefficient] : groups_)
      for (Polynomial::Term term : settled(names, coefficient, values, field)) {
        term.powers.insert(term.powers.end(), names.begin(), names.end());
        std::sort(term.powers.begin(), term.powers.end());
        terms.push_back(std::move(term));
      }
    return Polynomial::sum_of(context_, terms);
  }

 private:
  using Powers = std::vector<std::pair<std::size_t, std::uint64_t>>;
  using Terms = std::vector<Polynomial::Term>;

  std::string coefficient_of(const Powers& names) const {
    const Polynomial::Term product{1, names};
    return names.empty() ? "the constant term"
                         : "the coefficient of " + print(space_.expression(Polynomial::sum_of(context_, std::span(&product, 1))));
  }

  Terms settled(const Powers& names, const Terms& coefficient, const std::map<std::size_t, ExactNumber>& values,
                const exact::ExactField& field) const {
    ExactNumber sum;
    for (const Polynomial::Term& term : coefficient) {
      ExactNumber product(term.coefficient);
      for (const auto& [index, exponent] : term.powers) {
        const auto value = values.find(index);
        if (value == values.end()) return coefficient;
        product = product * field.power(value->second, ExactNumber(exponent));
      }
      sum = sum + product;
    }
    try {
      if (sum.is_zero()) return {};
      if (const auto number = sum.rational()) return {{*number, {}}};
    } catch (const exact::Undecided& why) {
      throw undecided(coefficient_of(names), space_.expression(Polynomial::sum_of(context_, coefficient)), why);
    }
    return coefficient;
  }

  const PolynomialSpace& space_;
  Polynomial::Context context_;
  std::set<std::size_t> constants_;
  std::map<Powers, Terms> groups_;
};

}  // namespace

Polynomial settled(const Polynomial& p, const PolynomialSpace& space) {
  const ByNames by_names(p, space);
  return by_names.rational() ? p : by_names.settled();
}

RationalFunction settled(RationalFunction f) {
  Polynomial numerator = settled(f.numerator(), f.space()), denominator = settled(f.denominator(), f.space());
  if (numerator == f.numerator() && denominator == f.denominator()) return f;
  if (denominator.is_zero()) throw Error(SourceSpan{}, "with these values a denominator becomes zero", "choose other values");
  return RationalFunction(f.space(), std::move(numerator), std::move(denominator)).reduced();
}

}  // namespace sfg
