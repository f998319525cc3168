#include "sfg/compare/comparison.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "sfg/expr/exact_constant.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/graph/independent_gains.hpp"
#include "sfg/transfer/singular.hpp"
#include "sfg/transfer/verify.hpp"

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
  try {
    return settled(difference, space).is_zero();
  } catch (const NoAnswer&) {  // a number of which not even that is known
    return {};
  }
}

/// What both sides are at random points.
class PointCheck {
 public:
  PointCheck(const ModelPair& pair, const EqualityOptions& options)
      : pair_(pair), options_(options), of_a_(questions_of_a(pair)), of_b_(questions_of_b(pair)), random_(random_points(pair)) {}

  /// Of every pair, whether it is the same at all points.
  std::vector<bool> run(Equality& result) {
    std::vector<bool> same(of_a_.size(), true);
    std::vector<std::size_t> seen(of_a_.size(), 0);
    for (std::size_t attempt = 0; attempt < options_.points + unlucky_points; ++attempt) {
      const auto point = random_(options_.seed * 7919 + attempt, options_.budget);
      const auto a = responses_modulo(pair_.a.graph, of_a_, point, options_.budget);
      const auto b = responses_modulo(pair_.b.graph, of_b_, point, options_.budget);
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (!a[i] || !b[i]) continue;
        ++seen[i];
        if (*a[i] != *b[i]) same[i] = false;
      }
      if (std::ranges::all_of(seen, [&](std::size_t n) { return n >= options_.points; })) break;
    }
    result.points = *std::ranges::min_element(seen);
    if (result.points < options_.points) explain_silence();
    const double degree = (degree_bound(pair_.a.graph) + degree_bound(pair_.b.graph)) * random_.chance_factor();
    const double chance = std::min(1.0, degree / smallest_prime);
    result.error_probability =
        std::min(1.0, static_cast<double>(of_a_.size()) * std::pow(chance, static_cast<double>(result.points)));
    return same;
  }

  /// The same, all different where roots or functions leave no point: nothing is concluded of it.
  std::vector<bool> run_where_possible(Equality& result) {
    try {
      return run(result);
    } catch (const LimitReached&) {
    } catch (const NoAnswer&) {
    }
    return std::vector<bool>(of_a_.size(), false);
  }

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
  std::vector<GiNaC::ex> gains = gains_between(a), more = gains_between(b);
  gains.insert(gains.end(), more.begin(), more.end());
  return gains;
}

/// Both models in letters that are independent of each other, as far as their functions are understood.
struct Rewritten {
  ModelPair pair;
  bool anew = false;     ///< there was something to rewrite
  bool complete = true;  ///< no function is left that may depend on others
  bool open_signs = false;
};

Rewritten rewritten(const ModelPair& pair, bool positive) {
  const std::vector<GiNaC::ex> gains = gains_of(pair.a.graph, pair.b.graph);
  IndependentFunctions functions(gains, pair.a.graph.op.in(pair.a.graph.symbols), positive);
  if (!functions.needed()) return {pair};
  Rewritten result{pair, true};
  for (ComparedModel* model : {&result.pair.a, &result.pair.b}) model->graph = with_independent_gains(model->graph, functions);
  result.complete = functions.complete();
  result.open_signs = functions.has_open_signs();
  return result;
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

Sameness combined(std::span<const Sameness> parts) {
  for (const Sameness worst : {Sameness::different, Sameness::open})
    if (std::ranges::find(parts, worst) != parts.end()) return worst;
  return Sameness::same;
}

bool Equality::all() const { return combined(same) == Sameness::same; }

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
  const std::vector<bool> nodes = relevant_nodes(graph, questions);
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
  const Rewritten own = rewritten(pair, options.positive);
  Equality result;
  result.functions = own.anew;
  PointCheck check(own.pair, options);
  const std::vector<bool> at_points = own.complete ? check.run(result) : check.run_where_possible(result);
  result.a = closed_forms(pair.a.graph, of_a, options);
  result.b = closed_forms(pair.b.graph, of_b, options);
  const auto forms = [&](const ComparedModel& model, const std::vector<Question>& asked, const auto& known) {
    return own.anew ? closed_forms(model.graph, asked, options) : known;
  };
  const auto a = forms(own.pair.a, of_a, result.a), b = forms(own.pair.b, of_b, result.b);
  bool proved = true;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    result.same.push_back(Sameness::different);
    if (own.complete && !at_points[i]) continue;  // two values that differ are proof
    std::optional<bool> exact;
    if (!a.empty() && !b.empty()) exact = same_fraction(a[i].value, b[i].value, options);
    if (own.complete && exact && !*exact)
      throw std::logic_error("equality: two models agree at random points and differ as polynomials");
    const bool same = exact ? *exact : at_points[i] && !own.open_signs;
    result.same.back() = same ? Sameness::same : Sameness::open;
    proved = proved && (exact || !same);
  }
  result.method = proved ? Equality::Method::exact : Equality::Method::modular;
  if (proved) result.error_probability = 0;
  return result;
}

}  // namespace sfg
