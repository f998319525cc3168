// T = Σ P_k Δ_k / Δ as a quotient of products of block determinants (graph_matrix). Blocks that stand above and below
// cancel unseen; the others are expanded with cleared rows (cleared_blocks), and the few small factors that remain are
// made coprime in pairs, so that no gcd of the expanded products is ever taken.
#include "sfg/transfer/transfer.hpp"

#include <ginac/numeric.h>
#include <ginac/operators.h>
#include <ginac/symbol.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/exact_constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/cleared_blocks.hpp"
#include "sfg/transfer/graph_matrix.hpp"
#include "sfg/transfer/singular.hpp"
#include "sfg/transfer/term_counts.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

/// Factors of a fraction while it is being cancelled.
class Fraction {
 public:
  explicit Fraction(const PolynomialSpace& space) : space_(space), cancelled_(Polynomial::constant(space.context(), 1)) {}

  void add(const ClearedBlock& block, bool above) {
    (above ? above_ : below_).push_back({block.determinant, block.irreducible});
    for (const auto& [row, scale] : block.scales) {
      const auto [at, fresh] = (above ? below_scales_ : above_scales_).try_emplace(row, scale);
      if (!fresh) at->second *= scale;
    }
  }
  void negate() { above_.push_back({Polynomial::constant(space_.context(), -1)}); }

  /// Cancels; afterwards every factor above is coprime to every factor below.
  void cancel() {
    // What one row was multiplied by above and below is no property of the graph: it goes first and unreported.
    for (auto& [row, scale] : above_scales_)
      if (const auto other = below_scales_.find(row); other != below_scales_.end()) divide(scale, other->second);
    for (auto& [row, scale] : above_scales_) above_.push_back({std::move(scale)});
    for (auto& [row, scale] : below_scales_) below_.push_back({std::move(scale)});
    for (Factor& a : above_)
      for (Factor& b : below_) {
        if (a.irreducible && b.irreducible && !associated(a.value, b.value)) continue;
        if (const Polynomial common = divide(a.value, b.value); !common.is_constant()) cancelled_ *= common;
      }
  }

  const Polynomial& cancelled() const { return cancelled_; }

  /// Takes the factors.
  RationalFunction value(const Budget& budget) {
    Polynomial above = product(above_, budget);
    if (above.is_zero()) return RationalFunction(space_, above, Polynomial::constant(space_.context(), 1));
    Polynomial below = product(below_, budget);
    settle_contents(above, below);
    RationalFunction result(space_, std::move(above), std::move(below));
    if (space_.has_roots()) return result.reduced();
    return result;
  }

 private:
  struct Factor {
    Polynomial value;
    bool irreducible = false;  ///< known to be; by now it may have become 1
  };

  /// Equal but for the sign: what irreducible factors with coefficients ±1 are, unless they are coprime.
  static bool associated(const Polynomial& a, const Polynomial& b) {
    return a.term_count() == b.term_count() && (a == b || a == -b);
  }
  Polynomial product(std::vector<Factor>& factors, const Budget& budget) const {
    if (factors.size() == 1) return std::move(factors.front().value);
    std::vector<const Polynomial*> values;
    for (const Factor& factor : factors) values.push_back(&factor.value);
    return sfg::product(space_.context(), std::move(values), budget);
  }
  static bool share_variables(const Polynomial& a, const Polynomial& b) {
    const std::vector<std::size_t> in_a = a.degrees(), in_b = b.degrees();
    for (std::size_t v = 0; v < in_a.size(); ++v)
      if (in_a[v] > 0 && in_b[v] > 0) return true;
    return false;
  }
  /// Divides both by their greatest common divisor, which is returned: where a is 0 all of b, if it has modes.
  Polynomial divide(Polynomial& a, Polynomial& b) const {
    if (a.is_zero()) {
      Polynomial all = std::exchange(b, Polynomial::constant(space_.context(), 1));
      return all.depends_on(0) ? all : b;
    }
    if (!share_variables(a, b)) return Polynomial::constant(space_.context(), 1);
    Polynomial common = gcd(a, b);
    if (common.is_constant()) return common;
    a = exact_quotient(a, common).value();
    b = exact_quotient(b, common).value();
    return common;
  }

  const PolynomialSpace& space_;
  std::vector<Factor> above_, below_;
  std::map<std::uint32_t, Polynomial> above_scales_, below_scales_;
  Polynomial cancelled_;
};

double degree_sum(const Polynomial& polynomial) {
  double sum = 0;
  for (const std::size_t degree : polynomial.degrees()) sum += static_cast<double>(degree);
  return sum;
}

/// Whether √2 or the like is among its generators.
bool has_constants(const PolynomialSpace& space) {
  for (std::size_t i = 0; i < space.size(); ++i)
    if (!GiNaC::is_a<GiNaC::symbol>(space.generator(i)) && symbol_names(space.generator(i)).empty()) return true;
  return false;
}

/// Value of the fraction at a point; nothing when the denominator vanishes there.
std::optional<std::uint64_t> value_at(const RationalFunction& value, const ModularPoint& point) {
  std::vector<std::uint64_t> residues;
  for (std::size_t i = 0; i < value.space().size(); ++i) {
    const auto residue = point(value.space().generator(i));
    if (!residue) return std::nullopt;
    residues.push_back(*residue);
  }
  const ring::ModularRing ring(point.prime());
  try {
    const std::uint64_t below = value.denominator().modulo(point.prime(), residues);
    if (below == 0) return std::nullopt;
    return ring.divide(value.numerator().modulo(point.prime(), residues), below);
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<TransferFunction> transfer_functions(const SignalFlowGraph& graph, std::span<const Question> questions,
                                                 const TransferOptions& options) {
  const Budget& budget = options.budget;
  require_answers(graph, questions, budget);
  GraphMatrix matrix(graph, {}, budget);
  TermCounter counter(matrix, ParallelBranches::apart);
  const std::optional<ring::Integer> determinant_terms = counter.count(matrix.determinant());

  std::vector<GraphMatrix::Quotient> quotients;
  std::vector<TermCounts> terms;
  std::set<std::size_t> needed;
  for (const Question& question : questions) {
    quotients.push_back(matrix.response(question));
    terms.push_back({counter.count(quotients.back().numerator), determinant_terms});
    needed.insert(quotients.back().above.begin(), quotients.back().above.end());
    needed.insert(quotients.back().below.begin(), quotients.back().below.end());
  }

  ClearedBlocks blocks(graph, matrix, needed, graph.op.in(graph.symbols), budget);
  std::vector<TransferFunction> results;
  std::vector<double> degrees;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    Fraction fraction(blocks.space());
    if (quotients[i].negative) fraction.negate();
    for (const std::size_t id : quotients[i].above) fraction.add(blocks[id], true);
    for (const std::size_t id : quotients[i].below) fraction.add(blocks[id], false);
    fraction.cancel();
    std::set<std::size_t> asked(quotients[i].above.begin(), quotients[i].above.end());
    asked.insert(quotients[i].below.begin(), quotients[i].below.end());
    const Polynomial cancelled = fraction.cancelled() * blocks.hidden(asked);
    const Polynomial zero(blocks.space().context()), one = Polynomial::constant(blocks.space().context(), 1);
    results.push_back({questions[i],
                       quotients[i].zero ? RationalFunction(blocks.space(), zero, one) : fraction.value(budget),
                       cancelled,
                       terms[i],
                       {}});
    const RationalFunction& value = results.back().value;
    degrees.push_back(2 * (degree_sum(value.numerator()) + degree_sum(value.denominator()) + degree_sum(cancelled)) +
                      static_cast<double>(graph.branches().size()));
  }
  const auto checks = verified(
      graph, questions, [&](std::size_t i, const ModularPoint& point) { return value_at(results[i].value, point); }, degrees,
      options.seed, 2, budget);
  const bool constants = has_constants(blocks.space());
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].verification = checks[i];
    if (!constants) continue;
    if (settled(results[i].value.denominator(), blocks.space()).is_zero())
      throw NoAnswer("the determinant vanishes: the irrational values of the graph cancel in it", Advice::list_loops);
    results[i].value = settled(std::move(results[i].value));
  }
  return results;
}

TransferFunction transfer_function(const SignalFlowGraph& graph, const Question& question, const TransferOptions& options) {
  return std::move(transfer_functions(graph, std::span(&question, 1), options).front());
}

namespace {

/// The coefficients of a polynomial by powers of the first variable, with the values put in.
std::vector<GiNaC::ex> valued(const PolynomialSpace& space, const Polynomial& polynomial, const GiNaC::exmap& values) {
  std::vector<GiNaC::ex> result;
  for (const Polynomial& coefficient : polynomial.coefficients(0))
    result.push_back(space.expression(coefficient).subs(values, GiNaC::subs_options::no_pattern));
  return result;
}

double rounded(const GiNaC::ex& constant) {
  if (GiNaC::is_a<GiNaC::numeric>(constant) && GiNaC::ex_to<GiNaC::numeric>(constant).is_real())
    return GiNaC::ex_to<GiNaC::numeric>(constant).to_double();
  const auto number = exact_number(constant, exact::ExactField());
  if (!number) throw Error(SourceSpan{}, "a coefficient of the transfer function is no real number: " + print(constant));
  try {
    return number->rounded().to_double();
  } catch (const exact::Undecided& why) {
    throw undecided("a coefficient of the transfer function", constant, why);
  }
}

/// Without leading zeros.
std::vector<double> rounded(const std::vector<GiNaC::ex>& coefficients) {
  std::vector<double> result;
  for (const GiNaC::ex& coefficient : coefficients)
    if (!result.empty() || !vanishes(coefficient)) result.push_back(rounded(coefficient));
  return result;
}

bool in_range(const NumericTransfer& transfer) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::all_of(transfer.num.begin(), transfer.num.end(), finite) &&
         std::all_of(transfer.den.begin(), transfer.den.end(), finite);
}

std::vector<GiNaC::ex> quotients(std::vector<GiNaC::ex> coefficients, const GiNaC::ex& divisor) {
  for (GiNaC::ex& coefficient : coefficients) coefficient = coefficient / divisor;
  return coefficients;
}

/// Integers of a point that is known to 40 digits, say.
bool unwieldy(const NumericTransfer& transfer) {
  return std::ranges::any_of(transfer.den, [](double c) { return std::abs(c) > 1e30; });
}

}  // namespace

NumericTransfer numeric_transfer(const TransferFunction& transfer, const SymbolTable& symbols) {
  const PolynomialSpace& space = transfer.value.space();
  const GiNaC::ex& variable = space.generator(0);
  for (std::size_t i = 1; i < space.size(); ++i) {
    const bool occurs = transfer.value.numerator().depends_on(i) || transfer.value.denominator().depends_on(i);
    if (occurs && space.generator(i).has(variable))
      throw Error(SourceSpan{},
                  "the transfer function is not rational in " + print(variable) + ": it contains " + print(space.generator(i)),
                  "ask for its frequency response, or replace the term by a rational one");
  }
  const GiNaC::exmap values = symbols.values();
  const std::vector<GiNaC::ex> num = valued(space, transfer.value.numerator(), values);
  const std::vector<GiNaC::ex> den = valued(space, transfer.value.denominator(), values);
  std::set<std::string> missing;
  for (const auto* side : {&num, &den})
    for (const GiNaC::ex& coefficient : *side)
      for (const std::string& name : symbol_names(coefficient)) missing.insert(name);
  if (!missing.empty()) throw missing_values(missing, symbols);
  NumericTransfer result{rounded(num), rounded(den)};
  if ((!in_range(result) || unwieldy(result)) && !den.empty()) {  // coefficients as derived may be any integers
    const auto leading = std::find_if(den.begin(), den.end(), [](const GiNaC::ex& c) { return !vanishes(c); });
    result = {rounded(quotients(num, *leading)), rounded(quotients(den, *leading))};
  }
  if (!in_range(result))
    throw NoAnswer("the coefficients of the transfer function leave the range of a double", Advice::ask_factored_numbers);
  if (result.den.empty())
    throw NoAnswer("the denominator of the transfer function vanishes at the given values",
                   "change a value; the graph is singular there");
  if (result.num.empty()) result.num.push_back(0);
  return result;
}

}  // namespace sfg
