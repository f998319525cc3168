#include "sfg/response/frequency_response.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "sfg/control/phase_of_roots.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/response/certified_decibels.hpp"
#include "sfg/response/group_delay.hpp"
#include "sfg/response/phase.hpp"
#include "sfg/response/smooth_loci.hpp"

namespace sfg {

namespace {

constexpr double nearly_nothing = 1e-140;   // below it errors are not relative any more
constexpr double enough_for_angles = 1e-3;  // a relative error of values whose angles are compared

std::vector<std::complex<double>> points(std::span<const double> rad_per_s, const Operator& op) {
  std::vector<std::complex<double>> s;
  s.reserve(rad_per_s.size());
  for (const double w : rad_per_s) s.push_back(op.at_frequency(w));
  return s;
}

/// A rational transfer function with one dead time, which turns the phase by −ωτ.
struct Turning {
  ExactTransfer rational;
  double dead_time = 0;
};

std::optional<Turning> turning(const ExactTransfer& transfer) {
  if (transfer.numerator.parts.size() != 1 || transfer.denominator.parts.size() != 1) return {};
  Turning result{transfer, transfer.numerator.parts.front().delay.to_double()};
  result.rational.numerator.parts.front().delay = 0;
  return result;
}

/// From the roots: what is infinite or zero is so exactly, and has no phase.
template <class Phase>
void fill_phases(FrequencyResponse& response, const Phase& predicted, const Turning& turning) {
  const std::vector<std::complex<double>> values =
      turning.dead_time == 0 ? response.value : values_at(turning.rational, points(response.frequency, turning.rational.op));
  for (std::size_t i = 0; i < response.frequency.size(); ++i) {
    const double w = response.frequency[i];
    if (const int order = predicted.order_at(std::abs(w)); order != 0) {
      response.value[i] = order > 0 ? 0 : std::numeric_limits<double>::infinity();
      response.phase_deg.push_back(std::numeric_limits<double>::quiet_NaN());
    } else if (w >= 0) {
      const double sheet = w > 0 ? predicted(w) : predicted.asymptote();
      response.phase_deg.push_back(on_sheet(values[i], sheet) - w * turning.dead_time * degrees);
    } else {
      response.phase_deg.push_back(-(on_sheet(std::conj(values[i]), predicted(-w)) + w * turning.dead_time * degrees));
    }
  }
}

std::vector<double> above_zero(std::vector<double> frequency) {
  std::erase_if(frequency, [](double w) { return !(w > 0) || !std::isfinite(w); });
  std::sort(frequency.begin(), frequency.end());
  frequency.erase(std::unique(frequency.begin(), frequency.end()), frequency.end());
  return frequency;
}

void note_missing_phases(FrequencyResponse& response) {
  double first = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < response.frequency.size(); ++i)
    if (std::isnan(response.phase_deg[i])) first = std::min(first, response.frequency[i]);
  if (std::isfinite(first))
    response.notes.push_back(
        "phases are missing at " + print(first) +
        " rad/s and perhaps above: the response vanishes or is infinite there, or its dead times turn it too "
        "often to be followed from 0");
}

/// Several dead times: both sides are followed.
void fill_followed_phases(FrequencyResponse& response, const ExactTransfer& transfer) {
  const std::vector<double> frequency = above_zero(response.frequency);
  const std::vector<double> above = phase_of_delays(transfer.numerator, frequency),
                            below = phase_of_delays(transfer.denominator, frequency);
  for (std::size_t i = 0; i < response.frequency.size(); ++i) {
    const double w = response.frequency[i];
    const auto at = static_cast<std::size_t>(std::lower_bound(frequency.begin(), frequency.end(), w) - frequency.begin());
    const bool followed = w > 0 && at < frequency.size();
    const double predicted = followed ? above[at] - below[at] : 0;
    response.phase_deg.push_back(std::isnan(predicted) ? predicted : on_sheet(response.value[i], predicted));
  }
  note_missing_phases(response);
}

/// At 0 and at the frequencies where the phase jumps.
template <class Phase>
void fill_axis_poles(FrequencyResponse& response, const Phase& predicted) {
  std::vector<double> places{0};
  places.insert(places.end(), response.breaks.begin(), response.breaks.end());
  for (const double w : places)
    if (const int order = predicted.order_at(w); order < 0) response.axis_poles.push_back({w, -order});
}

void fill_phases(FrequencyResponse& response, const ExactTransfer& transfer) {
  if (transfer.numerator.parts.empty()) {
    response.phase_deg.assign(response.frequency.size(), undefined);
    response.notes.push_back("the transfer function is zero: it has no phase");
  } else if (const auto one = turning(transfer)) {
    const std::vector<exact::Rational> n = one->rational.numerator.polynomial().coefficients(),
                                       d = one->rational.denominator.polynomial().coefficients();
    if (transfer.op.discrete()) {
      const PhaseOnCircle predicted(n, d, transfer.op.period().to_double());
      fill_phases(response, predicted, *one);
      response.breaks = predicted.on_circle();
      fill_axis_poles(response, predicted);
    } else {
      const PhaseOfRoots predicted(n, d);
      fill_phases(response, predicted, *one);
      for (const PhaseOfRoots::OnAxis& root : predicted.on_axis()) response.breaks.push_back(root.frequency);
      fill_axis_poles(response, predicted);
    }
  } else {
    fill_followed_phases(response, transfer);
  }
}

double decibels(std::complex<double> value) { return 20.0 * std::log10(std::abs(value)); }

double decibels(const exact::RationalPolynomial& polynomial, std::complex<double> at) {
  const exact::RationalPolynomial::Scaled value = polynomial.scaled_at(at);
  return decibels(value.mantissa) + 20.0 * std::log10(2.0) * static_cast<double>(value.exponent);
}

bool in_range(std::complex<double> value) {
  return std::abs(value) >= std::numeric_limits<double>::min() && std::isfinite(std::abs(value));
}

/// What is beyond the range of double numbers, but neither 0 nor infinite, has its magnitude all the same.
/// @param beyond  the magnitude in dB at the i-th frequency; not finite where there is none
void fill_decibels(FrequencyResponse& response, const auto& beyond) {
  std::optional<double> first;
  for (std::size_t i = 0; i < response.value.size(); ++i) {
    double& size = response.magnitude_db.emplace_back(decibels(response.value[i]));
    if (in_range(response.value[i])) continue;
    const double found = beyond(i);
    if (!std::isfinite(found)) continue;
    size = found;
    if (!first) first = response.frequency[i];
  }
  if (first)
    response.notes.push_back("at " + print(*first) +
                             " rad/s and perhaps elsewhere the value is beyond the range of double numbers: its magnitude in dB "
                             "is right");
}

/// The roots as poles or zeros of the continuous time.
std::vector<std::complex<double>> roots_in_s(const exact::RationalPolynomial& polynomial, const Operator& op) {
  std::vector<std::complex<double>> result;
  if (polynomial.degree() < 1) return result;
  for (const exact::Root& root : exact::roots(polynomial.coefficients()))
    if (root.value != 0.0) result.push_back(op.in_s(root.value));
  return result;
}

/// Half the sampling frequency, rad/s: from there on the response is mirrored.
double half_sampling(const Operator& op) { return std::numbers::pi / op.period().to_double(); }

void add_root_frequencies(std::vector<double>& marks, const exact::RationalPolynomial& polynomial, const Operator& op) {
  for (const std::complex<double> root : roots_in_s(polynomial, op))
    if (std::abs(root) > 1e-9) marks.push_back(std::abs(root));
}

}  // namespace

FrequencyResponse frequency_response(const ExactTransfer& transfer, std::span<const double> rad_per_s) {
  FrequencyResponse response;
  response.input = transfer.input;
  response.output = transfer.output;
  response.frequency.assign(rad_per_s.begin(), rad_per_s.end());
  response.value = values_at(transfer, points(rad_per_s, transfer.op));
  fill_phases(response, transfer);
  response.group_delay = group_delay(transfer, rad_per_s);
  for (std::size_t i = 0; i < response.value.size(); ++i)
    if (!in_range(response.value[i]) && std::isnan(response.phase_deg[i]))
      response.group_delay[i] = std::numeric_limits<double>::quiet_NaN();
  std::optional<Turning> one;
  const auto beyond = [&](std::size_t i) {  // where there is no phase the value is 0 or infinite by its order
    if (std::isnan(response.phase_deg[i]) || (!one && !(one = turning(transfer)))) return undefined;
    const std::complex<double> s = transfer.op.at_frequency(rad_per_s[i]);
    return decibels(one->rational.numerator.polynomial(), s) - decibels(one->rational.denominator.polynomial(), s);
  };
  fill_decibels(response, beyond);
  return response;
}

std::vector<FrequencyResponse> frequency_responses(const CompiledResponse& compiled, std::span<const double> rad_per_s,
                                                   const EvaluationOptions& options, double dead_time) {
  const CompiledValues values = compiled.values(points(rad_per_s, compiled.op()), {}, options);
  std::vector<FrequencyResponse> responses;
  std::map<std::size_t, std::vector<double>> beyond;  // magnitudes of all answers at the points where any is beyond the range
  for (std::size_t q = 0; q < compiled.question_count(); ++q) {
    FrequencyResponse& response = responses.emplace_back();
    response.input = compiled.input(q);
    response.output = compiled.output(q);
    response.frequency.assign(rad_per_s.begin(), rad_per_s.end());
    response.value.assign(values.of(q).begin(), values.of(q).end());
    fill_decibels(response, [&](std::size_t i) {
      const auto [found, fresh] = beyond.try_emplace(i);
      if (fresh) found->second = certified_decibels(compiled, compiled.op().at_frequency(rad_per_s[i]));
      return found->second[q];
    });
    for (std::size_t i = 0; i < values.points && !values.error.empty(); ++i)
      if (std::abs(response.value[i]) > nearly_nothing)
        response.error_bound = std::max(response.error_bound, values.error[q * values.points + i]);
    const auto at = [&](std::span<const double> w) {
      EvaluationOptions rough = options;
      rough.tolerance = enough_for_angles;
      const CompiledValues there = compiled.values(points(w, compiled.op()), {}, rough);
      return std::vector<std::complex<double>>(there.of(q).begin(), there.of(q).end());
    };
    response.phase_deg = followed_phase(response.frequency, response.value, at, dead_time);
    note_missing_phases(response);
  }
  return responses;
}

namespace {

/// The dead times of all gains together: at most that much lies on a way through the graph.
double dead_time(const SignalFlowGraph& graph) {
  double sum = 0;
  const GiNaC::ex variable = graph.op.in(graph.symbols);
  const GiNaC::exmap values = graph.parameter_values();
  for (const Branch& branch : graph.branches()) {
    if (!branch.linear()) continue;
    const GiNaC::ex gain = branch.gain();
    for (auto part = gain.preorder_begin(); part != gain.preorder_end(); ++part) {
      if (!GiNaC::is_the_function<GiNaC::exp_SERIAL>(*part)) continue;
      const auto slope = rational_value(part->op(0).subs(values, GiNaC::subs_options::no_pattern).expand().coeff(variable, 1));
      if (slope) sum += std::abs(slope->to_double());
    }
  }
  return sum;
}

/// −dφ/dω = −Re(T′/T) at s = jω, and with z = e^(jωh) −h·Re(z T′/T).
/// In double precision where that is good for three digits by the bounds, which is six or more in fact; exactly elsewhere, as far
/// as such points are few.
void fill_group_delays(std::vector<FrequencyResponse>& responses, const CompiledResponse& sloped, const Operator& op,
                       const EvaluationOptions& options) {
  constexpr double good = 1e-3;
  constexpr std::size_t few = 200;
  if (responses.empty()) return;
  const std::vector<std::complex<double>> s = points(responses.front().frequency, op);
  const CompiledValues values = sloped.bounded(s, {}, options);
  const std::size_t n = responses.size();
  const auto delay = [&](std::complex<double> at, std::complex<double> slope, std::complex<double> value) {
    const std::complex<double> turn = slope / value;
    return op.discrete() ? -op.period().to_double() * (at * turn).real() : -turn.real();
  };
  std::vector<std::size_t> doubtful;
  for (std::size_t i = 0; i < s.size(); ++i) {
    bool certain = true;
    for (std::size_t q = 0; q < n; ++q) {
      for (const std::size_t k : {q, n + q})
        certain = certain && values.error[k * s.size() + i] <= good * std::abs(values.of(k)[i]);
      responses[q].group_delay.push_back(delay(s[i], values.of(n + q)[i], values.of(q)[i]));
    }
    if (!certain) doubtful.push_back(i);
  }
  if (doubtful.size() > few) {
    for (FrequencyResponse& response : responses) {
      for (const std::size_t i : doubtful) response.group_delay[i] = std::numeric_limits<double>::quiet_NaN();
      response.notes.push_back("the group delay is left out at " + std::to_string(doubtful.size()) +
                               " frequencies where double precision does not give it");
    }
    return;
  }
  std::vector<std::complex<double>> again;
  for (const std::size_t i : doubtful) again.push_back(s[i]);
  if (again.empty()) return;
  const CompiledValues exact = sloped.values(again, {}, options);
  for (std::size_t k = 0; k < doubtful.size(); ++k)
    for (std::size_t q = 0; q < n; ++q)
      responses[q].group_delay[doubtful[k]] = delay(again[k], exact.of(n + q)[k], exact.of(q)[k]);
}

SmoothLocusOptions ends_of(const Operator& op, const SweepOptions& options) {
  SmoothLocusOptions ends{.ends = options.frequency.empty()};
  if (op.discrete()) ends.highest = half_sampling(op);
  return ends;
}

std::vector<FrequencyResponse> compiled_sweep(const SignalFlowGraph& graph, std::span<const Question> questions,
                                              const SweepOptions& options) {
  const CompiledResponse program(graph, questions, {.budget = options.budget});
  const EvaluationOptions evaluation{.threads = options.threads, .budget = options.budget};
  const std::vector<double> chosen = options.frequency.empty() ? frequency_range(program) : options.frequency;
  std::vector<FrequencyResponse> responses = frequency_responses(program, chosen, evaluation, dead_time(graph));
  if (options.group_delay) {
    const CompiledResponse sloped(graph, questions, {.budget = options.budget, .slope = true});
    fill_group_delays(responses, sloped, graph.op, evaluation);
  }
  const auto at = [&](std::span<const double> more) { return frequency_responses(program, more, evaluation, dead_time(graph)); };
  if (options.smooth) smooth_loci(responses, at, ends_of(graph.op, options));
  return responses;
}

std::vector<FrequencyResponse> exact_sweep(const SignalFlowGraph& graph, std::span<const Question> questions,
                                           const SweepOptions& options) {
  std::vector<ExactTransfer> transfers = exact_transfers(graph, questions, {.budget = options.budget, .seed = options.seed});
  if (options.pade)
    for (ExactTransfer& transfer : transfers) transfer = pade(transfer, *options.pade);
  return frequency_responses(transfers, options);
}

}  // namespace

std::vector<FrequencyResponse> frequency_responses(const SignalFlowGraph& graph, std::span<const Question> questions,
                                                   const SweepOptions& options) {
  using Way = SweepOptions::Way;
  if (options.way == Way::compiled) return compiled_sweep(graph, questions, options);
  if (options.way == Way::exact || options.pade) return exact_sweep(graph, questions, options);
  if (prefers_compiled(graph, questions)) return compiled_sweep(graph, questions, options);
  try {
    return exact_sweep(graph, questions, options);
  } catch (const NoAnswer&) {  // a gain that is no rational function, √s say; where there is no answer at all the program says so
    return compiled_sweep(graph, questions, options);
  }
}

std::vector<FrequencyResponse> frequency_responses(std::span<const ExactTransfer> transfers, const SweepOptions& options) {
  const std::vector<double> chosen = options.frequency.empty() ? frequency_range(transfers) : options.frequency;
  std::vector<FrequencyResponse> responses;
  for (const ExactTransfer& transfer : transfers) {
    options.budget.check("the frequency response");
    responses.push_back(frequency_response(transfer, chosen));
  }
  const auto at = [&](std::span<const double> more) {
    std::vector<FrequencyResponse> found;
    options.budget.check("the frequency response");
    for (const ExactTransfer& transfer : transfers) found.push_back(frequency_response(transfer, more));
    return found;
  };
  if (options.smooth && !transfers.empty()) smooth_loci(responses, at, ends_of(transfers.front().op, options));
  return responses;
}

std::vector<double> widened(std::vector<double> frequency, double low, double high) {
  constexpr double per_decade = 60;
  if (frequency.empty()) return frequency;
  const auto points = [](double from, double to) { return static_cast<std::size_t>(2 + per_decade * std::log10(to / from)); };
  const double first = frequency.front(), last = frequency.back();
  std::vector<double> more;
  if (low > 0 && low < first) more = logarithmic(low, first, points(low, first));
  if (high > last && last > 0) {
    const std::vector<double> above = logarithmic(last, high, points(last, high));
    more.insert(more.end(), above.begin(), above.end());
  }
  frequency.insert(frequency.end(), more.begin(), more.end());
  std::sort(frequency.begin(), frequency.end());
  frequency.erase(std::unique(frequency.begin(), frequency.end()), frequency.end());
  return frequency;
}

std::vector<double> logarithmic(double low, double high, std::size_t points) {
  std::vector<double> values(points);
  const double ratio = std::log(high / low);
  for (std::size_t i = 0; i < points; ++i)
    values[i] = points == 1 ? low : low * std::exp(ratio * static_cast<double>(i) / static_cast<double>(points - 1));
  if (points > 1) values.back() = high;
  return values;
}

namespace {

/// The part of a range where anything is to be seen: at its ends all responses are a millionth of their peaks, and below −80 dB.
std::pair<double, double> seen(std::span<const ExactTransfer> transfers, double low, double high) {
  constexpr double of_peak = 1e-6, nothing = 1e-4;
  constexpr double per_decade = 8;
  const auto decades = std::round(std::log10(high / low));
  const std::vector<double> scan = logarithmic(low, high, static_cast<std::size_t>(per_decade * decades) + 1);
  std::vector<bool> visible(scan.size(), false);
  for (const ExactTransfer& transfer : transfers) {
    const std::vector<std::complex<double>> values = values_at(transfer, points(scan, transfer.op));
    double peak = 0;
    for (const auto& value : values)
      if (std::isfinite(std::abs(value))) peak = std::max(peak, std::abs(value));
    for (std::size_t i = 0; i < scan.size(); ++i)
      visible[i] = visible[i] || !(std::abs(values[i]) < std::min(of_peak * peak, nothing));
  }
  const auto first = std::ranges::find(visible, true);
  if (first == visible.end()) return {low, high};
  const auto last = std::find(visible.rbegin(), visible.rend(), true);
  const auto begin = first - visible.begin(), end = static_cast<std::ptrdiff_t>(scan.size()) - 1 - (last - visible.rbegin());
  if (end - begin < per_decade) return {low, high};
  return {std::pow(10.0, std::floor(std::log10(scan[static_cast<std::size_t>(begin)]) + 1e-9)),
          std::pow(10.0, std::ceil(std::log10(scan[static_cast<std::size_t>(end)]) - 1e-9))};
}

}  // namespace

std::vector<double> frequency_range(std::span<const ExactTransfer> transfers, std::size_t points) {
  std::vector<double> marks, resonances;
  for (const ExactTransfer& transfer : transfers) {
    for (const auto& part : transfer.numerator.parts) add_root_frequencies(marks, part.polynomial, transfer.op);
    for (const auto* side : {&transfer.numerator, &transfer.denominator})
      for (const auto& part : side->parts)
        if (part.delay.sign() > 0) marks.push_back(1 / part.delay.to_double());
    for (const auto& part : transfer.denominator.parts) {
      add_root_frequencies(marks, part.polynomial, transfer.op);
      for (const std::complex<double> root : roots_in_s(part.polynomial, transfer.op))
        if (root.imag() > 4.0 * std::abs(root.real())) resonances.push_back(root.imag());
    }
  }
  const bool discrete = !transfers.empty() && transfers.front().op.discrete();
  const double highest = discrete ? half_sampling(transfers.front().op) : 0;
  const auto [least, greatest] = std::minmax_element(marks.begin(), marks.end());
  const double low = marks.empty() ? 0.01 : discrete ? std::min(*least, highest / 100) : *least;
  const double high = marks.empty() ? 100.0 : *greatest;
  const double first = std::pow(10.0, std::floor(std::log10(low) - 0.5));
  const auto [begin, end] = discrete ? std::pair(std::min(first, highest / 100), highest)
                                     : seen(transfers, first, std::pow(10.0, std::ceil(std::log10(high) + 0.5)));
  std::vector<double> values = logarithmic(begin, end, points);
  for (const double w : resonances)
    for (const double offset : {0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1.0, 1.002, 1.005, 1.01, 1.02, 1.05, 1.1})
      if (w * offset < end && w * offset > begin) values.push_back(w * offset);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<double> frequency_range(const CompiledResponse& compiled, std::size_t points_wanted) {
  constexpr int per_decade = 10;
  constexpr double nothing = 1e-15, bent = 0.1;  // of the greatest modulus; of the slope in powers of the frequency
  const double highest = compiled.op().discrete() ? half_sampling(compiled.op()) : std::numeric_limits<double>::infinity();
  std::vector<double> scan = logarithmic(1e-9, 1e15, 24 * per_decade + 1);
  std::erase_if(scan, [&](double w) { return w > highest; });
  const EvaluationOptions rough{.tolerance = enough_for_angles};
  const CompiledValues values = compiled.values(points(scan, compiled.op()), {}, rough);
  double low = 1e99, high = 0;
  for (std::size_t q = 0; q < compiled.question_count(); ++q) {
    const auto z = values.of(q);
    double greatest = 0;
    for (const auto& value : z)
      if (std::isfinite(std::abs(value))) greatest = std::max(greatest, std::abs(value));
    const auto slope = [&](std::size_t i) { return per_decade * std::log10(std::abs(z[i + 1]) / std::abs(z[i])); };
    for (std::size_t i = 0; i + 1 < z.size(); ++i) {
      const double here = slope(i);
      if (std::abs(z[i + 1]) < nothing * greatest || !std::isfinite(here) || std::abs(here - std::round(here)) < bent) continue;
      low = std::min(low, scan[i]);
      high = std::max(high, scan[i + 1]);
    }
  }
  if (high == 0) low = high = std::min(1.0, highest);
  std::vector<double> chosen = logarithmic(std::pow(10.0, std::floor(std::log10(low) - 0.5)),
                                           std::min(std::pow(10.0, std::ceil(std::log10(high) + 0.5)), highest), points_wanted);
  constexpr int rounds = 6;
  constexpr double turn = 15;  // degrees between neighbours
  for (int round = 0; round < rounds; ++round) {
    const CompiledValues there = compiled.values(points(chosen, compiled.op()), {}, rough);
    std::vector<double> middles;
    for (std::size_t i = 0; i + 1 < chosen.size(); ++i)
      for (std::size_t q = 0; q < compiled.question_count(); ++q) {
        const std::complex<double> quotient = there.of(q)[i + 1] / there.of(q)[i];
        if (std::abs(std::arg(quotient)) * degrees < turn || !(std::abs(there.of(q)[i]) > nearly_nothing)) continue;
        middles.push_back(std::sqrt(chosen[i] * chosen[i + 1]));
        break;
      }
    if (middles.empty() || chosen.size() + middles.size() > 5 * points_wanted) break;
    chosen.insert(chosen.end(), middles.begin(), middles.end());
    std::sort(chosen.begin(), chosen.end());
  }
  return chosen;
}

}  // namespace sfg
