// A sum in an argument is a product of exponentials, and a turn by a sum of angles. So every argument is taken apart into
// products of letters with rational coefficients, the coefficients of each product are brought over one denominator n, and all
// is a matter of whole powers of e^(u/n), and of 1 + i tan(u/2n), which turns by u/2n.
#include "sfg/expr/independent_functions.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using Number = GiNaC::numeric;
using ring::Polynomial;

constexpr long most_multiples = 100;     ///< whole multiples of an angle that are multiplied out
constexpr long most_powers = 1000;       ///< of an exponential
constexpr std::size_t most_terms = 200;  ///< of what is factored

enum class Family { exponential, angle };

Family family_of(const std::string& function) {
  return function == "sin" || function == "cos" || function == "tan" ? Family::angle : Family::exponential;
}

bool is_elementary(const std::string& function) {
  constexpr const char* names[] = {"sin", "cos", "tan", "exp", "sinh", "cosh", "tanh"};
  return std::ranges::find(names, function) != std::end(names);
}

bool is_power_of_letters(const ex& e) { return GiNaC::is_exactly_a<GiNaC::power>(e) && !GiNaC::is_exactly_a<Number>(e.op(1)); }

bool is_constant(const ex& e) { return symbol_names(e).empty(); }

/// An argument: the rational multiples of products of letters, and what has no letter.
struct Argument {
  struct Part {
    ex unit;
    Number multiple;
  };
  std::vector<Part> parts = {};
  ex constant = 0;
  bool plain = true;  ///< the products are independent of each other: of symbols alone, over one product
};

/// Nothing for what is complex.
std::optional<Argument> taken_apart(const ex& e) {
  const PolynomialSpace space(std::span(&e, 1));
  const RationalFunction f = space.rational(e).reduced();
  Argument result;
  for (std::size_t v = 0; v < space.size(); ++v) {
    if (!f.numerator().depends_on(v) && !f.denominator().depends_on(v)) continue;
    if (is_root(space.generator(v)) && space.generator(v).op(0).is_equal(-1)) return {};
    result.plain = result.plain && GiNaC::is_a<GiNaC::symbol>(space.generator(v));
  }
  result.plain = result.plain && f.denominator().term_count() == 1;
  const exact::Rational scale = f.denominator().content();
  const ex below = space.expression(f.denominator().primitive());
  f.numerator().visit_terms([&](const exact::Rational& coefficient, std::span<const std::uint64_t> exponents) {
    ex unit = 1 / below;
    for (std::size_t v = 0; v < exponents.size(); ++v)
      unit = unit * GiNaC::power(space.generator(v), Number(static_cast<unsigned long>(exponents[v])));
    const Number multiple = numeric_value(coefficient / scale);
    if (is_constant(unit))
      result.constant += multiple * unit;
    else
      result.parts.push_back({unit, multiple});
  });
  return result;
}

/// cos and sin of an angle.
struct Turn {
  ex cosine = 1, sine = 0;
  Turn operator*(const Turn& other) const {
    return {cosine * other.cosine - sine * other.sine, cosine * other.sine + sine * other.cosine};
  }
};

/// By n times twice the angle whose tangent is t.
Turn turned(const ex& t, long n) {
  const auto count = static_cast<unsigned long>(2 * std::labs(n));
  ex cosine = 0, sine = 0;
  for (unsigned long k = 0; k <= count; ++k) {  // (1 + i t)^(2n)
    const ex term = GiNaC::binomial(Number(count), Number(k)) * GiNaC::power(t, Number(k)) * (k % 4 < 2 ? 1 : -1);
    (k % 2 == 0 ? cosine : sine) += term;
  }
  const ex below = GiNaC::power(1 + t * t, Number(std::labs(n)));
  return {cosine / below, (n < 0 ? -1 : 1) * sine / below};
}

}  // namespace

struct IndependentFunctions::Impl {
  Impl(const ex& op, bool positive) : op_(op), positive_(positive) {}

  /// A letter of a family: of the n-th part of a unit.
  struct Letter {
    ex symbol;
    Number parts = 1;
  };

  void collect(const ex& e) {
    if (!seen_.emplace(&ex_to<GiNaC::basic>(e), e).second) return;
    const std::string function = function_name(e);
    needed = needed || !function.empty() || is_power_of_letters(e) || is_root(e);
    if (is_elementary(function)) note(family_of(function), e.op(0));
    if (is_power_of_letters(e)) note(Family::exponential, e.op(1) * GiNaC::log(e.op(0)));
    for (std::size_t i = 0; i < e.nops(); ++i) collect(e.op(i));
  }

  ex rewritten(const ex& e) {
    if (GiNaC::is_exactly_a<Number>(e) || GiNaC::is_a<GiNaC::symbol>(e)) return e;
    if (is_constant(e)) {
      complete = complete && exact_number(e).has_value();
      return e;
    }
    const GiNaC::basic* key = &ex_to<GiNaC::basic>(e);
    if (const auto known = known_.find(key); known != known_.end()) return known->second.second;
    const ex value = made(e);
    known_.emplace(key, std::pair(e, value));
    return value;
  }

  bool needed = false, complete = true, either_sign = false;

 private:
  ex made(const ex& e) {
    if (GiNaC::is_exactly_a<GiNaC::add>(e) || GiNaC::is_exactly_a<GiNaC::mul>(e)) {
      GiNaC::exvector parts;
      for (std::size_t i = 0; i < e.nops(); ++i) parts.push_back(rewritten(e.op(i)));
      return GiNaC::is_exactly_a<GiNaC::add>(e) ? ex(GiNaC::add(parts)) : ex(GiNaC::mul(parts));
    }
    if (const auto exponent = whole_exponent(e)) {
      const bool even_modulus = *exponent % 2 == 0 && function_name(e.op(0)) == "abs";
      const ex base = rewritten(even_modulus ? e.op(0).op(0) : e.op(0));
      return GiNaC::power(even_modulus && !is_real(base) ? opaque(e.op(0)) : base, Number(*exponent));
    }
    if (is_root(e)) {
      const Number& exponent = ex_to<Number>(e.op(1));
      return GiNaC::power(root(normal_form(rewritten(e.op(0))), exponent.denom()), exponent.numer());
    }
    if (is_power_of_letters(e)) {
      if (const auto value = exponential_of(e.op(1) * GiNaC::log(e.op(0)))) return *value;
      return opaque(e);
    }
    const std::string function = function_name(e);
    if (is_elementary(function)) {
      if (const auto value = elementary(function, e.op(0))) return *value;
    } else if (function == "abs" || function == "min" || function == "max") {
      if (const auto value = made_of_modulus(function, e)) return *value;
    }
    if (function == "acos") return GiNaC::Pi / 2 - rewritten(GiNaC::asin(e.op(0)));
    return opaque(e);
  }

  /// A function that is not understood, of arguments that are.
  ex opaque(const ex& e) {
    complete = false;
    struct : GiNaC::map_function {
      Impl* impl = nullptr;
      ex operator()(const ex& argument) override { return normal_form(impl->rewritten(argument)); }
    } inside;
    inside.impl = this;
    return e.map(inside);
  }

  // ---- exponentials and angles

  void note(Family family, const ex& argument) {
    const auto apart = taken_apart_or_nothing(argument);
    if (!apart) return;
    for (const Argument::Part& part : apart->parts) {
      Number& parts = letter(family, part.unit).parts;
      parts = GiNaC::lcm(parts, part.multiple.denom());
    }
  }

  static std::optional<Argument> taken_apart_or_nothing(const ex& argument) {
    try {
      return taken_apart(argument);
    } catch (const Failure&) {  // too large, or it divides by zero
      return {};
    }
  }

  Letter& letter(Family family, const ex& unit) {
    const std::string name = (family == Family::angle ? "tan(" : "exp(") + print(unit) + ")";
    const auto [found, fresh] = letters_.try_emplace(name);
    if (fresh) {
      found->second.symbol = GiNaC::symbol("#" + name);  // no name of a model begins so
      (is_real(unit) ? real_ : complex_)[found->second.symbol] = family == Family::exponential;
    }
    return found->second;
  }

  /// The whole power of its letter that a part of an argument is; nothing where there is none, or it is too high.
  std::optional<long> power_of(const Letter& letter, const Number& multiple, long most) {
    const Number power = multiple * letter.parts;
    if (!power.is_integer() || abs(power) > most) return {};
    return power.to_long();
  }

  /// The parts of an argument, and whether all is as the theorem has it.
  std::optional<Argument> parts_of(const ex& argument) {
    auto apart = taken_apart_or_nothing(normal_form(rewritten(argument)));
    if (apart) complete = complete && apart->plain && GiNaC::is_exactly_a<Number>(apart->constant);
    if (apart && !apart->constant.is_zero()) complete = false;  // e and cos(1) are numbers of which little is known
    return apart;
  }

  std::optional<ex> exponential_of(const ex& argument) {
    const auto apart = parts_of(argument);
    if (!apart) return {};
    ex product = apart->constant.is_zero() ? ex(1) : GiNaC::exp(apart->constant);
    for (const Argument::Part& part : apart->parts) {
      if (function_name(part.unit) == "log") {  // e^(n log(x)) is x^n, the principal value
        product = product * rewritten(GiNaC::power(part.unit.op(0), part.multiple));
        continue;
      }
      const Letter& own = letter(Family::exponential, part.unit);
      const auto power = power_of(own, part.multiple, most_powers);
      if (!power) return {};
      product = product * GiNaC::power(own.symbol, Number(*power));
    }
    return product;
  }

  std::optional<Turn> turn_of(const ex& argument) {
    const auto apart = parts_of(argument);
    if (!apart) return {};
    Turn turn;
    if (!apart->constant.is_zero()) turn = {GiNaC::cos(apart->constant), GiNaC::sin(apart->constant)};
    for (const Argument::Part& part : apart->parts) {
      const Letter& own = letter(Family::angle, part.unit);
      const auto power = power_of(own, part.multiple, most_multiples);
      if (!power) return {};
      turn = turn * turned(own.symbol, *power);
    }
    return turn;
  }

  std::optional<ex> elementary(const std::string& function, const ex& argument) {
    if (family_of(function) == Family::angle) {
      const auto turn = turn_of(argument);
      if (!turn) return {};
      return function == "sin" ? turn->sine : function == "cos" ? turn->cosine : ex(turn->sine / turn->cosine);
    }
    const auto power = exponential_of(argument);
    if (!power) return {};
    const ex inverse = 1 / *power;
    if (function == "exp") return power;
    if (function == "sinh") return (*power - inverse) / 2;
    if (function == "cosh") return (*power + inverse) / 2;
    return (*power - inverse) / (*power + inverse);
  }

  // ---- roots and moduli

  bool is_real(const ex& e) const {
    if (GiNaC::is_exactly_a<Number>(e)) return ex_to<Number>(e).is_real();
    if (GiNaC::is_a<GiNaC::symbol>(e)) return !e.is_equal(op_) && !complex_.contains(e);
    if (GiNaC::is_a<GiNaC::constant>(e)) return true;
    const bool is_modulus = is_root(e) && whole_exponent(e.op(0)).value_or(1) % 2 == 0;
    const bool is_combined = GiNaC::is_exactly_a<GiNaC::add>(e) || GiNaC::is_exactly_a<GiNaC::mul>(e) || whole_exponent(e);
    if (!is_modulus && !is_combined) return false;
    const std::size_t parts = is_combined && !whole_exponent(e) ? e.nops() : 1;
    for (std::size_t i = 0; i < parts; ++i)
      if (!is_real(is_modulus ? e.op(0).op(0) : e.op(i))) return false;
    return true;
  }

  /// A letter that is never negative.
  bool is_positive(const ex& letter) const {
    if (const auto fresh = real_.find(letter); fresh != real_.end()) return fresh->second;
    return positive_ && GiNaC::is_a<GiNaC::symbol>(letter) && is_real(letter);
  }

  /// A sum of squares, or of products of what is not negative.
  bool is_never_negative(const Polynomial& p, const PolynomialSpace& space) const {
    bool never = true;
    p.visit_terms([&](const exact::Rational& coefficient, std::span<const std::uint64_t> exponents) {
      if (coefficient.sign() < 0) never = false;
      for (std::size_t v = 0; v < exponents.size() && never; ++v) {
        if (exponents[v] == 0) continue;
        const ex& generator = space.generator(v);
        const bool is_modulus = is_root(generator) && is_real(generator);
        never = is_modulus || is_positive(generator) || (exponents[v] % 2 == 0 && is_real(generator));
      }
    });
    return never;
  }

  static ex modulus(const ex& x) { return GiNaC::power(GiNaC::power(x, 2), Number(1, 2)); }

  struct Factor {
    ex value;
    long multiplicity;
    bool real, never_negative;
  };
  struct Factors {
    exact::Rational constant = 1;
    std::vector<Factor> list = {};
  };

  /// Of a fraction in lowest terms; nothing where it is too large, or has constants of which the sign would have to be known.
  std::optional<Factors> factors_of(const ex& e) {
    const PolynomialSpace space(std::span(&e, 1));
    const RationalFunction f = space.rational(e).reduced();
    if (f.numerator().term_count() + f.denominator().term_count() > most_terms) return {};
    Factors all;
    for (const bool above : {true, false}) {
      const auto parts = (above ? f.numerator() : f.denominator()).factor();
      all.constant = above ? parts.constant : all.constant / parts.constant;
      for (const auto& [factor, multiplicity] : parts.factors) {
        const ex value = space.expression(factor);
        const auto power = static_cast<long>(multiplicity);
        all.list.push_back({value, above ? power : -power, is_real(value), is_never_negative(factor, space)});
      }
    }
    return all;
  }

  /// The principal root. What is positive leaves it, and of real factors even powers.
  ex root(const ex& e, const Number& degree) {
    complete = false;
    const Number part = degree.inverse();
    const auto factors = factors_of(e);
    if (!factors || factors->constant.is_zero()) {
      either_sign = true;
      return GiNaC::power(e, part);
    }
    const bool negative = factors->constant.sign() < 0;
    either_sign = either_sign || negative;
    ex outside = GiNaC::power(ex(numeric_value(negative ? -factors->constant : factors->constant)), part),
       inside = negative ? -1 : 1;
    const long n = degree.to_long();
    for (const Factor& f : factors->list) {
      if (f.never_negative) {
        outside = outside * GiNaC::power(GiNaC::power(f.value, part), Number(f.multiplicity));
        continue;
      }
      either_sign = true;
      if (f.real && n % 2 == 0) {
        outside = outside * GiNaC::power(modulus(f.value), Number(f.multiplicity / n));
        inside = inside * GiNaC::power(f.value, Number(f.multiplicity % n));
      } else {
        inside = inside * GiNaC::power(f.value, Number(f.multiplicity));
      }
    }
    return outside * GiNaC::power(normal_form(inside), part);
  }

  /// |x| of something real.
  std::optional<ex> modulus_of(const ex& e) {
    if (!is_real(e)) return {};
    const auto factors = factors_of(e);
    if (!factors) return {};
    ex product = numeric_value(factors->constant.sign() < 0 ? -factors->constant : factors->constant);
    for (const Factor& f : factors->list) {
      const bool as_it_is = f.never_negative || f.multiplicity % 2 == 0;
      if (!as_it_is) complete = false, either_sign = true;
      product = product * GiNaC::power(as_it_is ? f.value : modulus(f.value), Number(f.multiplicity));
    }
    return product;
  }

  std::optional<ex> made_of_modulus(const std::string& function, const ex& e) {
    const ex first = normal_form(rewritten(e.op(0)));
    if (function == "abs") return modulus_of(first);
    const ex second = normal_form(rewritten(e.op(1)));
    if (!is_real(first) || !is_real(second)) return {};
    const auto distance = modulus_of(normal_form(first - second));
    if (!distance) return {};
    return (first + second + (function == "max" ? *distance : ex(-*distance))) / 2;
  }

  ex op_;
  bool positive_;
  std::map<std::string, Letter> letters_;
  std::map<ex, bool, GiNaC::ex_is_less> real_, complex_;  ///< letters of our own; of real ones: whether they are positive
  std::unordered_map<const GiNaC::basic*, ex> seen_;
  std::unordered_map<const GiNaC::basic*, std::pair<ex, ex>> known_;
};

IndependentFunctions::IndependentFunctions(std::span<const ex> expressions, const ex& op, bool positive)
    : impl_(std::make_unique<Impl>(op, positive)) {
  for (const ex& e : expressions) impl_->collect(e);
}

IndependentFunctions::~IndependentFunctions() = default;

bool IndependentFunctions::needed() const noexcept { return impl_->needed; }
bool IndependentFunctions::complete() const noexcept { return impl_->complete; }
bool IndependentFunctions::has_open_signs() const noexcept { return impl_->either_sign; }
ex IndependentFunctions::operator()(const ex& e) { return impl_->rewritten(e); }

}  // namespace sfg
