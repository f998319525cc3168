// Dominant terms in three steps: the truth with numbers alone, which is cheap at any size; an expanded form, of the graph itself
// or of equations made simpler first; the terms of it that matter. A step only proposes: the error of the result is measured
// against the truth, and where it is too large between the frequencies that were looked at, the worst one joins them.
#include "sfg/approximate/approximate.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/approximate/simplified_graph.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/response/frequency_response.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;

constexpr std::uint64_t most_terms = 20'000;  ///< of a polynomial whose terms are weighed one by one
constexpr int most_rounds = 12;

/// The exact transfer function with numbers, and its values where the approximation is looked at.
class Truth {
 public:
  Truth(const SignalFlowGraph& graph, const Question& question, const ApproximateOptions& options) {
    values_ = graph.parameter_values();
    const SignalFlowGraph numbered = graph.substituted(values_);
    const TransferFunction transfer = transfer_function(numbered, question, {options.budget, options.seed});
    verification_ = transfer.verification;
    terms_ = transfer.terms;
    exact_ = exact_transfer(transfer, numbered);
    if (exact_.numerator.parts.empty()) return;
    range_ = options.range ? *options.range : whole_range();
    look_at_all(logarithmic(range_.first, range_.second, 60));
    look_at_roots();
  }

  bool zero() const { return exact_.numerator.parts.empty(); }
  const GiNaC::exmap& values() const { return values_; }
  const ExactTransfer& exact() const { return exact_; }
  const TermCounts& terms() const { return terms_; }
  const Verification& verification() const { return verification_; }
  std::pair<double, double> range() const { return range_; }
  std::span<const TrueValue> samples() const { return samples_; }

  void look_at_all(const std::vector<double>& frequencies) {
    std::vector<Complex> points;
    for (const double w : frequencies) points.emplace_back(0, w);
    const std::vector<Complex> found = values_at(exact_, points);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (std::isfinite(std::abs(found[i])) && found[i] != 0.0) samples_.push_back({frequencies[i], found[i]});
  }

 private:
  /// Around all poles and zeros, less the ends where next to nothing passes: formulas for those are long, and of no use.
  std::pair<double, double> whole_range() const {
    constexpr double next_to_nothing = 1e-3;
    const std::vector<double> frequencies = frequency_range(std::span(&exact_, 1));
    std::vector<Complex> points;
    for (const double w : frequencies) points.emplace_back(0, w);
    std::vector<double> magnitudes;
    for (const Complex value : values_at(exact_, points))
      magnitudes.push_back(std::isfinite(std::abs(value)) ? std::abs(value) : 0);
    const double least = next_to_nothing * *std::max_element(magnitudes.begin(), magnitudes.end());
    const auto passes = [&](double magnitude) { return magnitude >= least; };
    const auto first = std::find_if(magnitudes.begin(), magnitudes.end(), passes) - magnitudes.begin();
    const auto last = magnitudes.rend() - std::find_if(magnitudes.rbegin(), magnitudes.rend(), passes) - 1;
    return {frequencies[static_cast<std::size_t>(first)], frequencies[static_cast<std::size_t>(last)]};
  }
  /// Resonances are narrow: the grid may step over them.
  void look_at_roots() {
    std::vector<double> frequencies;
    for (const QuasiPolynomial* side : {&exact_.numerator, &exact_.denominator})
      for (const auto& part : side->parts)
        for (const Complex root : exact::root_values(part.polynomial.coefficients()))
          if (const double w = std::abs(root.imag()); root.real() != 0 && w > range_.first && w < range_.second)
            frequencies.push_back(w);
    look_at_all(frequencies);
  }

  GiNaC::exmap values_;
  ExactTransfer exact_;
  TermCounts terms_;
  Verification verification_;
  std::pair<double, double> range_;
  std::vector<TrueValue> samples_;
};

/// An expanded form that is exact, or near enough to leave room for the choice among its terms.
struct Expanded {
  RationalFunction value;
  ApproximateTransfer::Kept products;
};

Expanded expanded(const SignalFlowGraph& graph, const Question& question, const Truth& truth, const ApproximateOptions& options) {
  const TransferOptions few{options.budget.with_terms(std::min(most_terms, options.budget.limits().terms)), options.seed};
  try {
    return {transfer_function(graph, question, few).value, {}};
  } catch (const LimitReached&) {
    options.budget.check("the approximation");  // it was the time that ended
  }
  for (const double share : {0.5, 0.7, 0.9}) {
    const ErrorLimit part{options.limit.magnitude_db * share, options.limit.phase_deg * share};
    const SimplifiedGraph simple =
        simplified(graph, question, truth.values(), truth.samples(), part, options.budget);
    try {
      return {transfer_function(simple.graph, simple.question, few).value, {simple.kept, simple.of}};
    } catch (const LimitReached&) {
      options.budget.check("the approximation");
    }
  }
  throw LimitReached("an approximation within " + print(options.limit.magnitude_db) + " dB still has too many terms",
                     "allow a greater error, or ask for a narrower range of frequencies");
}

/// The approximation with the numbers of the design point.
ExactTransfer numbered(const RationalFunction& value, const SignalFlowGraph& graph, const Question& question) {
  const ring::Polynomial one = ring::Polynomial::constant(value.space().context(), 1);
  return exact_transfer(TransferFunction{question, value, one, {}, {}}, graph);
}

bool too_large(const Deviation& error, const ErrorLimit& limit) {
  return error.magnitude_db > limit.magnitude_db || error.phase_deg > limit.phase_deg;
}

void choose_terms(ApproximateTransfer& result, const SignalFlowGraph& graph, const Expanded& form, Truth& truth,
                  const ApproximateOptions& options) {
  ErrorLimit tried{options.limit.magnitude_db * 0.998, options.limit.phase_deg * 0.998};  // the measured error is rounded upwards
  for (int round = 0; round < most_rounds; ++round) {
    options.budget.check("choosing the dominant terms");
    result.value = dominant_terms(form.value, truth.values(), truth.samples(), tried, options.budget);
    result.error = deviation(numbered(result.value, graph, result.question), truth.exact(), result.low, result.high);
    if (!too_large(result.error, options.limit)) return;
    truth.look_at_all({result.error.magnitude_at, result.error.phase_at});
    if (round >= most_rounds / 2) tried = {tried.magnitude_db * 0.7, tried.phase_deg * 0.7};
  }
  result.value = form.value;
  result.error = deviation(numbered(result.value, graph, result.question), truth.exact(), result.low, result.high);
  if (too_large(result.error, options.limit))
    throw NoAnswer("no approximation within the wanted error was found", "allow a greater error, or ask for the exact form");
}

/// The lowest coefficient of a polynomial in the operator with its power, times Π (1 − s/root); nothing where a root has no formula.
std::optional<RationalFunction> from_roots(const RationalFunction& value, const ring::Polynomial& side,
                                           const std::vector<SplitRoots>& roots) {
  const auto coefficients = side.sparse_coefficients(0);
  const auto& [lowest, at_rest] = coefficients.back();
  std::uint64_t missing = coefficients.front().first - lowest;
  const ring::Polynomial variable = ring::Polynomial::variable(value.space().context(), 0);
  ring::Polynomial above = at_rest * variable.power(lowest), below = ring::Polynomial::constant(value.space().context(), 1);
  for (const SplitRoots& group : roots) {
    missing -= group.values.size();
    const RationalFunction& formula = group.formula;
    const bool single = group.values.size() == 1;
    above *= single ? formula.numerator() - variable * formula.denominator() : formula.numerator();
    below *= single ? formula.numerator() : formula.numerator().coefficients(0).back();
  }
  if (missing != 0) return std::nullopt;
  return RationalFunction(value.space(), std::move(above), std::move(below));
}

std::optional<ApproximateTransfer::ByRoots> by_roots(const ApproximateTransfer& transfer, const SignalFlowGraph& graph,
                                                     const Truth& truth) {
  const auto above = from_roots(transfer.value, transfer.value.numerator(), transfer.zeros);
  const auto below = from_roots(transfer.value, transfer.value.denominator(), transfer.poles);
  if (!above || !below) return std::nullopt;
  RationalFunction value = RationalFunction(transfer.value.space(), above->numerator() * below->denominator(),
                                            above->denominator() * below->numerator())
                               .reduced();
  const Deviation error = deviation(numbered(value, graph, transfer.question), truth.exact(), transfer.low, transfer.high);
  if (too_large(error, transfer.limit)) return std::nullopt;
  return ApproximateTransfer::ByRoots{std::move(value), error};
}

ApproximateTransfer approximated(const SignalFlowGraph& graph, const Question& question, const ApproximateOptions& options) {
  Truth truth(graph, question, options);
  const GiNaC::ex variable = graph.op.in(graph.symbols);
  const PolynomialSpace space(std::vector<GiNaC::ex>{variable}, variable);
  ApproximateTransfer result{
      .question = question,
      .value = RationalFunction(space, ring::Polynomial(space.context()), ring::Polynomial::constant(space.context(), 1)),
      .limit = options.limit,
      .terms = truth.terms(),
      .verification = truth.verification()};
  if (truth.zero()) return result;
  std::tie(result.low, result.high) = truth.range();
  if (truth.samples().empty()) throw NoAnswer("the transfer function has no value on the range", Advice::change_frequencies);
  const Expanded form = expanded(graph, question, truth, options);
  result.products = form.products;
  choose_terms(result, graph, form, truth, options);
  const bool all_known = form.products.of == 0;
  result.numerator = {result.value.numerator().term_count(), all_known ? form.value.numerator().term_count() : 0};
  result.denominator = {result.value.denominator().term_count(), all_known ? form.value.denominator().term_count() : 0};
  const ExactTransfer numbers = numbered(result.value, graph, question);
  if (numbers.rational() && truth.exact().rational()) {
    result.exact_poles = exact::root_values(truth.exact().denominator.polynomial().coefficients());
    result.exact_zeros = exact::root_values(truth.exact().numerator.polynomial().coefficients());
    result.poles = split_roots(result.value.space(), result.value.denominator(), numbers.denominator.polynomial().coefficients(),
                               result.exact_poles);
    result.zeros = split_roots(result.value.space(), result.value.numerator(), numbers.numerator.polynomial().coefficients(),
                               result.exact_zeros);
    result.by_roots = by_roots(result, graph, truth);
  }
  return result;
}

}  // namespace

std::vector<ApproximateTransfer> approximate_transfers(const SignalFlowGraph& graph, std::span<const Question> questions,
                                                       const ApproximateOptions& options) {
  if (graph.op.discrete()) throw NoAnswer("a discrete system has no approximate form here", "approximate the continuous system");
  std::vector<ApproximateTransfer> results;
  for (const Question& question : questions) results.push_back(approximated(graph, question, options));
  return results;
}

}  // namespace sfg
