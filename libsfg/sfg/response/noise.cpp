#include "sfg/response/noise.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

#include "sfg/exact/integral.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/temperature.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/noise_spectrum.hpp"
#include "sfg/response/variance.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalFraction;
using exact::RationalPolynomial;
using GiNaC::ex;

constexpr double per_hertz = 2 * std::numbers::pi;

/// Nothing where a gain is no rational function.
std::optional<std::vector<ex>> coefficients(const ring::Polynomial& polynomial, const PolynomialSpace& space, const ex& s) {
  return polynomial_coefficients(space.expression(polynomial), s);
}

/// |P(jw)|² with the coefficients taken as real.
ex symbolic_square(const std::vector<ex>& p, const ex& w) {
  ex even = 0, odd = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::size_t power = p.size() - 1 - i;
    (power % 2 == 0 ? even : odd) += ((power / 2) % 2 == 0 ? 1 : -1) * p[i] * GiNaC::power(w, static_cast<long>(power));
  }
  return GiNaC::power(even, 2) + GiNaC::power(odd, 2);
}

class Analysis {
 public:
  Analysis(const SignalFlowGraph& graph, std::span<const NoiseSource> sources, NodeId output, std::optional<NodeId> input,
           const NoiseOptions& options)
      : graph_(graph), sources_(sources), input_(input), options_(options) {
    result_.output = graph[output].name;
    if (input) result_.input = graph[*input].name;
    result_.temperature = noise_temperature_of(graph.symbols, options.temperature);
    result_.frequency = options.frequency;
    SymbolTable symbols = graph.symbols;
    w_ = symbols.symbol(noise_frequency);
    known_ = noise_constants(symbols, options.temperature);
    for (const NoiseSource& source : sources) questions_.push_back({graph.at(source.signal), output});
    if (input) questions_.push_back({*input, output});
  }

  NoiseAnalysis operator()() {
    if (options_.band) result_.low = options_.band->low, result_.high = options_.band->high;
    if (!find_closed_forms()) {
      evaluate_pointwise();
      return std::move(result_);
    }
    const bool numbers = find_numbers();
    if (std::ranges::any_of(exact_, [](const ExactTransfer& transfer) { return !transfer.rational(); })) {
      densities_.clear();
      evaluate_pointwise();  // dead time that cancels in symbols alone
      return std::move(result_);
    }
    if (numbers && result_.frequency.empty()) result_.frequency = frequency_range(exact_, 201);
    if (numbers) evaluate();
    if (!options_.band) find_variance();
    if (numbers && (!options_.band || result_.low < result_.high)) integrate();
    return std::move(result_);
  }

 private:
  static constexpr std::uint64_t few = 20'000;

  /// Squares of long numerators and denominators are very long.
  void check_squares(const std::vector<TransferFunction>& transfers) const {
    std::uint64_t terms = 0;
    for (const TransferFunction& transfer : transfers)
      for (const auto* part : {&transfer.value.numerator(), &transfer.value.denominator()})
        terms += part->term_count() * part->term_count();
    options_.budget.with_terms(few).check_terms(terms, "the densities", Advice::substitute_others);
  }

  /// In symbols; where these become too many, with the stated values. False where there are none: with dead time, say.
  bool find_closed_forms() {
    std::vector<TransferFunction> transfers;
    try {
      transfers = transfer_functions(graph_, questions_, {.budget = options_.budget.with_terms(few), .seed = options_.seed});
      check_squares(transfers);
    } catch (const LimitReached&) {
      options_.budget.check("the transfer functions of the noise");
      values_ = graph_.symbols.values();
      transfers = transfer_functions(graph_.substituted(graph_.parameter_values()), questions_,
                                     {.budget = options_.budget, .seed = options_.seed});
      result_.notes.push_back("the densities have the stated values put in: with symbols they would be too long");
    }
    const ex s = graph_.op.in(graph_.symbols);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const RationalFunction& T = transfers[i].value;
      const auto numerator = coefficients(T.numerator(), T.space(), s), denominator = coefficients(T.denominator(), T.space(), s);
      if (!numerator || !denominator) return false;
      filtered_.push_back({sources_[i].density.subs(values_, GiNaC::subs_options::no_pattern), *numerator, *denominator});
      const FilteredNoise& f = filtered_.back();
      result_.contributions.push_back(
          {sources_[i].element,
           normal_form(f.density * symbolic_square(f.numerator, w_) / symbolic_square(f.denominator, w_), w_)});
    }
    if (input_) refer_to_input(transfers.back().value, s);
    return true;
  }

  /// The closed forms at the input: divided by |T|², and their sum over one denominator.
  void refer_to_input(const RationalFunction& T, const ex& s) {
    const auto numerator = coefficients(T.numerator(), T.space(), s), denominator = coefficients(T.denominator(), T.space(), s);
    if (!numerator || !denominator || T.numerator().is_zero()) return;
    const ex square = symbolic_square(*numerator, w_) / symbolic_square(*denominator, w_);
    ex sum = 0;
    for (NoiseContribution& contribution : result_.contributions) {
      contribution.input_density = normal_form(*contribution.density / square, w_);
      sum += *contribution.input_density;
    }
    result_.input_density_expression = normal_form(sum, w_);
  }

  /// |T(jw)|² at the frequencies, each value correct to double precision or with a bound that is said.
  void evaluate_pointwise() {
    result_.contributions.clear();
    for (const NoiseSource& source : sources_) {
      result_.contributions.push_back({source.element, {}});
      densities_.push_back(density(source));
    }
    const std::vector<FrequencyResponse> found = frequency_responses(
        graph_, questions_, {.frequency = result_.frequency, .seed = options_.seed, .budget = options_.budget});
    result_.frequency = found.front().frequency;
    result_.output_density.assign(result_.frequency.size(), 0);
    double error = 0;
    for (const FrequencyResponse& response : found) error = std::max(error, response.error_bound);
    for (std::size_t i = 0; i < sources_.size(); ++i)
      for (std::size_t k = 0; k < result_.frequency.size(); ++k) {
        const double value = value_at(densities_[i], result_.frequency[k]) * std::norm(found[i].value[k]);
        result_.contributions[i].values.push_back(value);
        result_.output_density[k] += value;
      }
    if (input_)
      for (std::size_t k = 0; k < result_.frequency.size(); ++k)
        refer(result_.output_density[k], std::norm(found.back().value[k]));
    result_.notes.push_back(
        "no closed forms, no variance and no rms value: a gain is no rational function (dead time of a line, say), and there are "
        "the densities at the frequencies alone");
    constexpr double visible = 1e-6;
    if (error > visible) result_.notes.push_back("the densities have relative errors of up to " + print(2 * error));
  }

  /// What the output has, at the input, where the gain has this square.
  void refer(double density, double square) {
    result_.input_density.push_back(square > 0 ? density / square : std::numeric_limits<double>::quiet_NaN());
  }

  /// With numbers for everything; false where a value is not stated and none is needed.
  bool find_numbers() {
    try {
      exact_ = exact_transfers(graph_, questions_, {.budget = options_.budget, .seed = options_.seed});
      for (const NoiseSource& source : sources_) densities_.push_back(density(source));
    } catch (const Error& error) {
      if (!options_.frequency.empty() || options_.band || !lacks_values()) throw;
      exact_.clear();
      result_.notes.push_back(std::string("no numbers: ") + error.diagnostics().front().message);
      return false;
    }
    return true;
  }

  bool lacks_values() const {
    return std::ranges::any_of(graph_.symbols.all(), [&](const Symbol& symbol) {
      return symbol.kind == SymbolKind::parameter && !symbol.value && !known_.contains(symbol.expr) && !symbol.expr.is_equal(w_);
    });
  }

  RationalFraction density(const NoiseSource& source) const { return noise_density(source, w_, graph_.symbols, known_); }

  /// What a source brings to the output, per Hz.
  RationalFraction spectrum(std::size_t i) const {
    return {densities_[i].numerator * squared_modulus(exact_[i].numerator.polynomial()),
            densities_[i].denominator * squared_modulus(exact_[i].denominator.polynomial())};
  }

  static double value_at(const RationalFraction& f, double w) {
    const Rational x = Rational::of(w), below = f.denominator.at(x);
    if (below.is_zero()) return std::numeric_limits<double>::infinity();
    return (f.numerator.at(x) / below).to_double();
  }

  void evaluate() {
    const std::size_t n = result_.frequency.size();
    result_.output_density.assign(n, 0);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const RationalFraction f = spectrum(i);
      for (const double w : result_.frequency) result_.contributions[i].values.push_back(value_at(f, w));
      for (std::size_t k = 0; k < n; ++k) result_.output_density[k] += result_.contributions[i].values[k];
    }
    if (!input_) return;
    const RationalFraction gain{squared_modulus(exact_.back().numerator.polynomial()),
                                squared_modulus(exact_.back().denominator.polynomial())};
    for (std::size_t k = 0; k < n; ++k) refer(result_.output_density[k], value_at(gain, result_.frequency[k]));
  }

  /// A way from the noise to the output that is not stable has no stationary noise.
  bool stationary() const {
    const auto counts = worst_counts(exact_);
    return counts.right == 0 && counts.axis == 0;
  }

  std::vector<FilteredNoise> with_values() const {
    const GiNaC::exmap values = graph_.symbols.values();
    const auto put_in = [&](ex& e) { e = e.subs(values, GiNaC::subs_options::no_pattern); };
    std::vector<FilteredNoise> result = filtered_;
    for (FilteredNoise& noise : result) {
      put_in(noise.density);
      std::ranges::for_each(noise.numerator, put_in);
      std::ranges::for_each(noise.denominator, put_in);
    }
    return result;
  }

  /// With the constants of noise, too.
  std::vector<FilteredNoise> in_numbers() const {
    std::vector<FilteredNoise> result = with_values();
    for (FilteredNoise& noise : result) noise.density = noise.density.subs(known_, GiNaC::subs_options::no_pattern);
    return result;
  }

  void find_variance() {
    if (!exact_.empty() && !stationary())
      return result_.notes.push_back("no variance: the circuit is not stable, so that its noise grows without bound");
    try {
      result_.variance = variance(filtered_, w_, options_.budget.with_terms(few));
    } catch (const LimitReached&) {
      options_.budget.check("the variance of the noise");
      result_.variance = variance(with_values(), w_, options_.budget);
      result_.notes.push_back("the variance has the stated values put in: with symbols it would be too long");
    }
    if (!result_.variance)
      result_.notes.push_back("no closed form of the variance: it diverges, or a density is no polynomial in w^2");
  }

  void integrate() {
    const auto bound = [](const std::optional<double>& w) { return w ? std::optional(Rational::of(*w)) : std::nullopt; };
    if (!options_.band && !stationary()) return;
    if (worst_counts(exact_).right > 0)
      return result_.notes.push_back("no rms value: the circuit is not stable, so that its noise grows without bound");
    double sum = 0;
    std::vector<std::optional<double>> whole(sources_.size());
    if (!options_.band) whole = mean_squares(in_numbers(), w_);  // of long polynomials quicker than quadrature
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      auto part = whole[i];
      // what cancels at these values alone need not be stable
      const bool lowest = std::ssize(filtered_[i].denominator) == exact_[i].denominator.polynomial().degree() + 1;
      if (part && lowest)
        *part *= per_hertz;
      else
        part = exact::integral(spectrum(i), bound(result_.low).value_or(Rational(0)), bound(result_.high));
      if (!part) {
        result_.notes.push_back("no rms value: the noise of '" + sources_[i].element +
                                "' has no finite mean square over the band");
        return;
      }
      result_.contributions[i].mean_square = *part / per_hertz;
      sum += *part / per_hertz;
    }
    result_.rms = std::sqrt(sum);
    if (options_.referred_mean_squares && input_ && options_.band) integrate_referred();
  }

  /// Divided by |T|² before it is integrated.
  void integrate_referred() {
    const RationalPolynomial above = squared_modulus(exact_.back().numerator.polynomial()),
                             below = squared_modulus(exact_.back().denominator.polynomial());
    if (above.is_zero()) return;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      RationalFraction density = spectrum(i);
      density.numerator = density.numerator * below;
      density.denominator = density.denominator * above;
      const auto part = exact::integral(density, Rational::of(options_.band->low), Rational::of(options_.band->high));
      if (part) result_.contributions[i].input_mean_square = *part / per_hertz;
    }
  }

  const SignalFlowGraph& graph_;
  std::span<const NoiseSource> sources_;
  std::optional<NodeId> input_;
  const NoiseOptions& options_;
  ex w_;
  GiNaC::exmap known_;   ///< k_B and T_K
  GiNaC::exmap values_;  ///< put into closed forms that would be too long
  std::vector<Question> questions_;
  std::vector<FilteredNoise> filtered_;
  std::vector<ExactTransfer> exact_;
  std::vector<RationalFraction> densities_;
  NoiseAnalysis result_;
};

}  // namespace

NoiseAnalysis noise(const SignalFlowGraph& graph, std::span<const NoiseSource> sources, NodeId output,
                    std::optional<NodeId> input, const NoiseOptions& options) {
  return Analysis(graph, sources, output, input, options)();
}

}  // namespace sfg
