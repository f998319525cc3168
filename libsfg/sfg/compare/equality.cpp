#include "sfg/compare/equality.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "sfg/transfer/singular.hpp"

namespace sfg {

namespace {

constexpr std::size_t unlucky_points = 20;
const double smallest_prime = std::pow(2.0, 60);

/// Bounds of the degrees of numerator and denominator of an expression, in all letters together.
class DegreeBound {
 public:
  double of(const GiNaC::ex& e) {
    const Degrees degrees = bound(e);
    return degrees.above + degrees.below;
  }

 private:
  struct Degrees {
    double above = 0, below = 0;
  };

  Degrees bound(const GiNaC::ex& e) {
    if (GiNaC::is_a<GiNaC::numeric>(e)) return {};
    if (GiNaC::is_a<GiNaC::add>(e) || GiNaC::is_a<GiNaC::mul>(e)) {
      const auto key = &GiNaC::ex_to<GiNaC::basic>(e);
      if (const auto known = known_.find(key); known != known_.end()) return known->second;
      return known_[key] = GiNaC::is_a<GiNaC::add>(e) ? sum(e) : product(e);
    }
    if (GiNaC::is_a<GiNaC::power>(e) && GiNaC::is_a<GiNaC::numeric>(e.op(1))) {
      const double exponent = GiNaC::ex_to<GiNaC::numeric>(e.op(1)).to_double(), size = std::ceil(std::abs(exponent));
      const Degrees base = bound(e.op(0));
      return exponent < 0 ? Degrees{size * base.below, size * base.above} : Degrees{size * base.above, size * base.below};
    }
    return {1, 0};
  }
  Degrees sum(const GiNaC::ex& e) {
    Degrees all;
    double excess = 0;
    for (std::size_t i = 0; i < e.nops(); ++i) {
      const Degrees term = bound(e.op(i));
      all.below += term.below;
      excess = std::max(excess, term.above - term.below);
    }
    all.above = all.below + excess;
    return all;
  }
  Degrees product(const GiNaC::ex& e) {
    Degrees all;
    for (std::size_t i = 0; i < e.nops(); ++i) {
      const Degrees factor = bound(e.op(i));
      all.above += factor.above;
      all.below += factor.below;
    }
    return all;
  }
  std::unordered_map<const GiNaC::basic*, Degrees> known_;
};

/// Of a transfer function: every row of I − Aᵀ is cleared of its denominators.
double degree_bound(const SignalFlowGraph& graph) {
  DegreeBound bound;
  double sum = 1;
  for (const Branch& branch : graph.branches())
    if (branch.linear()) sum += bound.of(branch.gain());
  return sum;
}

/// A fraction over the space that both sides share.
RationalFunction over(const PolynomialSpace& space, const RationalFunction& value, const Budget& budget) {
  const auto polynomial = [&](const ring::Polynomial& p) {
    return space.rational(value.space().expression(p), budget).numerator();
  };
  return {space, polynomial(value.numerator()), polynomial(value.denominator())};
}

/// Exactly the same; nothing where the products would be too large to tell.
std::optional<bool> same_fraction(const RationalFunction& a, const RationalFunction& b, const EqualityOptions& options) {
  const auto terms = [](const RationalFunction& f) { return f.numerator().term_count() + f.denominator().term_count(); };
  if (terms(a) + terms(b) > options.exact_terms) return {};
  std::vector<GiNaC::ex> parts;
  for (const RationalFunction* f : {&a, &b})
    for (const ring::Polynomial* p : {&f->numerator(), &f->denominator()}) parts.push_back(f->space().expression(*p));
  const PolynomialSpace space(parts);
  const RationalFunction x = over(space, a, options.budget), y = over(space, b, options.budget);
  if (x.numerator() == y.numerator() && x.denominator() == y.denominator()) return true;
  const double products = static_cast<double>(x.numerator().term_count()) * static_cast<double>(y.denominator().term_count()) +
                          static_cast<double>(y.numerator().term_count()) * static_cast<double>(x.denominator().term_count());
  if (products > 2e7) return {};
  ring::Polynomial difference(space.context());
  difference.add_product(x.numerator(), y.denominator());
  difference.subtract_product(y.numerator(), x.denominator());
  ring::Polynomial below = ring::Polynomial::constant(space.context(), 1);
  if (space.has_roots()) space.settle_roots(difference, below);
  return difference.is_zero();
}

/// What both sides are at random points.
class PointCheck {
 public:
  PointCheck(const ModelPair& pair, const EqualityOptions& options)
      : pair_(pair), options_(options), of_a_(questions_of_a(pair)), of_b_(questions_of_b(pair)), random_(random_points(pair)) {}

  void run(Equality& result) {
    result.same.assign(of_a_.size(), true);
    std::vector<std::size_t> seen(of_a_.size(), 0);
    for (std::size_t attempt = 0; attempt < options_.points + unlucky_points; ++attempt) {
      const auto point = random_(options_.seed * 7919 + attempt, options_.budget);
      const auto a = responses_modulo(pair_.a.graph, of_a_, point, options_.budget);
      const auto b = responses_modulo(pair_.b.graph, of_b_, point, options_.budget);
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (!a[i] || !b[i]) continue;
        ++seen[i];
        if (*a[i] != *b[i]) result.same[i] = false;
      }
      if (std::ranges::all_of(seen, [&](std::size_t n) { return n >= options_.points; })) break;
    }
    result.points = *std::ranges::min_element(seen);
    if (result.points < options_.points) explain_silence();
    const double degree = (degree_bound(pair_.a.graph) + degree_bound(pair_.b.graph)) * random_.chance_factor();
    const double chance = std::min(1.0, degree / smallest_prime);
    result.error_probability =
        std::min(1.0, static_cast<double>(of_a_.size()) * std::pow(chance, static_cast<double>(result.points)));
  }

  bool has_roots() const { return random_.chance_factor() > 1; }

 private:
  [[noreturn]] void explain_silence() const {
    require_answers(pair_.a.graph, of_a_, options_.budget);
    require_answers(pair_.b.graph, of_b_, options_.budget);
    throw NoAnswer("no point was found at which both models have values", "substitute values for the parameters");
  }

  const ModelPair& pair_;
  const EqualityOptions& options_;
  std::vector<Question> of_a_, of_b_;
  RandomPoints random_;
};

std::vector<GiNaC::ex> gains_of(const SignalFlowGraph& a, const SignalFlowGraph& b) {
  std::vector<GiNaC::ex> gains;
  for (const SignalFlowGraph* graph : {&a, &b})
    for (const Branch& branch : graph->branches())
      if (branch.linear()) gains.push_back(branch.gain());
  return gains;
}

/// No gain has another function than powers.
bool rational(const ModelPair& pair) {
  const PolynomialSpace space(gains_of(pair.a.graph, pair.b.graph));
  for (std::size_t i = 0; i < space.size(); ++i)
    if (!GiNaC::is_a<GiNaC::symbol>(space.generator(i))) return false;
  return true;
}

/// The closed forms, or nothing where they are too large.
std::vector<TransferFunction> closed_forms(const SignalFlowGraph& graph, std::span<const Question> questions,
                                           const EqualityOptions& options) {
  try {
    return transfer_functions(graph, questions, {.budget = options.budget.with_terms(options.exact_terms), .seed = options.seed});
  } catch (const LimitReached&) {
    return {};
  }
}

}  // namespace

bool Equality::all() const {
  return std::ranges::all_of(same, [](bool one) { return one; });
}

std::vector<Question> questions_of_a(const ModelPair& pair) {
  std::vector<Question> questions;
  for (const TransferPair& transfer : pair.transfers) questions.push_back(transfer.a);
  return questions;
}

std::vector<Question> questions_of_b(const ModelPair& pair) {
  std::vector<Question> questions;
  for (const TransferPair& transfer : pair.transfers) questions.push_back(transfer.b);
  return questions;
}

RandomPoints random_points(const ModelPair& pair) { return RandomPoints(gains_of(pair.a.graph, pair.b.graph)); }

std::vector<std::optional<std::uint64_t>> responses_modulo(const SignalFlowGraph& graph, std::span<const Question> questions,
                                                           const ModularPoint& point, const Budget& budget) {
  std::vector<std::optional<std::uint64_t>> values(questions.size());
  std::vector<bool> nodes(graph.nodes().size(), false);
  for (const Question& question : questions) {
    const std::vector<bool> relevant = relevant_nodes(graph, question);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = nodes[i] || relevant[i];
  }
  try {
    ModularElimination elimination(graph, point, nodes, budget);
    for (std::size_t i = 0; i < questions.size(); ++i) values[i] = elimination.response(questions[i]);
  } catch (const std::domain_error&) {  // a gain has no value here
  }
  return values;
}

bool same_modulo(const SignalFlowGraph& a, std::span<const Question> of_a, const SignalFlowGraph& b,
                 std::span<const Question> of_b, std::size_t points, const Budget& budget) {
  const RandomPoints random(gains_of(a, b));
  std::size_t seen = 0;
  for (std::size_t attempt = 0; seen < points && attempt < points + unlucky_points; ++attempt) {
    const ModularPoint point = random(104729 + attempt, budget);
    const auto x = responses_modulo(a, of_a, point, budget), y = responses_modulo(b, of_b, point, budget);
    const auto known = [](const std::optional<std::uint64_t>& value) { return value.has_value(); };
    if (!std::ranges::all_of(x, known) || !std::ranges::all_of(y, known)) continue;
    if (x != y) return false;
    ++seen;
  }
  return seen == points;
}

Equality equality(const ModelPair& pair, const EqualityOptions& options) {
  const std::vector<Question> of_a = questions_of_a(pair), of_b = questions_of_b(pair);
  require_answers(pair.a.graph, of_a, options.budget);
  require_answers(pair.b.graph, of_b, options.budget);
  Equality result;
  PointCheck check(pair, options);
  check.run(result);
  result.a = closed_forms(pair.a.graph, of_a, options);
  result.b = closed_forms(pair.b.graph, of_b, options);
  const bool expanded = !result.a.empty() && !result.b.empty();
  bool proved = true;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (!result.same[i] && !check.has_roots()) continue;  // two values that differ are proof
    const auto exact = expanded ? same_fraction(result.a[i].value, result.b[i].value, options) : std::nullopt;
    const bool contradicts = exact && result.same[i] && !*exact;  // roots and function values that depend on each other
    if (contradicts && !check.has_roots() && rational(pair))
      throw std::logic_error("equality: two models agree at random points and differ as polynomials");
    if (exact && !contradicts) result.same[i] = *exact;
    proved = proved && exact && !contradicts;
  }
  result.method = proved ? Equality::Method::exact : Equality::Method::modular;
  if (proved) result.error_probability = 0;
  return result;
}

}  // namespace sfg
