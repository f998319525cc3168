// T = N/D with polynomials N, D of one space. With N′, D′ the derivatives by k,
//   ∂T/∂k = (N′D − N D′)/D²,   (k/T) ∂T/∂k = k (N′D − N D′)/(N D).
// A kernel such as exp(−s·T) or sqrt(k) is a variable of its own: it adds its derivative by the chain rule. So does every
// parameter that is derived from k.
#include "sfg/study/local/sensitivity.hpp"

#include <ginac/ginac.h>

#include <optional>
#include <utility>

#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/study/local/exact_sensitivity.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

/// N′D − N D′ by variable `index` of the space.
Polynomial wronskian(const Polynomial& N, const Polynomial& D, std::size_t index) {
  return N.derivative(index) * D - N * D.derivative(index);
}

/// p = common·rest, p′ = common·slope. A factor that p has a times is in p′ a − 1 times where it depends on the variable: it is
/// in the rest once. Others are in `common` alone.
struct Separated {
  Polynomial common, rest, slope;
};
Separated separated(const Polynomial& p, std::size_t index) {
  auto parts = gcd_cofactors(p, p.derivative(index));
  return {std::move(parts.gcd), std::move(parts.a), std::move(parts.b)};
}

/// The derivatives of N/D, N and D coprime, by one variable of a space without roots. With both separated and
/// V = N₁′D₁ − N₁D₁′ (prime to N₁ and D₁) they are (N₀/D₀) V/D₁² and k V/(N₁D₁), so that little is left to cancel: what D₀ has
/// in common with V, and k itself. Greatest common divisors of (N′D − N D′) and D² take ten times as long.
class QuotientSlopes {
 public:
  QuotientSlopes(const RationalFunction& T, std::size_t index)
      : space_(T.space()),
        index_(index),
        upper_(separated(T.numerator(), index)),
        lower_(separated(T.denominator(), index)),
        V_(upper_.slope * lower_.rest - upper_.rest * lower_.slope) {}

  RationalFunction derivative() const {
    const auto parts = gcd_cofactors(V_, lower_.common);
    return settled(upper_.common * parts.a, parts.b * lower_.rest * lower_.rest);
  }
  RationalFunction relative() const {
    const Polynomial below = upper_.rest * lower_.rest, k = Polynomial::variable(space_.context(), index_);
    if (auto quotient = exact_quotient(below, k)) return settled(V_, std::move(*quotient));
    return settled(k * V_, below);
  }

 private:
  RationalFunction settled(Polynomial above, Polynomial below) const {
    if (above.is_zero()) below = Polynomial::constant(space_.context(), 1);
    settle_contents(above, below);
    return {space_, std::move(above), std::move(below)};
  }

  const PolynomialSpace& space_;
  std::size_t index_;
  Separated upper_, lower_;
  Polynomial V_;
};

/// The derived parameters whose definitions have roots (h = 2*z*sqrt(k*m)). Their derivatives have the same roots, so that much
/// cancels only once the definitions are put in.
GiNaC::exmap with_roots(const GiNaC::exmap& derived) {
  GiNaC::exmap result;
  for (const auto& [parameter, definition] : derived)
    for (auto part = definition.preorder_begin(); part != definition.preorder_end(); ++part)
      if (is_root(*part)) result[parameter] = definition;
  return result;
}

bool uses(const PolynomialSpace& space, const GiNaC::exmap& symbols) {
  for (std::size_t i = 0; i < space.size(); ++i)
    if (symbols.contains(space.generator(i))) return true;
  return false;
}

RationalFunction constant(const PolynomialSpace& space, int value) {
  return {space, Polynomial::constant(space.context(), value), Polynomial::constant(space.context(), 1)};
}

/// The graph's way of differentiating: fractions by parameters, what is derived from them moving along.
class Differentiation {
 public:
  explicit Differentiation(const StudiedGraph& studied)
      : s_(studied.graph.op.in(studied.graph.symbols)),
        derived_(definitions(studied.graph.symbols)),
        rooted_(with_roots(derived_)) {
    for (const StudyParameter& parameter : studied.parameters)
      if (parameter.role != StudyParameter::Role::parameter) offsets_[parameter.symbol] = 0;
  }

  /// ∂T/∂k in lowest terms; offsets stay symbols.
  RationalFunction derivative(const RationalFunction& T, const GiNaC::ex& k) const {
    const Polynomial &N = T.numerator(), &D = T.denominator();
    const auto depends = dependences(T.space(), k, derived_);
    if (depends.empty() || N.is_zero()) return constant(T.space(), 0);
    if (const auto index = alone(T.space(), depends)) return QuotientSlopes(T, *index).derivative();
    if (!uses(T.space(), rooted_) && depends.size() == 1 && depends.front().second.is_equal(1))
      return RationalFunction(T.space(), wronskian(N, D, depends.front().first), D * D).reduced();
    GiNaC::ex above = 0;
    for (const auto& [index, slope] : depends) above += T.space().expression(wronskian(N, D, index)) * slope;
    return fraction(put_in(above) / GiNaC::pow(put_in(T.space().expression(D)), 2));
  }

  /// (k/T) slope, 0 where T = 0.
  RationalFunction relative(const RationalFunction& T, const RationalFunction& slope, const GiNaC::ex& k) const {
    if (slope.numerator().is_zero() || T.numerator().is_zero()) return constant(T.space(), 0);
    const auto index = T.space().index(k);
    if (index && slope.space().context() == T.space().context()) {
      const Polynomial factor = Polynomial::variable(T.space().context(), *index);
      return RationalFunction(T.space(), factor * slope.numerator() * T.denominator(), slope.denominator() * T.numerator())
          .reduced();
    }
    return fraction(k * slope.expression() * put_in(T.space().expression(T.denominator())) /
                    put_in(T.space().expression(T.numerator())));
  }

  /// ∂T/∂k and (k/T) ∂T/∂k. @param settled  T with 0 for every offset
  std::pair<RationalFunction, RationalFunction> both(const RationalFunction& T, const RationalFunction& settled_T,
                                                     const StudyParameter& k) const {
    if (offsets_.empty() && k.nominal.is_equal(k.symbol) && !T.numerator().is_zero())
      if (const auto index = alone(T.space(), dependences(T.space(), k.symbol, derived_));
          index && T.space().generator(*index).is_equal(k.symbol)) {
        const QuotientSlopes slopes(T, *index);
        return {slopes.derivative(), slopes.relative()};
      }
    RationalFunction slope = settled(derivative(T, k.symbol));
    RationalFunction ratio = relative(settled_T, slope, k.nominal);
    return {std::move(slope), std::move(ratio)};
  }

  /// With 0 for every offset.
  RationalFunction settled(const RationalFunction& f) const {
    bool any = false;
    Polynomial above = f.numerator(), below = f.denominator();
    for (const auto& [offset, zero] : offsets_) {
      const auto index = f.space().index(offset);
      if (!index) continue;
      any = true;
      const Polynomial nothing(f.space().context());
      above = above.substituted(*index, nothing);
      below = below.substituted(*index, nothing);
    }
    return any ? RationalFunction(f.space(), above, below).reduced() : f;
  }

 private:
  /// The variable, where T depends on k through it alone and nothing has roots.
  std::optional<std::size_t> alone(const PolynomialSpace& space,
                                   const std::vector<std::pair<std::size_t, GiNaC::ex>>& depends) const {
    if (depends.size() != 1 || !depends.front().second.is_equal(1) || space.has_roots() || uses(space, rooted_)) return {};
    return depends.front().first;
  }
  GiNaC::ex put_in(const GiNaC::ex& e) const { return e.subs(rooted_, GiNaC::subs_options::no_pattern); }
  RationalFunction fraction(const GiNaC::ex& e) const {
    const GiNaC::ex normal = normal_form(e);
    return PolynomialSpace(std::span(&normal, 1), s_).rational(normal).reduced();
  }

  GiNaC::ex s_;
  GiNaC::exmap derived_, rooted_, offsets_;
};

}  // namespace

GiNaC::ex total_derivative(const GiNaC::ex& expression, const GiNaC::ex& k, const GiNaC::exmap& derived) {
  const auto& symbol = GiNaC::ex_to<GiNaC::symbol>(k);
  GiNaC::ex slope = expression.diff(symbol);
  for (const auto& [parameter, definition] : derived)
    if (expression.has(parameter)) slope += expression.diff(GiNaC::ex_to<GiNaC::symbol>(parameter)) * definition.diff(symbol);
  return slope;
}

std::vector<std::pair<std::size_t, GiNaC::ex>> dependences(const PolynomialSpace& space, const GiNaC::ex& k,
                                                           const GiNaC::exmap& derived) {
  std::vector<std::pair<std::size_t, GiNaC::ex>> result;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const GiNaC::ex slope = total_derivative(space.generator(i), k, derived);
    if (!slope.is_zero()) result.emplace_back(i, slope);
  }
  return result;
}

std::vector<Sensitivity> sensitivities(const TransferFunction& transfer, const StudiedGraph& studied, const Budget& budget) {
  const Differentiation by(studied);
  const RationalFunction T = by.settled(transfer.value);
  std::vector<Sensitivity> result;
  for (const StudyParameter& parameter : studied.parameters) {
    budget.check("the sensitivities");
    auto [slope, relative] = by.both(transfer.value, T, parameter);
    result.push_back({parameter.name, std::move(slope), std::move(relative)});
  }
  return result;
}

std::vector<Sensitivity> sensitivities(const TransferFunction& transfer, const SignalFlowGraph& graph, const Budget& budget) {
  return sensitivities(transfer, studied(graph), budget);
}

RationalFunction derivative(const TransferFunction& transfer, const StudiedGraph& studied, const StudyParameter& parameter) {
  const Differentiation by(studied);
  return by.settled(by.derivative(transfer.value, parameter.symbol));
}

std::vector<SecondSensitivity> second_sensitivities(const TransferFunction& transfer, const StudiedGraph& studied,
                                                    const Budget& budget) {
  const Differentiation by(studied);
  std::vector<SecondSensitivity> result;
  for (std::size_t k = 0; k < studied.parameters.size(); ++k) {
    const RationalFunction slope = by.derivative(transfer.value, studied.parameters[k].symbol);
    for (std::size_t l = k; l < studied.parameters.size(); ++l) {
      budget.check("the second derivatives");
      result.push_back({studied.parameters[k].name, studied.parameters[l].name,
                        by.settled(by.derivative(slope, studied.parameters[l].symbol))});
    }
  }
  return result;
}

}  // namespace sfg
