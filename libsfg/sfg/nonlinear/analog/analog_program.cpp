#include "sfg/nonlinear/analog/analog_program.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using Kind = AnalogEquations::Kind;
using Signal = AnalogEquations::Signal;
using Term = AnalogEquations::Term;

constexpr double largest_gain = 100;     // of one amplifier
constexpr double doubtful_alpha = 0.01;  // below it the accuracy of a real potentiometer is lost
constexpr double least_ratio = 1e-30;    // of amplitudes that are more than rounding
constexpr double usual_gain = 10, usual_alpha = 0.05;

/// The next of 1, 2, 5, 10 … at or above a positive value.
double rounded_up(double value) {
  const double decade = std::floor(std::log10(value));
  for (double exponent = decade - 1; exponent <= decade + 1; ++exponent)
    for (const int digit : {1, 2, 5}) {
      const double step = exponent < 0 ? digit / std::pow(10, -exponent) : digit * std::pow(10, exponent);
      if (step >= value * (1 - 1e-7)) return step;
    }
  return value;
}

/// Without the last digits, in which nothing but the rounding of a quotient stands.
double tidy(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 14).ptr;
  double result = value;
  std::from_chars(text.data(), end, result);
  return result;
}

/// One warning for all that it is true of.
void say(AnalogProgram& program, const std::vector<std::string>& which, const std::string& what, const char* hint) {
  constexpr std::size_t shown = 3;
  if (which.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < std::min(shown, which.size()); ++i) names += (i > 0 ? ", " : "") + which[i];
  if (which.size() > shown) names += " and " + std::to_string(which.size() - shown) + " more";
  program.notes.push_back({{}, names + (which.size() > 1 ? " are " : " is ") + what, hint, Severity::warning});
}

bool flips(const Signal& signal) { return signal.kind == Kind::integral || signal.kind == Kind::sum; }

/// Products and moduli have the scales of what they are made of.
bool scaled_by_hand(const Signal& signal) {
  return signal.kind != Kind::unit && signal.kind != Kind::product && signal.kind != Kind::modulus;
}

/// Scales of all signals, and the time scale.
class Scaling {
 public:
  Scaling(const AnalogEquations& equations, const AnalogOptions& options, AnalogProgram& program)
      : signals_(equations.signals), order_(equations.order()), options_(options), program_(program) {}

  std::vector<double> operator()(const std::vector<double>& amplitudes) {
    for (const auto& [name, maximum] : options_.maxima) check_maximum(program_.equations, name, maximum);
    negligible_ = least_ratio * *std::ranges::max_element(amplitudes);
    for (std::size_t i = 0; i < signals_.size(); ++i) largest_.push_back(largest(i, amplitudes[i]));
    say(program_, silent_, "of no amplitude in the run", "give a maximum, another input, or a longer run");
    scale_all();
    for (int pass = 0; pass < 20 && lower_scales(); ++pass) scale_all();
    program_.time_scale = options_.time_scale ? *options_.time_scale : chosen_time_scale();
    return scales_;
  }

 private:
  double largest(std::size_t index, double seen) {
    const Signal& signal = signals_[index];
    if (!scaled_by_hand(signal)) return 1;
    if (const auto given = options_.maxima.find(signal.name); given != options_.maxima.end()) return given->second;
    if (seen > negligible_) return rounded_up(seen);
    if (signal.kind != Kind::source) silent_.push_back(signal.name);
    return 1;
  }

  void scale_all() {
    const double unit = options_.machine_unit;
    scales_.assign(signals_.size(), unit);
    for (std::size_t i = 0; i < signals_.size(); ++i)
      if (scaled_by_hand(signals_[i])) scales_[i] = tidy(unit / largest_[i]);
    for (const std::size_t i : order_) {
      const auto& terms = signals_[i].terms;
      if (signals_[i].kind == Kind::product) scales_[i] = tidy(scales_[terms[0].signal] * scales_[terms[1].signal] / unit);
      if (signals_[i].kind == Kind::modulus) scales_[i] = scales_[terms[0].signal];
    }
  }

  /// A summer whose terms cancel has large gains: a smaller scale of its output lowers them.
  bool lower_scales() {
    bool lowered = false;
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      if (signals_[i].kind != Kind::sum || options_.maxima.contains(signals_[i].name)) continue;
      double gain = 0;
      for (const Term& term : signals_[i].terms) gain = std::max(gain, std::abs(term.factor) * scales_[i] / scales_[term.signal]);
      if (gain <= largest_gain) continue;
      largest_[i] = rounded_up(largest_[i] * gain / largest_gain);
      lowered = true;
    }
    return lowered;
  }

  /// Of 1, 2, 5, 10 …: the median gain of the integrators near 1, and if possible none above 10; extremes are not waited for.
  double chosen_time_scale() const {
    std::vector<double> gains;
    for (std::size_t i = 0; i < signals_.size(); ++i)
      if (signals_[i].kind == Kind::integral)
        for (const Term& term : signals_[i].terms) gains.push_back(std::abs(term.factor) * scales_[i] / scales_[term.signal]);
    if (gains.empty()) return 1;
    std::ranges::sort(gains);
    double lambda = rounded_up(gains[(gains.size() - 1) / 2]);
    const double highest = largest_gain * lambda;
    while (lambda < highest &&
           (gains.back() / lambda > largest_gain || (gains.back() / lambda > usual_gain && gains.front() / lambda > usual_alpha)))
      lambda = rounded_up(1.01 * lambda);
    return lambda;
  }

  const std::vector<Signal>& signals_;
  std::vector<std::size_t> order_;
  const AnalogOptions& options_;
  AnalogProgram& program_;
  std::vector<double> largest_, scales_;
  double negligible_ = 0;
  std::vector<std::string> silent_;
};

/// Signs of the variables at the outputs of their elements. Summers and integrators invert and may have either sign; a signal
/// whose consumers need the other one gets an inverter. Signs are turned one by one as long as that saves inverters.
class Signs {
 public:
  explicit Signs(const AnalogEquations& equations)
      : signals_(equations.signals), order_(equations.order()), readers_(signals_.size()) {
    for (std::size_t i = 0; i < signals_.size(); ++i)
      for (const Term& term : signals_[i].terms) readers_[term.signal].push_back({i, term.factor});
    sign_.assign(signals_.size(), 1);
    derive();
  }

  std::vector<int> operator()(const Budget& budget) {
    bool better = true;
    for (int pass = 0; better && pass < 50; ++pass) {
      better = false;
      for (std::size_t i = 0; i < signals_.size(); ++i) {
        if (!flips(signals_[i])) continue;
        budget.check("choosing signs");
        const std::size_t before = inverters(i);
        turn(i);
        if (inverters(i) < before)
          better = true;
        else
          turn(i);
      }
    }
    return sign_;
  }

  /// Whether a reader needs the sign that the element does not have.
  bool inverted(std::size_t signal) const {
    return std::ranges::any_of(readers_[signal], [&](const Reader& reader) { return needed(reader) == -sign_[signal]; });
  }

 private:
  struct Reader {
    std::size_t signal;
    double factor;
  };
  /// 0: either will do.
  int needed(const Reader& reader) const {
    return flips(signals_[reader.signal]) ? (reader.factor > 0 ? -1 : 1) * sign_[reader.signal] : 0;
  }

  void turn(std::size_t signal) {
    sign_[signal] = -sign_[signal];
    for (const std::size_t product : products_of(signal)) sign_[product] = -sign_[product];
  }
  /// Those whose sign turns with that of the signal; a square does not.
  std::vector<std::size_t> products_of(std::size_t signal) const {
    std::vector<std::size_t> found, open{signal};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const Reader& reader : readers_[at]) {
        if (signals_[reader.signal].kind != Kind::product) continue;
        const auto toggled = std::ranges::find(found, reader.signal);
        if (toggled == found.end())
          found.push_back(reader.signal);
        else
          found.erase(toggled);
        open.push_back(reader.signal);
      }
    }
    return found;
  }
  void derive() {
    for (const std::size_t i : order_)
      if (signals_[i].kind == Kind::product) sign_[i] = sign_[signals_[i].terms[0].signal] * sign_[signals_[i].terms[1].signal];
  }

  /// Inverters of the signals that turning one has to do with.
  std::size_t inverters(std::size_t signal) const {
    std::set<std::size_t> concerned{signal};
    for (const Term& term : signals_[signal].terms) concerned.insert(term.signal);
    for (const std::size_t product : products_of(signal)) concerned.insert(product);
    return static_cast<std::size_t>(
        std::ranges::count_if(concerned, [&](std::size_t s) { return signals_[s].kind != Kind::unit && inverted(s); }));
  }

  const std::vector<Signal>& signals_;
  std::vector<std::size_t> order_;
  std::vector<std::vector<Reader>> readers_;
  std::vector<int> sign_;
};

/// The rows of the table.
class Patching {
 public:
  Patching(AnalogProgram& program, const std::vector<double>& scales, const std::vector<int>& signs, const Signs& needs)
      : program_(program), signals_(program.equations.signals), scales_(scales), signs_(signs), needs_(needs) {}

  void operator()() {
    plus_.assign(signals_.size(), none);
    minus_.assign(signals_.size(), none);
    for (std::size_t i = 1; i < signals_.size(); ++i) add_elements(i);
    for (std::size_t i = 1; i < signals_.size(); ++i) connect(i);
    for (AnalogElement& element : program_.elements)
      if (element.kind == AnalogKind::INT && element.initial != 0) element.pot = ++program_.potentiometers;
    for (const std::size_t input : program_.equations.inputs) program_.inputs.push_back(output(input));
    for (const std::size_t signal : program_.equations.outputs) program_.outputs.push_back(output(signal));
    name();
    say(program_, strong_, "of a gain above 100", "put two amplifiers in series, or change the time scale or the maxima");
    say(program_, weak_, "of a potentiometer setting below 0.01, where its accuracy is lost",
        "change the time scale or the maxima");
  }

 private:
  static constexpr auto none = static_cast<std::size_t>(-1);

  static AnalogKind kind_of(const Signal& signal) {
    switch (signal.kind) {
      case Kind::unit: return AnalogKind::REF;
      case Kind::source: return AnalogKind::SRC;
      case Kind::integral: return AnalogKind::INT;
      case Kind::product: return AnalogKind::MUL;
      case Kind::modulus: return AnalogKind::ABS;
      case Kind::function: return AnalogKind::FG;
      case Kind::sum: break;
    }
    return AnalogKind::SUM;
  }

  std::size_t add(AnalogKind kind, std::size_t signal, int sign) {
    AnalogElement element{
        .kind = kind, .variable = signals_[signal].name, .signal = signal, .sign = sign, .scale = scales_[signal]};
    (sign > 0 ? plus_ : minus_)[signal] = program_.elements.size();
    program_.elements.push_back(std::move(element));
    return program_.elements.size() - 1;
  }

  void add_elements(std::size_t signal) {
    const std::size_t own = add(kind_of(signals_[signal]), signal, signs_[signal]);
    program_.elements[own].initial = signs_[signal] * scales_[signal] * signals_[signal].initial + 0.0;
    if (!needs_.inverted(signal)) return;
    const std::size_t inverter = add(AnalogKind::INV, signal, -signs_[signal]);
    program_.elements[inverter].inputs.push_back({.from = own});
  }

  /// The element that bears the signal with the sign, or with either.
  std::size_t output(std::size_t signal, int sign = 0) {
    if (sign == 0) sign = signal == 0 ? 1 : signs_[signal];
    const std::size_t found = (sign > 0 ? plus_ : minus_)[signal];
    return found != none ? found : add(AnalogKind::REF, signal, sign);  // only the reference is made as it is needed
  }

  void connect(std::size_t index) {
    const Signal& signal = signals_[index];
    const std::size_t own = output(index);
    for (const Term& term : signal.terms) {
      AnalogElement::Input input;
      if (flips(signal)) {
        input = setting(std::abs(term.factor) * scales_[index] / scales_[term.signal] /
                            (signal.kind == Kind::integral ? program_.time_scale : 1.0),
                        index, term.signal);
        input.from = output(term.signal, (term.factor > 0 ? -1 : 1) * signs_[index]);
      } else {
        input.from = output(term.signal);
      }
      program_.elements[own].inputs.push_back(input);
    }
    if (signal.kind == Kind::function) set_law(own);
  }

  /// κ = gain · α
  AnalogElement::Input setting(double kappa, std::size_t to, std::size_t from) {
    AnalogElement::Input input;
    while (kappa > input.gain * (1 + 1e-12)) input.gain *= 10;
    input.alpha = std::min(tidy(kappa / input.gain), 1.0);
    if (1 - input.alpha < 1e-12) input.alpha = 1;
    const std::string wire = "the input " + signals_[from].name + " of " + signals_[to].name + " (";
    if (input.gain > largest_gain) strong_.push_back(wire + print(kappa) + ")");
    if (input.alpha < 1) input.pot = ++program_.potentiometers;
    if (input.alpha < doubtful_alpha) weak_.push_back(wire + print(input.alpha) + ")");
    return input;
  }

  void set_law(std::size_t own) {
    AnalogElement& element = program_.elements[own];
    const AnalogElement& from = program_.elements[element.inputs[0].from];
    const auto exact = [](double v) { return GiNaC::ex(numeric_value(decimal_rational(v))); };
    const GiNaC::ex& x = program_.equations.argument;
    element.law = exact(element.sign * element.scale) *
                  signals_[element.signal].law.subs(x == x / exact(from.sign * from.scale), GiNaC::subs_options::no_pattern);
  }

  void name() {
    std::map<AnalogKind, int> count;
    for (AnalogElement& element : program_.elements) element.id = to_string(element.kind) + std::to_string(++count[element.kind]);
  }

  AnalogProgram& program_;
  const std::vector<Signal>& signals_;
  const std::vector<double>& scales_;
  const std::vector<int>& signs_;
  const Signs& needs_;
  std::vector<std::size_t> plus_, minus_;
  std::vector<std::string> strong_, weak_;
};

/// The table as it runs: responses, and the largest output of every element.
void take_runs(AnalogProgram& program, const AnalogOptions& options) {
  const auto last = static_cast<double>(options.points - 1);
  for (std::size_t i = 0; i < options.points; ++i) program.times.push_back(options.until * static_cast<double>(i) / last);
  for (const AnalogRun& run : options.runs) {
    AnalogTrace trace = interpreted(program, run, program.times, options.rtol, options.budget);
    for (std::size_t i = 0; i < program.elements.size(); ++i)
      program.elements[i].peak = std::max(program.elements[i].peak, trace.peaks[i]);
    program.responses.push_back(std::move(trace.outputs));
    program.errors.push_back(std::move(trace.errors));
  }
  std::vector<std::string> over;
  for (const AnalogElement& element : program.elements)
    if (element.peak > program.machine_unit * (1 + 1e-6))
      over.push_back(element.id + " (" + element.variable + ", " + print(element.peak) + ")");
  say(program, over, "above the machine unit in the run: overloaded", "give larger maxima of these variables");
}

void take_static_test(AnalogProgram& program) {
  std::vector<double> held;
  for (const AnalogElement& element : program.elements)
    if (element.kind == AnalogKind::INT) held.push_back(element.initial);
  program.test_values = std::ranges::all_of(held, [](double v) { return v == 0; });
  if (program.test_values)
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = static_cast<double>(5 - i % 5) / 10 * program.machine_unit;
  const StaticTest test = static_test(program, held);
  std::size_t state = 0;
  for (std::size_t i = 0; i < program.elements.size(); ++i) {
    program.elements[i].test = test.outputs[i] + 0.0;  // no -0
    if (program.elements[i].kind == AnalogKind::INT) program.elements[i].test_rate = test.rates[state++] + 0.0;
  }
}

}  // namespace

const char* to_string(AnalogKind kind) {
  static constexpr const char* names[] = {"INT", "SUM", "INV", "MUL", "ABS", "FG", "REF", "SRC"};
  return names[static_cast<std::size_t>(kind)];
}

void check_maximum(const AnalogEquations& equations, const std::string& name, double maximum) {
  std::string names;
  bool found = false;
  for (const Signal& signal : equations.signals)
    if (scaled_by_hand(signal)) {
      names += " " + signal.name;
      found = found || signal.name == name;
    }
  if (!found) throw Error({}, "'" + name + "' is no variable of the program that is scaled", "the variables are" + names);
  if (!(maximum > 0 && std::isfinite(maximum))) throw Error({}, "a maximum is above 0", "give the largest modulus of " + name);
}

AnalogProgram analog_program(AnalogEquations equations, const AnalogOptions& options) {
  if (!(options.machine_unit > 0) || !(options.until > 0) || (options.time_scale && !(*options.time_scale > 0)) ||
      options.points < 2)
    throw std::invalid_argument(
        "analog_program: machine unit, time scale and last time are positive, and there are two points or more");
  set_initial_values(equations, options.initial);
  AnalogProgram program{.machine_unit = options.machine_unit, .until = options.until, .runs = options.runs};
  if (equations.eliminated)
    program.notes.push_back({{},
                             "the program integrates the states of the graph: " + equations.reason,
                             "signals between them were eliminated exactly",
                             Severity::note});
  program.equations = std::move(equations);
  Scaling scaling(program.equations, options, program);
  const std::vector<double> scales = scaling(amplitudes(program.equations, options));
  Signs choice(program.equations);
  const std::vector<int> signs = choice(options.budget);
  Patching(program, scales, signs, choice)();
  for (const std::size_t output : program.equations.outputs)
    program.output_names.push_back(program.equations.signals[output].name);
  take_runs(program, options);
  take_static_test(program);
  return program;
}

AnalogProgram analog_program(const SignalFlowGraph& graph, const AnalogEnds& ends, const AnalogOptions& options) {
  AnalogProgram program = analog_program(analog_equations(graph, ends, options.budget), options);
  program.title = graph.title;
  const std::vector<NodeId> outputs = ends.outputs.empty() ? graph.stated_outputs() : ends.outputs;
  program.output_names.clear();
  for (const NodeId node : outputs) program.output_names.push_back(graph[node].name);
  return program;
}

}  // namespace sfg
