#include "sfg/nonlinear/balance/described_motion.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/nonlinear/balance/describing_function.hpp"
#include "sfg/nonlinear/balance/describing_plane.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/nonlinear/run/laws_with_memory.hpp"
#include "sfg/response/compiled_response.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;

constexpr double least = 1e-6, most = 1e6;  ///< of the amplitudes that are searched
constexpr int tried_amplitudes = 289;       ///< 24 a decade
constexpr int frequencies_searched = 561;

double in_steps(double low, double high, int i, int n) { return low * std::pow(high / low, static_cast<double>(i) / (n - 1)); }

/// One law, its describing function and the transmittances around it.
class DescribedLoop {
 public:
  DescribedLoop(const SignalFlowGraph& graph, const BalanceOptions& options)
      : form_(single(principal_form(graph, {}, options.outputs), graph)),
        N_(form_, 0, graph.parameter_values()),
        response_(form_.linear, form_.questions(), {.budget = options.budget}),
        budget_(options.budget) {
    for (const NodeId sink : form_.sinks) add(sink);
    for (const auto& argument : form_.arguments) add(argument.node);
    const CompiledLaws laws(form_, graph.parameter_values());
    const FirstHarmonics wide = first_harmonics(laws, std::vector<Complex>(form_.arguments.size(), 1e3));
    if (std::abs(wide.mean[0]) > 1e-6 * (1 + std::abs(wide.amplitude[0])))
      throw NoAnswer("the law is not odd: its mean moves the motion, which describing functions alone leave out",
                     "simulate it over some periods", graph[form_.laws[0].branch].where);
  }

  PeriodicMotions answer(const BalanceOptions& options) const {
    PeriodicMotions result;
    for (const auto& [name, row] : signals_) result.signals.push_back(name);
    result.harmonics = options.harmonics;
    result.laws = 1;
    result.notes.push_back(
        "the law has memory: this is what its describing function says, harmonics beyond the first are left out");
    return result;
  }

  const PrincipalForm& form() const { return form_; }
  const Budget& budget() const { return budget_; }
  Complex N(double A, double w) const { return N_(A, w); }

  /// Transmittances at s: from every source, then from the law, to the argument and the sinks.
  struct Point {
    std::vector<Complex> T;
    std::size_t width;
    Complex at(std::size_t input, std::size_t output) const { return T[input * width + output]; }
  };
  Point point(Complex s) const {
    const CompiledValues values = response_.values(std::span(&s, 1), {}, {.threads = 1, .budget = budget_});
    return {values.value, form_.output_count()};
  }
  Complex loop(Complex s) const { return point(s).at(form_.sources.size(), signal()); }

  /// All signals of a motion whose argument has the phasor V.
  PeriodicMotion motion(double w, Complex V, const std::vector<Complex>& sources, const BalanceOptions& options) const {
    PeriodicMotion result{.frequency = w};
    const Point T = point(Complex(0, w));
    const Complex F = N(std::abs(V), w) * V;
    for (const auto& [name, row] : signals_) {
      Complex X = T.at(form_.sources.size(), row) * F;
      for (std::size_t i = 0; i < sources.size(); ++i) X += T.at(i, row) * sources[i];
      result.harmonics.emplace_back(options.harmonics + 1, 0);
      result.harmonics.back()[1] = X;
    }
    return result;
  }

  /// Of the argument that is the signal itself, or its rate where the law has that alone.
  std::size_t signal() const { return 0; }

 private:
  static PrincipalForm single(PrincipalForm form, const SignalFlowGraph& graph) {
    if (form.laws.size() != 1 || form.arguments.size() != 1 || form.arguments.front().rate)
      throw NoAnswer("there is a describing function of one law of one signal alone, and here are " +
                         std::to_string(form.laws.size()) + " laws of " + std::to_string(form.arguments.size()) +
                         " signals or rates",
                     "simulate it over some periods", graph.where);
    return form;
  }

  void add(NodeId node) {
    const std::string& name = form_.linear[node].name;
    const auto known = [&](const auto& entry) { return entry.first == name; };
    if (std::ranges::any_of(signals_, known)) return;
    const auto sink = std::ranges::find(form_.sinks, node);
    signals_.emplace_back(name, sink == form_.sinks.end()
                                    ? signal()
                                    : form_.arguments.size() + static_cast<std::size_t>(sink - form_.sinks.begin()));
  }

  PrincipalForm form_;
  DescribingFunction N_;
  CompiledResponse response_;
  Budget budget_;
  std::vector<std::pair<std::string, std::size_t>> signals_;  // with the number among the outputs
};

struct Balance {
  double amplitude, frequency;
};

/// Newton's method for 1 = N(A) T_j(jω), in the logarithms of both.
std::optional<Balance> polished(const DescribedLoop& loop, Balance start) {
  const auto residual = [&](const Balance& b) {
    return 1.0 - loop.N(b.amplitude, b.frequency) * loop.loop(Complex(0, b.frequency));
  };
  for (int i = 0; i < 40; ++i) {
    constexpr double h = 1e-6;
    const Complex r = residual(start);
    const Complex by_A =
        (residual({start.amplitude * (1 + h), start.frequency}) - residual({start.amplitude * (1 - h), start.frequency})) /
        (2 * h);
    const Complex by_w =
        (residual({start.amplitude, start.frequency * (1 + h)}) - residual({start.amplitude, start.frequency * (1 - h)})) /
        (2 * h);
    const double det = by_A.real() * by_w.imag() - by_A.imag() * by_w.real();
    if (det == 0 || !std::isfinite(det)) return {};
    const double dA = (-r.real() * by_w.imag() + r.imag() * by_w.real()) / det,
                 dw = (-by_A.real() * r.imag() + by_A.imag() * r.real()) / det;
    start.amplitude *= std::exp(std::clamp(dA, -0.5, 0.5));
    start.frequency *= std::exp(std::clamp(dw, -0.5, 0.5));
    if (std::abs(dA) + std::abs(dw) < 1e-12) return start;
  }
  return std::abs(residual(start)) < 1e-9 ? std::optional(start) : std::nullopt;
}

void add_new_balance(std::vector<Balance>& found, const Balance& balance) {
  const auto same = [&](const Balance& other) {
    return std::abs(other.amplitude - balance.amplitude) < 1e-6 * other.amplitude &&
           std::abs(other.frequency - balance.frequency) < 1e-6 * other.frequency;
  };
  if (std::ranges::none_of(found, same)) found.push_back(balance);
}

/// Zeros of a function on a grid: between changes of its sign by bisection, and two where it turns around between them.
template <class Function>
std::vector<double> zeros(const Function& f, const std::vector<double>& grid) {
  std::vector<double> found, values;
  for (const double x : grid) values.push_back(f(x));
  const auto bisect = [&](double low, double high) {
    const bool sign = f(low) < 0;
    for (int i = 0; i < 100 && high - low > 1e-15 * high; ++i)
      ((f((low + high) / 2) < 0) == sign ? low : high) = (low + high) / 2;
    if (std::abs(f(low)) + std::abs(f(high)) < 1e-3) found.push_back((low + high) / 2);  // else a jump over 0
  };
  for (std::size_t i = 0; i + 1 < grid.size(); ++i) {
    if ((values[i] < 0) != (values[i + 1] < 0)) {
      bisect(grid[i], grid[i + 1]);
      continue;
    }
    if (i == 0 || (values[i - 1] < 0) != (values[i] < 0)) continue;
    if (!(std::abs(values[i]) <= std::abs(values[i - 1]) && std::abs(values[i]) <= std::abs(values[i + 1]))) continue;
    double low = grid[i - 1], high = grid[i + 1];
    const double sign = values[i] < 0 ? -1 : 1;
    for (int k = 0; k < 80; ++k) {
      const double x = low + (high - low) * 0.382, y = low + (high - low) * 0.618;
      (sign * f(x) < sign * f(y) ? high : low) = sign * f(x) < sign * f(y) ? y : x;
    }
    const double bottom = (low + high) / 2;
    if ((f(bottom) < 0) == (values[i] < 0)) continue;
    bisect(grid[i - 1], bottom);
    bisect(bottom, grid[i + 1]);
  }
  return found;
}

/// Of a law without memory and rate, whose N is real and of the amplitude alone: where T_j is real, and there all amplitudes.
std::vector<Balance> real_balances(const DescribedLoop& loop, double low, double high) {
  constexpr int finer = 4;
  std::vector<double> frequencies, sizes;
  for (int j = 0; j < finer * frequencies_searched; ++j)
    frequencies.push_back(in_steps(low, high, j, finer * frequencies_searched));
  for (int i = 0; i < 2 * tried_amplitudes; ++i) sizes.push_back(in_steps(least, most, i, 2 * tried_amplitudes));
  const auto turned = [&](double w) {
    const Complex T = loop.loop(Complex(0, w));
    return T.imag() / std::abs(T);
  };
  std::vector<Balance> found;
  for (const double w : zeros(turned, frequencies)) {
    loop.budget().check("the limit cycles");
    const double T = loop.loop(Complex(0, w)).real();
    for (const double A : zeros([&](double size) { return loop.N(size, w).real() * T - 1; }, sizes))
      add_new_balance(found, {A, w});
  }
  return found;
}

bool is_real(const DescribedLoop& loop, double low, double high) {
  for (int i = 0; i < tried_amplitudes; ++i) {
    const double A = in_steps(least, most, i, tried_amplitudes);
    const Complex N = loop.N(A, low), other = loop.N(A, high);
    if (std::abs(N.imag()) > 1e-10 * std::abs(N) || std::abs(N - other) > 1e-10 * std::abs(N)) return false;
  }
  return true;
}

/// Cells of the grid around which 1 − N T_j turns once about 0.
std::vector<Balance> turning_balances(const DescribedLoop& loop, double low, double high) {
  std::vector<Complex> T;
  for (int j = 0; j < frequencies_searched; ++j) T.push_back(loop.loop(Complex(0, in_steps(low, high, j, frequencies_searched))));
  std::vector<std::vector<Complex>> r(tried_amplitudes);
  for (int i = 0; i < tried_amplitudes; ++i) {
    loop.budget().check("the limit cycles");
    const double A = in_steps(least, most, i, tried_amplitudes);
    for (int j = 0; j < frequencies_searched; ++j)
      r[static_cast<std::size_t>(i)].push_back(1.0 - loop.N(A, in_steps(low, high, j, frequencies_searched)) *
                                                         T[static_cast<std::size_t>(j)]);
  }
  const auto turn = [](Complex from, Complex to) { return std::arg(to / from); };
  std::vector<Balance> found;
  for (std::size_t i = 0; i + 1 < r.size(); ++i)
    for (std::size_t j = 0; j + 1 < T.size(); ++j) {
      const Complex a = r[i][j], b = r[i + 1][j], c = r[i + 1][j + 1], d = r[i][j + 1];
      if (std::abs(turn(a, b) + turn(b, c) + turn(c, d) + turn(d, a)) < 1) continue;
      const Balance start{in_steps(least, most, static_cast<int>(i), tried_amplitudes) * 1.02,
                          in_steps(low, high, static_cast<int>(j), frequencies_searched) * 1.005};
      const auto better = polished(loop, start);
      if (better) add_new_balance(found, *better);
    }
  return found;
}

std::vector<Balance> balances(const DescribedLoop& loop, double low, double high) {
  std::vector<Balance> found = is_real(loop, low, high) ? real_balances(loop, low, high) : turning_balances(loop, low, high);
  std::ranges::sort(found, [](const Balance& a, const Balance& b) {
    return std::pair(a.frequency, a.amplitude) < std::pair(b.frequency, b.amplitude);
  });
  return found;
}

bool is_stable(const DescribedLoop& loop, const Balance& b) {
  const double h = 1e-5;
  const Complex s(0, b.frequency), N = loop.N(b.amplitude, b.frequency);
  const Complex by_A = (loop.N(b.amplitude * (1 + h), b.frequency) - loop.N(b.amplitude * (1 - h), b.frequency)) /
                       (2 * h * b.amplitude) * loop.loop(s);
  const Complex step(0, h * b.frequency);
  const Complex by_s = N * (loop.loop(s + step) - loop.loop(s - step)) / (2.0 * step);
  return (-by_A / by_s).real() < 0;
}

}  // namespace

bool has_memory(const SignalFlowGraph& graph, std::span<const NodeId> outputs) {
  const PrincipalForm form = principal_form(graph, {}, outputs);
  return std::ranges::any_of(form.laws, [](const auto& law) { return has_memory(law.law); });
}

PeriodicMotions described_motions(const SignalFlowGraph& graph, std::span<const PeriodicInput> inputs,
                                  std::span<const double> frequencies, const BalanceOptions& options) {
  if (options.sensitivities || options.backbone || options.subharmonic != 1)
    throw NoAnswer("of a law with memory there are amplitudes alone: no derivatives, backbone curves and subharmonics", {},
                   graph.where);
  const DescribedLoop loop(graph, options);
  PeriodicMotions result = loop.answer(options);
  result.frequency.assign(frequencies.begin(), frequencies.end());
  std::vector<Complex> sources(loop.form().sources.size());
  for (const PeriodicInput& input : inputs) {
    if (input.constant != 0) throw NoAnswer("a constant part moves the rest of a law with memory", "leave it out", graph.where);
    const auto place = std::ranges::find(loop.form().sources, input.input);
    if (place != loop.form().sources.end())
      sources[static_cast<std::size_t>(place - loop.form().sources.begin())] += input.amplitude;
    if (input.amplitude != 0) result.inputs.push_back(graph[input.input].name);
  }
  for (const double w : frequencies) {
    loop.budget().check("the periodic motions");
    const auto T = loop.point(Complex(0, w));
    Complex drive = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) drive += T.at(i, loop.signal()) * sources[i];
    const Complex t = T.at(sources.size(), loop.signal());
    const auto rest = [&](double A) { return std::abs(1.0 - t * loop.N(A, w)) * A - std::abs(drive); };
    double before = least * 1e-3;
    for (int i = 0; i < tried_amplitudes; ++i) {
      const double A = in_steps(least, most, i, tried_amplitudes);
      if (rest(before) * rest(A) <= 0 && rest(A) != rest(before)) {
        double low = before, high = A;
        const bool rises = rest(high) > 0;
        for (int k = 0; k < 200 && high - low > 1e-15 * high; ++k) {
          const double middle = (low + high) / 2;
          ((rest(middle) > 0) == rises ? high : low) = middle;
        }
        result.points.push_back(loop.motion(w, drive / (1.0 - t * loop.N(high, w)), sources, options));
      }
      before = A;
    }
  }
  return result;
}

DescribingPlane describing_plane(const SignalFlowGraph& graph, double low, double high, const Budget& budget) {
  BalanceOptions options;
  options.budget = budget;
  const DescribedLoop loop(graph, options);
  if (low <= 0) low = 1e-3, high = 1e4;
  DescribingPlane plane;
  plane.signal = loop.form().arguments.front().signal;
  for (int i = 0; i < frequencies_searched; ++i) {
    plane.frequency.push_back(in_steps(low, high, i, frequencies_searched));
    plane.loop.push_back(-loop.loop(Complex(0, plane.frequency.back())));
  }
  for (const Balance& b : balances(loop, low, high))
    plane.crossings.push_back({b.amplitude, b.frequency, is_stable(loop, b), -loop.loop(Complex(0, b.frequency))});
  constexpr int points = 2000;
  for (int i = 0; i < points; ++i) {
    const double A = in_steps(least, most, i, points);
    const Complex N = loop.N(A, std::sqrt(low * high));
    if (std::abs(N) < 1e-12) continue;
    plane.amplitude.push_back(A);
    plane.critical.push_back(-1.0 / N);
  }
  return plane;
}

PeriodicMotions described_cycles(const SignalFlowGraph& graph, double low, double high, const BalanceOptions& options) {
  const DescribedLoop loop(graph, options);
  PeriodicMotions result = loop.answer(options);
  const std::vector<Complex> silent(loop.form().sources.size());
  for (const Balance& b : balances(loop, low > 0 ? low : 1e-3, low > 0 ? high : 1e4)) {
    result.points.push_back(loop.motion(b.frequency, b.amplitude, silent, options));
    result.points.back().stable = is_stable(loop, b);
    result.frequency.push_back(b.frequency);
  }
  if (result.points.empty()) result.notes.push_back("no limit cycle was found in these frequencies");
  return result;
}

}  // namespace sfg
