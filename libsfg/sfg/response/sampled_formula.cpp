// The step response by partial fractions, sampled term by term: a term t^j e^(pt) becomes ∂^j/∂p^j of Σ e^(p (kh + θ)) z^(−k) =
// e^(pθ) z/(z − e^(ph)), θ being how much later than the input the output is seen (Jury 1958). What precedes, (z − 1)/z, is the
// step that a held sample is the difference of.
#include "sfg/response/sampled_formula.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/partial_fractions.hpp"
#include "sfg/response/closed_form.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;
using GiNaC::ex;

/// Dead time as sample times, and how much later than the input before it the output is seen.
struct Lag {
  std::size_t periods = 0;
  ex later;
};

Lag lag_of(const ex& delay, const ex& h) {
  const auto periods = rational_value(normal_form(delay / h));
  if (!periods)
    throw NoAnswer("how many sample times of '" + print(h) + "' the dead time '" + print(delay) + "' lasts is not known",
                   "state values of both, or the one as a multiple of the other");
  if (periods->sign() < 0) throw NoAnswer("the transfer function looks ahead in time: its dead time is negative");
  const std::size_t whole = sample_times_in(*periods);
  return {whole, normal_form(numeric_value(Rational(whole)) * h - delay)};
}

DifferenceEquation difference_equation(std::span<const ex> numerator, std::span<const ex> denominator) {
  if (numerator.size() > denominator.size())
    throw NoAnswer("the transfer function in z looks ahead: its numerator has a higher degree");
  DifferenceEquation result;
  const auto divided = [&](const ex& c) { return denominator[0].is_equal(1) ? c : normal_form(c / denominator[0]); };
  if (!numerator.empty()) result.of_input.assign(denominator.size() - numerator.size(), 0);
  for (const ex& c : numerator) result.of_input.push_back(divided(c));
  for (const ex& c : denominator.subspan(1)) result.of_output.push_back(divided(-c));
  return result;
}

/// What one dead time is a factor of.
struct Part {
  ex delay;
  ring::Polynomial numerator;
};

/// τ of a generator e^(−τs) of the space; 0 of one that is free of the operator.
ex delay_of(const ex& generator, const ex& s) {
  if (generator.is_equal(s) || !generator.has(s)) return 0;
  if (GiNaC::is_the_function<GiNaC::exp_SERIAL>(generator)) {
    const ex exponent = generator.op(0).expand();
    if (exponent.is_polynomial(s) && exponent.degree(s) == 1 && exponent.ldegree(s) == 1) return -exponent.coeff(s, 1);
  }
  throw NoAnswer("expression '" + print(generator) + "' is neither rational in " + print(s) + " nor a dead time exp(-" +
                 print(s) + "*T)");
}

std::vector<Part> parts_of(const RationalFunction& value, const ex& s) {
  const PolynomialSpace& space = value.space();
  std::vector<ex> delays;
  for (std::size_t i = 0; i < space.size(); ++i) {
    delays.push_back(delay_of(space.generator(i), s));
    if (!delays.back().is_zero() && value.denominator().depends_on(i))
      throw NoAnswer("a sampled system needs a rational loop", Advice::pade);
  }
  std::map<std::vector<std::pair<std::size_t, std::uint64_t>>, std::vector<ring::Polynomial::Term>> by_delay;
  for (ring::Polynomial::Term& term : value.numerator().terms()) {
    std::vector<std::pair<std::size_t, std::uint64_t>> lagging;
    std::erase_if(term.powers, [&](const auto& power) {
      if (delays[power.first].is_zero()) return false;
      lagging.push_back(power);
      return true;
    });
    by_delay[lagging].push_back(std::move(term));
  }
  std::vector<Part> parts;
  for (const auto& [lagging, terms] : by_delay) {
    ex delay = 0;
    for (const auto& [index, power] : lagging) delay += delays[index] * numeric_value(Rational(power));
    parts.push_back({delay, ring::Polynomial::sum_of(space.context(), terms)});
  }
  return parts;
}

/// Samples of time functions, from 0 on, as functions of z.
class Samples {
 public:
  Samples(const ex& z, const ex& h, const ex& later) : z_(z), h_(h), later_(later) {}

  /// Σ_k numerators[k − 1]/(a s + b)^k
  void add_linear(const FieldPolynomial& factor, const std::vector<FieldPolynomial>& numerators) {
    const ex a = factor[1].expression(), pole = -(factor[0] / factor[1]).expression();
    const GiNaC::symbol p;
    ex samples = GiNaC::exp(p * later_) * z_ / (z_ - GiNaC::exp(p * h_));
    for (std::size_t k = 1; k <= numerators.size(); ++k) {
      if (k > 1) samples = samples.diff(p) / static_cast<unsigned long>(k - 1);
      if (numerators[k - 1].empty()) continue;
      sum += numerators[k - 1][0].expression() / GiNaC::pow(a, static_cast<int>(k)) * samples.subs(p == pole);
    }
  }

  /// Σ_k numerators[k − 1]/(a s² + b s + c)^k
  void add_quadratic(const FieldPolynomial& factor, const std::vector<FieldPolynomial>& numerators) {
    const ex a = factor[2].expression(), b = factor[1].expression(), c = factor[0].expression();
    const ex sigma = normal_form(-b / (2 * a)), square = normal_form(c / a - b * b / (4 * a * a));
    const auto number = rational_value(square);
    if (!number) positive.push_back(normal_form(4 * a * c - b * b));
    const bool oscillating = !number || number->sign() > 0;
    const ex omega = GiNaC::sqrt(oscillating ? square : -square);
    const GiNaC::symbol t, sine, cosine, x;
    ex of_sine =
           samples(x, oscillating ? GiNaC::sin(omega * later_) : GiNaC::sinh(omega * later_),
                   oscillating ? GiNaC::sin(omega * (h_ - later_)) : GiNaC::sinh(omega * (h_ - later_)), omega, oscillating),
       of_cosine =
           samples(x, oscillating ? GiNaC::cos(omega * later_) : GiNaC::cosh(omega * later_),
                   oscillating ? -GiNaC::cos(omega * (h_ - later_)) : -GiNaC::cosh(omega * (h_ - later_)), omega, oscillating);
    std::vector<std::pair<ex, ex>> derivatives;  // of t^j sin and t^j cos
    for (std::size_t k = 1; k <= numerators.size(); ++k) {
      derivatives.emplace_back(of_sine.subs(x == sigma), of_cosine.subs(x == sigma));
      of_sine = of_sine.diff(x);
      of_cosine = of_cosine.diff(x);
      const FieldPolynomial& n = numerators[k - 1];
      if (n.empty()) continue;
      const ex power = GiNaC::pow(a, static_cast<int>(k));
      const ex B = (n.size() > 1 ? n[1].expression() : 0) / power, C = n[0].expression() / power;
      const auto [f, g] = pair_functions(sine / omega, cosine, square, k, t);
      const ex terms = (B * g + (C + B * sigma) * f).expand();
      for (std::size_t j = 0; j < k; ++j) {
        const ex at = terms.coeff(t, static_cast<int>(j));
        sum += at.coeff(sine, 1) * derivatives[j].first + at.coeff(cosine, 1) * derivatives[j].second;
      }
    }
  }

  ex sum = 0;
  std::vector<ex> positive;

 private:
  /// Of e^(xt) times a function of ωt with that value at θ and, but for its sign, at h − θ.
  ex samples(const ex& x, const ex& at_first, const ex& before, const ex& omega, bool oscillating) const {
    const ex E = GiNaC::exp(x * h_), turn = oscillating ? GiNaC::cos(omega * h_) : GiNaC::cosh(omega * h_);
    return GiNaC::exp(x * later_) * z_ * (z_ * at_first + E * before) / (z_ * z_ - 2 * E * turn * z_ + E * E);
  }

  ex z_, h_, later_;
};

class Sampling {
 public:
  Sampling(const TransferFunction& transfer, const SignalFlowGraph& graph, const ex& h, Discretization method,
           const Budget& budget)
      : transfer_(transfer),
        graph_(graph),
        h_(h),
        method_(method),
        budget_(budget),
        space_(transfer.value.space()),
        s_(graph.op.in(graph.symbols)),
        denominator_(field_polynomial(space_, transfer.value.denominator())) {
    result_.input = graph[transfer.question.input].name;
    result_.output = graph[transfer.question.output].name;
  }

  SampledFormula operator()() {
    if (method_ == Discretization::matched)
      throw NoAnswer("matched poles and zeros need numbers",
                     Remedy(Advice::substitute, some_symbol()) | Remedy("take Tustin's rule (tustin)"));
    for (Part& part : parts_of(transfer_.value, s_))
      if (!part.numerator.is_zero()) parts_.emplace_back(lag_of(part.delay, h_), std::move(part.numerator));
    if (parts_.empty()) {
      result_.denominator = {1};
      return result_;
    }
    for (const auto& [lag, numerator] : parts_) {
      longest_ = std::max(longest_, lag.periods);
      order_ = std::max(order_, numerator.degree(0));
    }
    const std::size_t below = transfer_.value.denominator().degree(0);
    if (method_ == Discretization::tustin) {
      order_ = std::max(order_, below);
      by_tustin();
    } else {
      if (order_ > below)
        throw NoAnswer("an improper transfer function differentiates its input, and a held one jumps at every sample",
                       "take Tustin's rule (tustin), or state the filter of the derivative");
      hold();
    }
    check();
    result_.difference = difference_equation(result_.numerator, result_.denominator);
    return std::move(result_);
  }

 private:
  std::string some_symbol() const {
    for (const ex& e : {h_, transfer_.value.expression()})
      for (const std::string& name : symbol_names(e))
        if (name != graph_.op.symbol()) return name;
    return {};
  }

  /// p in z and (z + 1)^order, from s = (2/h) (z − 1)/(z + 1).
  ex bilinear(const FieldPolynomial& p) const {
    ex sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
      sum += p[i].expression() * GiNaC::pow(2 * (z_ - 1), static_cast<int>(i)) *
             GiNaC::pow(h_ * (z_ + 1), static_cast<int>(order_ - i));
    return sum;
  }

  void by_tustin() {
    ex sum = 0;
    for (const auto& [lag, numerator] : parts_) {
      if (!lag.later.is_zero())
        throw NoAnswer("the dead time is no multiple of the sample time",
                       Advice::pade_or_divisor | Remedy("take the zero-order hold (zoh), which samples any dead time"));
      sum += bilinear(field_polynomial(space_, numerator)) / GiNaC::pow(z_, static_cast<int>(lag.periods));
    }
    settle(sum / bilinear(denominator_));
  }

  void settle(const ex& fraction) {
    const PolynomialSpace space(std::span(&fraction, 1), z_);
    const RationalFunction value = space.rational(fraction, budget_).reduced();
    const std::vector<ring::Polynomial> below = value.denominator().coefficients(0);
    long signs = 0;  // the denominator begins with what reads positive
    for (const ring::Polynomial::Term& term : below.front().terms()) signs += term.coefficient.sign();
    const bool turn = signs < 0 || (signs == 0 && below.front().terms().front().coefficient.sign() < 0);
    const auto add = [&](std::vector<ex>& to, const ring::Polynomial& c) { to.push_back(space.expression(turn ? -c : c)); };
    for (const ring::Polynomial& c : value.numerator().coefficients(0)) add(result_.numerator, c);
    for (const ring::Polynomial& c : below) add(result_.denominator, c);
  }

  void hold() {
    const std::vector<Factor> factors = main_factors(space_, transfer_.value.denominator());
    FieldPolynomial product{constant(space_, 1)};
    for (const Factor& factor : factors)
      for (std::uint64_t i = 0; i < factor.multiplicity; ++i) product = product * factor.polynomial;
    const RationalFunction rest = denominator_.back() / product.back();  // what is free of the operator
    std::vector<Rational> numbers;
    for (auto c = product.rbegin(); c != product.rend(); ++c)
      if (const auto number = rational_value(c->expression())) numbers.push_back(*number);
    const auto h = rational_value(h_);
    const bool known = numbers.size() == product.size() && h &&
                       std::ranges::all_of(parts_, [](const auto& part) { return bool(rational_value(part.first.later)); });
    if (known)
      hold_numbers(RationalPolynomial(numbers), *h, rest.expression());
    else
      hold_symbols(factors, rest);
  }

  /// Poles that are numbers: every product of parameters in the numerator has samples of its own.
  void hold_numbers(const RationalPolynomial& d, const Rational& h, const ex& rest) {
    std::vector<std::pair<ex, ExactTransfer>> all;
    std::size_t degree = 0;
    for (const auto& [lag, numerator] : parts_) {
      std::map<std::vector<std::pair<std::size_t, std::uint64_t>>, RationalPolynomial> by_product;
      for (ring::Polynomial::Term term : numerator.terms()) {
        std::size_t power = 0;
        std::erase_if(term.powers, [&](const auto& p) { return p.first == 0 ? (power = p.second, true) : false; });
        by_product[term.powers] += RationalPolynomial::constant(term.coefficient).shifted_up(power);
      }
      for (const auto& [powers, n] : by_product) {
        ExactTransfer single;
        single.op = graph_.op;
        single.numerator.parts = {{Rational(lag.periods) * h - *rational_value(lag.later), n}};
        single.denominator.parts = {{0, d}};
        ex factor = 1 / rest;
        for (const auto& [index, power] : powers) factor *= GiNaC::pow(space_.generator(index), static_cast<int>(power));
        all.emplace_back(factor, discretized(single, h, method_));
        degree = std::max(degree, static_cast<std::size_t>(all.back().second.denominator.polynomial().degree()));
      }
    }
    std::vector<ex> sum(degree + 1, 0);  // lowest power first
    for (const auto& [factor, sampled] : all) {
      const RationalPolynomial n = sampled.numerator.polynomial(), below = sampled.denominator.polynomial();
      const std::size_t shift = degree - static_cast<std::size_t>(below.degree());
      for (std::size_t i = 0; i <= static_cast<std::size_t>(n.degree()); ++i)
        sum[i + shift] += factor * numeric_value(n.coefficient(i));
      if (shift == 0) result_.denominator.clear();
      if (shift == 0)
        for (const Rational& c : below.coefficients()) result_.denominator.push_back(numeric_value(c));
    }
    while (sum.size() > 1 && sum.back().is_zero()) sum.pop_back();
    result_.numerator.assign(sum.rbegin(), sum.rend());
  }

  void hold_symbols(const std::vector<Factor>& own, const RationalFunction& rest) {
    const std::vector<Factor> factors = with_roots_at_0(own, space_, 1);
    constexpr std::size_t highest_order = 12, most_factors = 6;  // partial fractions with symbols: their sizes multiply
    if (denominator_.size() > highest_order + 1 || factors.size() > most_factors)
      throw NoAnswer("there are too many poles for a closed form with symbols",
                     Remedy(Advice::substitute, some_symbol()) | Remedy("take Tustin's rule (tustin)"));
    for (const Factor& factor : factors)
      if (factor.polynomial.size() > 3)
        throw NoAnswer("the poles have no closed form with symbols: the denominator has a factor beyond the second degree",
                       Remedy(Advice::substitute, some_symbol()) | Remedy("take Tustin's rule (tustin)"));
    ex sum = 0;
    for (const auto& [lag, numerator] : parts_) {
      FieldPolynomial n = field_polynomial(space_, numerator);
      for (RationalFunction& c : n) c = c / rest;
      const auto parts = partial_fractions(n, factors);
      Samples samples(z_, h_, lag.later);
      for (std::size_t i = 0; i < factors.size(); ++i)
        if (factors[i].polynomial.size() == 2)
          samples.add_linear(factors[i].polynomial, parts[i]);
        else
          samples.add_quadratic(factors[i].polynomial, parts[i]);
      sum += samples.sum / GiNaC::pow(z_, static_cast<int>(lag.periods));
      result_.positive = samples.positive;
    }
    settle(sum * (z_ - 1) / z_);
    assume(factors);
  }

  /// Leading coefficients, and resultants: 0 where two factors share a pole.
  void assume(const std::vector<Factor>& factors) {
    std::set<std::string> known;
    const auto add = [&](const ex& e) {
      const PolynomialSpace space(std::span(&e, 1));
      for (const auto& [factor, multiplicity] : space.rational(e).reduced().numerator().factor().factors)
        if (const ex what = space.expression(factor); known.insert(print(what)).second) result_.nonzero.push_back(what);
    };
    std::vector<ex> polynomials;
    for (const Factor& factor : factors) {
      ex p = 0;
      for (std::size_t i = 0; i < factor.polynomial.size(); ++i)
        p += factor.polynomial[i].expression() * GiNaC::pow(s_, static_cast<int>(i));
      add(factor.polynomial.back().expression());
      for (const ex& other : polynomials) add(GiNaC::resultant(p, other, s_));
      polynomials.push_back(p);
    }
  }

  /// Values of all symbols put in and the formula compared with discretized(), which knows nothing of it.
  /// @throws std::logic_error where they differ.
  void check() const {
    std::set<std::string> names;
    const auto add = [&](const ex& e) {
      for (const std::string& name : symbol_names(e)) names.insert(name);
    };
    add(h_);
    for (std::size_t i = 0; i < space_.size(); ++i) add(space_.generator(i));
    names.erase(graph_.op.symbol());
    constexpr int attempts = 3;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      GiNaC::exmap values;
      SignalFlowGraph numbered = graph_;
      int k = 7 + 4 * attempt;
      for (const std::string& name : names) {
        Symbol& symbol = numbered.symbols.add({.name = name});
        symbol.value = GiNaC::numeric(k, 5 + attempt);
        values[symbol_of(name)] = *symbol.value;
        k += 3;
      }
      if (agrees(numbered, values)) return;
    }
    throw std::logic_error("sampled_formula: not what sampling gives with numbers");
  }

  ex symbol_of(const std::string& name) const {
    if (const Symbol* known = graph_.symbols.find(name)) return known->expr;
    return h_;  // the sample time alone may be a stranger to the graph
  }

  bool agrees(const SignalFlowGraph& numbered, const GiNaC::exmap& values) const {
    const auto value = [&](const std::vector<ex>& polynomial, const ex& z) {
      ex sum = 0;
      for (const ex& c : polynomial) sum = sum * z + c.subs(values).evalf();
      return sum;
    };
    try {
      const auto h = rational_value(h_.subs(values));
      if (!h) return false;
      const ExactTransfer want = discretized(exact_transfer(transfer_, numbered), *h, method_);
      const GiNaC::numeric z(17, 10);
      const ex found = (value(result_.numerator, z) / value(result_.denominator, z)).evalf(),
               right = numeric_value(want.numerator.polynomial().at(Rational(17) / 10) /
                                     want.denominator.polynomial().at(Rational(17) / 10));
      constexpr double allowed = 1e-6;  // poles that come close cost digits
      const ex off = GiNaC::abs(found - right).evalf();
      return GiNaC::is_a<GiNaC::numeric>(off) && GiNaC::ex_to<GiNaC::numeric>(off).to_double() <=
                                                     allowed * std::abs(GiNaC::ex_to<GiNaC::numeric>(right.evalf()).to_double());
    } catch (const NoAnswer&) {
      return false;  // these values are none: a pole beyond the range, 2/H
    }
  }

  const TransferFunction& transfer_;
  const SignalFlowGraph& graph_;
  ex h_;
  Discretization method_;
  const Budget& budget_;
  const PolynomialSpace& space_;
  ex s_;
  FieldPolynomial denominator_;
  const GiNaC::symbol z_;
  std::vector<std::pair<Lag, ring::Polynomial>> parts_;
  std::size_t longest_ = 0, order_ = 0;
  SampledFormula result_;
};

}  // namespace

SampledFormula sampled_formula(const TransferFunction& transfer, const SignalFlowGraph& graph, const ex& sample_time,
                               Discretization method, const Budget& budget) {
  if (graph.op.discrete()) throw NoAnswer("the system is in z already");
  return Sampling(transfer, graph, sample_time, method, budget)();
}

SampledFormula sampled_formula(const ExactTransfer& in_z) {
  const auto coefficients = [](const QuasiPolynomial& side) {
    std::vector<ex> result;
    for (const Rational& c : side.polynomial().coefficients()) result.push_back(numeric_value(c));
    return result;
  };
  SampledFormula result{in_z.input, in_z.output, coefficients(in_z.numerator), coefficients(in_z.denominator)};
  result.difference = difference_equation(result.numerator, result.denominator);
  return result;
}

SignalFlowGraph sampled_graph(std::span<const SampledFormula> formulas, const SymbolTable& symbols, const ex& sample_time) {
  SignalFlowGraph graph;
  const auto h = rational_value(sample_time.subs(symbols.values()));
  graph.op = h && h->sign() > 0 ? Operator("z", *h) : Operator("z");
  const ex z = graph.op.declare(graph.symbols);
  // Definitions of what occurs, and of what these need.
  std::vector<std::string> wanted;
  const auto want = [&](const ex& e) {
    for (const std::string& name : symbol_names(e))
      if (std::ranges::find(wanted, name) == wanted.end()) wanted.push_back(name);
  };
  for (const SampledFormula& formula : formulas)
    for (const auto* side : {&formula.numerator, &formula.denominator})
      for (const ex& c : *side) want(c);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (const Symbol* symbol = symbols.find(wanted[i]); symbol && symbol->value) want(*symbol->value);
  for (const Symbol& symbol : symbols.all())
    if (std::ranges::find(wanted, symbol.name) != wanted.end()) graph.symbols.add(symbol);
  const auto polynomial = [&](const std::vector<ex>& coefficients) {
    ex sum = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i)
      sum += coefficients[i] * GiNaC::pow(z, static_cast<int>(coefficients.size() - 1 - i));
    return sum;
  };
  const auto add_once = [](std::vector<NodeId>& list, NodeId node) {
    if (std::find(list.begin(), list.end(), node) == list.end()) list.push_back(node);
  };
  for (const SampledFormula& formula : formulas) {
    const NodeId from = graph.node(formula.input), to = graph.node(formula.output);
    add_once(graph.inputs, from);
    add_once(graph.outputs, to);
    if (!formula.numerator.empty()) graph.add_branch(from, to, polynomial(formula.numerator) / polynomial(formula.denominator));
  }
  return graph;
}

}  // namespace sfg
