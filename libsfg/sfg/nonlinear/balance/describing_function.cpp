#include "sfg/nonlinear/balance/describing_function.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/nonlinear/rest/piecewise_polynomial.hpp"
#include "sfg/nonlinear/run/laws_with_memory.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using GiNaC::ex;
using GiNaC::ex_to;
constexpr double pi = std::numbers::pi;

// Gauss and Legendre, 8 points on [−1, 1].
constexpr std::array<double, 4> nodes{0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
constexpr std::array<double, 4> weights{0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

/// A period in panels; in each the memories are those of its beginning, and it is cut where the laws are not smooth.
class Quadrature {
 public:
  Quadrature(const CompiledLaws& laws, std::span<const Complex> amplitudes, std::span<const double> bias,
             std::span<const double> parameters)
      : laws_(laws),
        amplitudes_(amplitudes),
        bias_(bias),
        parameters_(parameters),
        arguments_(laws.arguments()),
        memory_(laws.initial_memory()),
        f_(laws.laws()) {
    result_.mean.resize(laws.laws());
    result_.amplitude.resize(laws.laws());
  }

  FirstHarmonics operator()() {
    constexpr int panels = 256, settling = 2;
    for (int period = 0; period < (memory_.empty() ? 1 : 1 + settling); ++period) {
      const bool counts = memory_.empty() || period == settling;
      for (int k = 0; k < panels; ++k) {
        const double from = 2 * pi * k / panels, to = 2 * pi * (k + 1) / panels;
        if (counts) panel(from, to);
        if (memory_.empty()) continue;
        std::vector<double> next(memory_.size());
        laws_.remember(at(to), next);
        memory_ = next;
      }
    }
    return std::move(result_);
  }

 private:
  CompiledLaws::Point at(double angle) {
    for (std::size_t j = 0; j < arguments_.size(); ++j)
      arguments_[j] = (bias_.empty() ? 0 : bias_[j]) + (amplitudes_[j] * std::polar(1.0, angle)).real();
    return {arguments_, 0, parameters_, memory_};
  }

  std::vector<double> switches(double angle) {
    std::vector<double> g(laws_.switches());
    laws_.switching(at(angle), g);
    return g;
  }

  void panel(double from, double to) {
    constexpr int parts = 4;
    std::vector<double> cuts{from};
    for (int part = 0; laws_.switches() > 0 && part < parts; ++part) {
      const double a = from + (to - from) * part / parts, b = from + (to - from) * (part + 1) / parts;
      const std::vector<double> at_a = switches(a), at_b = switches(b);
      for (std::size_t i = 0; i < at_a.size(); ++i)
        if (at_a[i] * at_b[i] < 0) cuts.push_back(crossing(i, a, b, at_a[i] < 0));
    }
    cuts.push_back(to);
    std::ranges::sort(cuts);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      if (cuts[i + 1] > cuts[i]) smooth(cuts[i], cuts[i + 1]);
  }

  double crossing(std::size_t i, double a, double b, bool rises) {
    for (int halving = 0; halving < 50; ++halving) {
      const double middle = (a + b) / 2;
      ((switches(middle)[i] < 0) == rises ? a : b) = middle;
    }
    return (a + b) / 2;
  }

  void smooth(double from, double to) {
    const double centre = (from + to) / 2, half = (to - from) / 2;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      for (const double side : {-1.0, 1.0}) {
        const double angle = centre + side * half * nodes[k];
        laws_.values(at(angle), f_);
        for (std::size_t i = 0; i < f_.size(); ++i) {
          result_.mean[i] += weights[k] * half * f_[i] / (2 * pi);
          result_.amplitude[i] += weights[k] * half * f_[i] / pi * std::polar(1.0, -angle);
        }
      }
  }

  const CompiledLaws& laws_;
  std::span<const Complex> amplitudes_;
  std::span<const double> bias_, parameters_;
  std::vector<double> arguments_, memory_, f_;
  FirstHarmonics result_;
};

std::optional<double> number(const ex& e) {
  const ex n = e.evalf();
  if (!GiNaC::is_exactly_a<GiNaC::numeric>(n) || !ex_to<GiNaC::numeric>(n).is_real()) return {};
  return ex_to<GiNaC::numeric>(n).to_double();
}

/// f = 0 while A is within the half gap; else it follows it at that distance.
Complex of_backlash(double amplitude, double width) {
  const double rho = 1 - width / amplitude;
  if (rho <= -1) return 0;
  return Complex(pi / 2 + std::asin(rho) + rho * std::sqrt(1 - rho * rho), -(1 - rho * rho)) / pi;
}

Complex of_hysteresis(double amplitude, double on, double off, double size) {
  if (amplitude < on || -amplitude > off) return 0;
  const double a = on / amplitude, b = off / amplitude;
  if (std::abs(a) > 1 || std::abs(b) > 1) return 0;
  return 2 * size / (pi * amplitude) * Complex(std::sqrt(1 - a * a) + std::sqrt(1 - b * b), b - a);
}

/// Of coefficient · memory law(slope · u).
std::optional<Complex> of_memory_term(const ex& term, const ex& u, double amplitude) {
  double factor = 1;
  std::optional<ex> call;
  for (std::size_t i = 0; i < (GiNaC::is_exactly_a<GiNaC::mul>(term) ? term.nops() : 1); ++i) {
    const ex part = GiNaC::is_exactly_a<GiNaC::mul>(term) ? term.op(i) : term;
    if (!part.has(u)) {
      const auto n = number(part);
      if (!n) return {};
      factor *= *n;
    } else if (call) {
      return {};
    } else {
      call = part;
    }
  }
  if (!call) return {};
  const std::string name = function_name(*call);
  if (name != "backlash" && name != "hysteresis") return {};
  const auto slope = number(call->op(0) / u);
  if (!slope || *slope <= 0) return {};
  std::vector<double> sizes;
  for (std::size_t i = 1; i < call->nops(); ++i) {
    const auto n = number(call->op(i));
    if (!n) return {};
    sizes.push_back(*n);
  }
  const double inner = *slope * amplitude;
  return factor * *slope *
         (name == "backlash" ? of_backlash(inner, sizes[0]) : of_hysteresis(inner, sizes[0], sizes[1], sizes[2]));
}

PrincipalForm with_one_law(const PrincipalForm& form, std::size_t law) {
  PrincipalForm result = form;
  result.laws = {form.laws.at(law)};
  return result;
}

}  // namespace

FirstHarmonics first_harmonics(const CompiledLaws& laws, std::span<const Complex> amplitudes, std::span<const double> bias,
                               std::span<const double> parameters) {
  if (amplitudes.size() != laws.arguments() || (!bias.empty() && bias.size() != amplitudes.size()))
    throw std::invalid_argument("first_harmonics: an amplitude for every argument");
  return Quadrature(laws, amplitudes, bias, parameters)();
}

DescribingFunction::DescribingFunction(const PrincipalForm& form, std::size_t law, const GiNaC::exmap& values)
    : laws_(std::make_shared<const CompiledLaws>(with_one_law(form, law), values)) {
  const PrincipalForm::Law& stated = form.laws.at(law);
  const SourceSpan where = form.linear[stated.output].where;
  if (stated.law.has(form.time))
    throw Error(where, "the law depends on the time and has no describing function", "balance harmonics instead");
  const PrincipalForm::Argument* first = nullptr;
  for (const std::size_t number : stated.arguments) {
    const PrincipalForm::Argument& argument = form.arguments[number];
    if (first != nullptr && argument.signal != first->signal)
      throw Error(
          where,
          "the law has several signals, '" + first->signal + "' and '" + argument.signal + "', and no describing function of one",
          "balance harmonics instead");
    first = &argument;
    arguments_.emplace_back(number, argument.rate);
    (argument.rate ? v_ : u_) = argument.symbol;
    (argument.rate ? has_rate_ : has_signal_) = true;
  }
  law_ = stated.law.subs(values, GiNaC::subs_options::no_pattern).expand();
}

std::optional<Complex> DescribingFunction::closed_form(double amplitude, double frequency) const {
  Complex result = 0;
  const std::size_t count = GiNaC::is_exactly_a<GiNaC::add>(law_) ? law_.nops() : 1;
  ex of_u = 0, of_v = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const ex term = count > 1 ? law_.op(i) : law_;
    const bool u = has_signal_ && term.has(u_), v = has_rate_ && term.has(v_);
    if (u && v) return {};
    if (!u && !v) continue;  // a constant has no fundamental
    if (!has_memory(term)) {
      (v ? of_v : of_u) += term;
      continue;
    }
    const auto known = of_memory_term(term, v ? v_ : u_, v ? amplitude * frequency : amplitude);
    if (!known) return {};
    result += v ? Complex(0, frequency) * *known : *known;
  }
  const auto memoryless = [&](const ex& law, const ex& symbol, double size) -> std::optional<double> {
    if (law.is_zero()) return 0.0;
    const auto pieces = piecewise_polynomial(law, symbol, size);
    return pieces ? std::optional(describing_function(*pieces, size)) : std::nullopt;
  };
  const auto real = memoryless(of_u, u_, amplitude), rate = memoryless(of_v, v_, amplitude * frequency);
  if (!real || !rate) return {};
  return result + *real + Complex(0, frequency) * *rate;
}

Complex DescribingFunction::by_quadrature(double amplitude, double frequency) const {
  std::vector<Complex> amplitudes(laws_->arguments());
  for (const auto& [number, rate] : arguments_) {
    amplitudes[number] = rate ? Complex(0, frequency * amplitude) : Complex(amplitude);
  }
  return first_harmonics(*laws_, amplitudes).amplitude.front() / amplitude;
}

Complex DescribingFunction::operator()(double amplitude, double frequency) const {
  if (!(amplitude > 0)) throw std::invalid_argument("DescribingFunction: an amplitude above 0");
  const auto known = closed_form(amplitude, frequency);
  return known ? *known : by_quadrature(amplitude, frequency);
}

}  // namespace sfg
