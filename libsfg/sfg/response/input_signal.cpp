// Inside, a signal is Σ_j 1(t − t_j) Σ c t^k e^(αt) with exact complex c and α: closed under sums and products, and the Laplace
// transform of each term after a shift to t_j is known: c k!/(s − α)^(k+1).
#include "sfg/response/closed_form.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;
using GiNaC::ex;
using Number = GiNaC::numeric;

struct Mode {
  Number alpha;
  unsigned power = 0;
  bool operator<(const Mode& other) const {
    const int order = alpha.compare(other.alpha);
    return order != 0 ? order < 0 : power < other.power;
  }
};
using Exponentials = std::map<Mode, Number>;

struct LessTime {
  bool operator()(const Number& a, const Number& b) const { return a < b; }
};
using Pieces = std::map<Number, Exponentials, LessTime>;

void add(Exponentials& sum, const Exponentials& more, const Number& factor = 1) {
  for (const auto& [mode, c] : more) {
    Number& target = sum.try_emplace(mode, 0).first->second;
    target = target + c * factor;
    if (target.is_zero()) sum.erase(mode);
  }
}

Pieces sum(Pieces a, const Pieces& b, const Number& factor = 1) {
  for (const auto& [start, f] : b) {
    Exponentials& target = a[start];
    add(target, f, factor);
    if (target.empty()) a.erase(start);
  }
  return a;
}

/// The imaginary unit.
Number imaginary() { return GiNaC::ex_to<Number>(GiNaC::I); }

constexpr std::size_t most_terms = 2000;

/// Nothing when the product has too many terms.
std::optional<Pieces> product(const Pieces& a, const Pieces& b) {
  Pieces result;
  std::size_t terms = 0;
  for (const auto& [begin_a, f] : a)
    for (const auto& [begin_b, g] : b) {
      Exponentials h;
      for (const auto& [x, c] : f)
        for (const auto& [y, d] : g) {
          if (++terms > most_terms) return {};
          add(h, {{{x.alpha + y.alpha, x.power + y.power}, c * d}});
        }
      Exponentials& target = result[begin_a < begin_b ? begin_b : begin_a];
      add(target, h);
    }
  std::erase_if(result, [](const auto& piece) { return piece.second.empty(); });
  return result;
}

class Reading {
 public:
  explicit Reading(ex t) : t_(std::move(t)) {}

  bool rounded() const { return rounded_; }

  std::optional<Pieces> pieces(const ex& e) {
    if (!e.has(t_)) return constant(e);
    if (e.is_equal(t_)) return Pieces{{0, {{{0, 1}, 1}}}};
    if (GiNaC::is_a<GiNaC::add>(e)) return of_sum(e);
    if (GiNaC::is_a<GiNaC::mul>(e)) return of_product(e);
    if (GiNaC::is_a<GiNaC::power>(e)) return of_power(e);
    if (GiNaC::is_a<GiNaC::function>(e)) return of_function(e);
    return {};
  }

  /// a·t + b with exact a ≠ 0.
  struct Line {
    Number slope, offset;
  };
  std::optional<Line> line(const ex& e) {
    const ex expanded = e.expand();
    if (expanded.degree(t_) != 1 || expanded.ldegree(t_) < 0) return {};
    const ex a = expanded.coeff(t_, 1), b = expanded.coeff(t_, 0);
    if (a.has(t_) || b.has(t_) || !(expanded - a * t_ - b).expand().is_zero()) return {};
    const auto slope = real(a), offset = real(b);
    if (!slope || !offset || slope->is_zero()) return {};
    return Line{*slope, *offset};
  }

  /// The value of a real constant; irrational ones are rounded.
  std::optional<Number> real(const ex& e) {
    if (GiNaC::is_a<Number>(e) && GiNaC::ex_to<Number>(e).is_rational()) return GiNaC::ex_to<Number>(e);
    const auto value = rational_value(e);
    if (!value) return {};
    rounded_ = true;
    return numeric_value(*value);
  }

 private:
  std::optional<Pieces> constant(const ex& e) {
    const auto value = real(e);
    if (!value) return {};
    return value->is_zero() ? Pieces{} : Pieces{{0, {{{0, 0}, *value}}}};
  }

  std::optional<Pieces> of_sum(const ex& e) {
    Pieces result;
    for (std::size_t i = 0; i < e.nops(); ++i) {
      const auto term = pieces(e.op(i));
      if (!term) return {};
      result = sum(std::move(result), *term);
    }
    return result;
  }

  std::optional<Pieces> of_product(const ex& e) {
    std::optional<Pieces> result = Pieces{{0, {{{0, 0}, 1}}}};
    for (std::size_t i = 0; i < e.nops() && result; ++i) {
      const auto factor = pieces(e.op(i));
      if (!factor) return {};
      result = product(*result, *factor);
    }
    return result;
  }

  std::optional<Pieces> of_power(const ex& e) {
    const ex base = e.op(0), exponent = e.op(1);
    if (!base.has(t_)) {  // 2^t
      const ex rate = GiNaC::log(base);
      return real(rate) ? exponential(exponent * rate, 1) : std::nullopt;
    }
    if (!GiNaC::is_a<Number>(exponent)) return {};
    if (GiNaC::is_the_function<GiNaC::exp_SERIAL>(base)) return exponential(base.op(0) * exponent, 1);
    constexpr int highest = 50;
    const Number n = GiNaC::ex_to<Number>(exponent);
    if (!n.is_nonneg_integer() || n > highest) return {};
    const auto factor = pieces(base);
    std::optional<Pieces> result = Pieces{{0, {{{0, 0}, 1}}}};
    for (int i = n.to_int(); factor && result && i > 0; --i) result = product(*result, *factor);
    return factor ? result : std::nullopt;
  }

  /// e^(unit · argument), unit 1 or i.
  std::optional<Pieces> exponential(const ex& argument, const Number& unit) {
    const auto l = line(argument);
    if (!l) return {};
    std::optional<Number> factor = Number(1);
    if (!l->offset.is_zero()) {
      if (unit.is_real()) {
        factor = real(GiNaC::exp(l->offset));
      } else {
        const auto re = real(GiNaC::cos(l->offset)), im = real(GiNaC::sin(l->offset));
        if (!re || !im) return {};
        factor = *re + *im * imaginary();
      }
    }
    if (!factor) return {};
    return Pieces{{0, {{{l->slope * unit, 0}, *factor}}}};
  }

  std::optional<Pieces> of_function(const ex& e) {
    const std::string name = GiNaC::ex_to<GiNaC::function>(e).get_name();
    const ex x = e.op(0);
    if (name == "exp") return exponential(x, 1);
    if (name == "sin" || name == "cos") return pair(x, imaginary(), name == "sin" ? 2 * imaginary() : Number(2), name == "sin");
    if (name == "sinh" || name == "cosh") return pair(x, 1, 2, name == "sinh");
    if (name == "step") return switched(x, 1, 0);
    if (name == "sign") return switched(x, 1, -1);
    if (name == "abs") return selected(x, x, -x);
    if (name == "max") return selected(x - e.op(1), x, e.op(1));
    if (name == "min") return selected(x - e.op(1), e.op(1), x);
    return {};
  }

  /// (e^(ux) ± e^(−ux))/divisor.
  std::optional<Pieces> pair(const ex& x, const Number& unit, const Number& divisor, bool odd) {
    const auto plus = exponential(x, unit), minus = exponential(-x, unit);
    if (!plus || !minus) return {};
    const Number weight = divisor.inverse();
    return sum(sum({}, *plus, weight), *minus, odd ? -weight : weight);
  }

  /// `after` where x > 0, `before` where x < 0.
  std::optional<Pieces> switched(const ex& x, const Number& positive, const Number& negative) {
    const auto l = line(x);
    if (!l) return {};
    const Number root = -l->offset / l->slope;
    const bool rising = l->slope.is_positive();
    const Number before = rising ? negative : positive, after = rising ? positive : negative;
    Pieces result;
    if (!root.is_positive()) return after.is_zero() ? result : Pieces{{0, {{{0, 0}, after}}}};
    if (!before.is_zero()) result = {{0, {{{0, 0}, before}}}};
    return sum(std::move(result), {{root, {{{0, 0}, after - before}}}});
  }

  /// `positive` where x > 0, else `negative`.
  std::optional<Pieces> selected(const ex& x, const ex& positive, const ex& negative) {
    const auto where = switched(x, 1, 0);
    const auto a = where ? pieces(positive) : std::nullopt, b = a ? pieces(negative) : std::nullopt;
    if (!b) return {};
    const auto difference = product(*where, sum(*a, *b, -1));
    return difference ? std::optional(sum(*b, *difference)) : std::nullopt;
  }

  ex t_;
  bool rounded_ = false;
};

/// f(τ + start) as a function of τ. Irrational factors are rounded; false when one has no value.
bool shifted(const Exponentials& f, const Number& start, Reading& reading, Exponentials& result) {
  if (start.is_zero()) {
    result = f;
    return true;
  }
  for (const auto& [mode, c] : f) {
    Number factor = 1;
    if (!mode.alpha.is_zero()) {
      const ex growth = GiNaC::exp(mode.alpha.real() * start), angle = mode.alpha.imag() * start;
      const auto re = reading.real(growth * GiNaC::cos(angle)), im = reading.real(growth * GiNaC::sin(angle));
      if (!re || !im) return false;
      factor = *re + *im * imaginary();
    }
    for (unsigned j = 0; j <= mode.power; ++j) {
      const Number weight = GiNaC::binomial(Number(mode.power), Number(j)) * start.power(Number(mode.power - j));
      add(result, Exponentials{{{mode.alpha, j}, c * factor * weight}});
    }
  }
  return true;
}

/// (s − α)^n with complex coefficients, highest power first.
std::vector<Number> power_of_pole(const Number& alpha, unsigned n) {
  std::vector<Number> p{1};
  for (unsigned i = 0; i < n; ++i) {
    p.push_back(0);
    for (std::size_t k = p.size() - 1; k > 0; --k) p[k] = p[k] - alpha * p[k - 1];
  }
  return p;
}

/// The Laplace transform of a real f as one fraction.
void transform(const Exponentials& f, InputSignal::Piece& piece) {
  RationalPolynomial numerator, denominator = RationalPolynomial::constant(1);
  for (const auto& [mode, c] : f) {
    if (mode.alpha.imag().is_negative()) continue;  // added with its conjugate
    const bool is_real = mode.alpha.imag().is_zero();
    const unsigned n = mode.power + 1;
    // c k!/(s − α)^n, and with the conjugate 2 Re(c k! (s − ᾱ)^n) / |s − α|^2n
    std::vector<exact::Rational> above, below;
    const Number weight = c * GiNaC::factorial(Number(mode.power)) * Number(is_real ? 1 : 2);
    if (is_real) {
      above = {exact_value(weight.real())};
    } else {
      for (const Number& a : power_of_pole(GiNaC::ex_to<Number>(mode.alpha.conjugate()), n))
        above.push_back(exact_value((a * weight).real()));
    }
    if (is_real) {
      for (const Number& b : power_of_pole(mode.alpha, 1)) below.push_back(exact_value(b));
    } else {
      const Number square = mode.alpha.real() * mode.alpha.real() + mode.alpha.imag() * mode.alpha.imag();
      below = {1, exact_value(-2 * mode.alpha.real()), exact_value(square)};
    }
    const RationalPolynomial part(above), pole = RationalPolynomial(below).power(n);
    const RationalPolynomial common = gcd(denominator, pole);
    const RationalPolynomial rest = divided(pole, common).first;
    numerator = numerator * rest + part * divided(denominator, common).first;
    denominator *= rest;
  }
  piece.numerator = numerator.coefficients();
  piece.denominator = denominator.coefficients();
}

}  // namespace

InputSignal step_signal(const exact::Rational& factor) { return {{{0, {factor}, {1, 0}}}, false}; }
InputSignal impulse_signal(const exact::Rational& factor) { return {{{0, {factor}, {1}}}, false}; }

std::optional<InputSignal> input_signal(const ex& u, const ex& t) {
  Reading reading(t);
  const auto pieces = reading.pieces(u);
  if (!pieces) return {};
  InputSignal signal;
  for (const auto& [start, f] : *pieces) {
    Exponentials local;
    if (!shifted(f, start, reading, local)) return {};
    InputSignal::Piece piece;
    piece.start = exact_value(start);
    transform(local, piece);
    if (!piece.numerator.empty()) signal.pieces.push_back(std::move(piece));
  }
  signal.rounded = reading.rounded();
  return signal;
}

double last_switch(const ex& u, const ex& t) {
  double last = 0;
  Reading reading(t);
  for (auto i = u.preorder_begin(); i != u.preorder_end(); ++i) {
    if (!GiNaC::is_a<GiNaC::function>(*i)) continue;
    const std::string name = GiNaC::ex_to<GiNaC::function>(*i).get_name();
    const bool two = name == "min" || name == "max";
    if (!two && name != "step" && name != "sign" && name != "abs") continue;
    if (const auto line = reading.line(two ? i->op(0) - i->op(1) : i->op(0)))
      last = std::max(last, exact_value(-line->offset / line->slope).to_double());
  }
  return last;
}

}  // namespace sfg
