// The target spice. A transfer function is a network of its own, in units of time in which its voltages are near 1, so that the
// tolerances of the simulator mean the same for slow and fast, large and small models:
//   x1' = w x2, …, xn' = w e,  e = u − Σ a_k/w^k x,  y = Σ b_k/w^k x
// (Kelvin's chain of integrators). A law is a behavioural source.

#include "sfg/export/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <ostream>

#include "sfg/error.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/export/c/code_lines.hpp"
#include "sfg/export/circuits/spice_language.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/export/exported_motion.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/exported_transfers.hpp"
#include "sfg/export/motion_reach.hpp"
#include "sfg/export/proper_branches.hpp"
#include "sfg/export/stated_equations.hpp"
#include "sfg/text/legal_names.hpp"
#include "sfg/write/spice_run.hpp"

namespace sfg {

namespace {

constexpr const char* zero = "0.0";

class Netlist {
 public:
  Netlist(std::ostream& out, const ExportSubject& subject, const Budget& budget)
      : out_(out),
        subject_(subject),
        budget_(budget),
        parameters_(valued_parameters(subject.graph)),
        name_(LegalNames()(subject.name)) {
    for (const ExportedParameter& parameter : parameters_) symbols_.push_back(names_(parameter.name));
    for (const auto& [beginning, wanted] : {std::pair(&u_, "u"),
                                            {&e_, "e"},
                                            {&x_, "x"},
                                            {&y_, "y"},
                                            {&dots_, "s"},
                                            {&v_, "v"},
                                            {&w_, "w"},
                                            {&num_, "num"},
                                            {&den_, "den"}})
      *beginning = names_.beginning(wanted);
  }

  void transfers() {
    const std::vector<ExportedTransfer> transfers = exported_transfers(subject_, parameters_, budget_);
    for (const ExportedTransfer& T : transfers)
      if (T.delayed) {
        refuse_gains(subject_);
        throw NoAnswer("'" + T.label() + "' has dead time, which this target does not know",
                       "the target json writes it as it stands");
      }
    if (std::ranges::all_of(transfers, &ExportedTransfer::improper)) refuse_improper(subject_, transfers.front().label());
    head("netlist for ngspice -b: writes " + name_ + "_step.txt (t y) and " + name_ + "_frequency.txt (Hz re im)",
         verification(subject_, transfers, parameters_, budget_));
    state_parameters();
    std::vector<std::string> proper, all;
    double fastest = 0;
    for (std::size_t k = 0; k < transfers.size(); ++k) {
      network(std::to_string(k), transfers[k]);
      all.push_back("v(" + y_ + std::to_string(k) + ")");
      if (transfers[k].improper()) continue;
      proper.push_back(all.back());
      fastest = std::max(fastest, transfers[k].pace(values_of(parameters_)));
    }
    options(fastest);
    out_ << ".control\nset numdgt=16\nset wr_vecnames\n";
    step_commands(proper, std::min(longest_step(transfers), longest_after(fastest)));
    frequency_commands(all);
    out_ << "quit\n.endc\n.end\n";
  }

  void motion() {
    const ExportedMotion motion = exported_motion(subject_, parameters_, budget_);
    refuse_sliding(subject_, motion);
    head("netlist for ngspice -b: writes " + name_ + "_step.txt, the response (t y), of " + joined(motion.outputs),
         "verified: the tests of sfg compare runs of such netlists with its own simulation");
    constexpr double steps = 20'000;
    const double longest = until() / steps;
    state_parameters();
    sources(motion, clock(motion, longest));
    std::vector<std::string> outputs;
    for (std::size_t k = 0; k < motion.outputs.size(); ++k) outputs.push_back("v(" + y_ + std::to_string(k) + ")");
    // A charge that is 0 until a law jumps has no part of itself to be wrong by: chgtol gives it one.
    out_ << ".options reltol=1e-6 abstol=1e-12 vntol=1e-12 chgtol=1e-5 trtol=1 method=trap maxord=2 pivtol=1e-300\n";
    out_ << ".control\nset numdgt=16\nset wr_vecnames\n";
    step_commands(outputs, longest);
    out_ << "quit\n.endc\n.end\n";
  }

 private:
  static std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

  void head(const std::string& what, const std::string& verified) {
    for (const std::string& line : header_lines(subject_, parameters_, {what, verified, names_.renamed()}))
      out_ << "* " << line << '\n';
  }

  void parameter(const std::string& name, const std::string& value) { out_ << ".param " << name << " = " << value << '\n'; }

  /// A value that follows from others is a formula of them.
  void state_parameters() {
    for (const ExportedParameter& stated : by_dependence(parameters_)) {
      const auto place = std::ranges::find(parameters_, stated.name, &ExportedParameter::name) - parameters_.begin();
      const std::string value = stated_formula(stated, parameters_, symbols_, spice_constants());
      parameter(symbols_[static_cast<std::size_t>(place)], stated.follows ? "{" + value + "}" : value);
    }
  }

  // ---- a transfer function
  std::vector<double> coefficients(const ExportedTransfer& T) const {
    return T.coefficients.values(std::span<const double>(values_of(parameters_)));
  }

  /// "{c/den/w**k}": a coefficient in the unit of time.
  std::string scaled(const std::string& sign, const std::string& coefficient, const std::string& id, std::ptrdiff_t power) const {
    std::string text = "{" + sign + coefficient + "/" + den_ + id + "_0";
    for (const char* by : {"/", "*"})
      if (const std::ptrdiff_t count = *by == '/' ? power : -power; count > 0)
        text += by + w_ + id + (count > 1 ? "**" + std::to_string(count) : "");
    return text + "}";
  }

  /// The node of (s/w)^k x1: the states, then e, then its derivatives.
  std::string chain(const std::string& id, std::size_t k, std::size_t order) const {
    if (k < order) return x_ + id + "_" + std::to_string(k + 1);
    return k == order ? e_ + id : dots_ + id + "_" + std::to_string(k - order);
  }

  void network(const std::string& id, const ExportedTransfer& T) {
    const std::size_t n = T.denominator - 1, m = T.numerator - 1;
    const double pace = T.pace(values_of(parameters_));
    out_ << "* transfer function " << id << ": " << comment_text(T.label()) << (T.improper() ? ", improper: no step" : "")
         << '\n';
    const CodeLines lines = code_lines(T.coefficients, symbols_, spice_constants(), v_ + id + "_");
    for (const auto& [name, formula] : lines.assignments) parameter(name, "{" + formula + "}");
    const auto stated = [&](std::size_t k) { return lines.outputs[k] != zero; };
    for (std::size_t k = 0; k < T.numerator + T.denominator; ++k)
      if (stated(k))
        parameter(k < T.numerator ? num_ + id + "_" + std::to_string(k) : den_ + id + "_" + std::to_string(k - T.numerator),
                  "{" + lines.outputs[k] + "}");
    parameter(w_ + id, code_number(pace));
    out_ << fmt::format("V{0}{1} {0}{1} 0 DC 0 AC 1{2}\n", u_, id,
                        T.improper() ? "" : " PWL(0 1 " + code_number(first_step(pace)) + " 1)");
    summed(e_ + id, u_ + id, "1");
    for (std::size_t k = 1; k <= n; ++k)
      if (stated(T.numerator + k))
        summed(e_ + id, chain(id, n - k, n),
               scaled("-", den_ + id + "_" + std::to_string(k), id, static_cast<std::ptrdiff_t>(k)));
    out_ << fmt::format("R{0} {0} 0 1\n", e_ + id);
    for (std::size_t k = 0; k < n; ++k) integrator(chain(id, k, n), chain(id, k + 1, n), w_ + id);
    for (std::size_t k = n; k < m; ++k) differentiator(chain(id, k + 1, n), chain(id, k, n), w_ + id);
    for (std::size_t k = 0; k <= m; ++k)
      if (stated(k))
        summed(y_ + id, chain(id, m - k, n),
               scaled("", num_ + id + "_" + std::to_string(k), id,
                      static_cast<std::ptrdiff_t>(n) - static_cast<std::ptrdiff_t>(m - k)));
    out_ << fmt::format("R{0} {0} 0 1\n", y_ + id);
  }

  /// A current into the ohm that makes the sum.
  void summed(const std::string& sum, const std::string& from, const std::string& gain) {
    out_ << fmt::format("G{0}_{1} 0 {0} {1} 0 {2}\n", sum, from, gain);
  }
  void integrator(const std::string& state, const std::string& rate, const std::string& w) {
    out_ << fmt::format("C{0} {0} 0 {{1/{2}}} IC=0\nG{0} 0 {0} {1} 0 1\nR{0} {0} 0 1e15\n", state, rate, w);
  }
  void differentiator(const std::string& rate, const std::string& of, const std::string& w) {
    out_ << fmt::format("E{0} {0}_a 0 {1} 0 1\nC{0} {0}_a {0}_b {{1/{2}}}\nV{0} {0}_b 0 0\nH{0} {0} 0 V{0} 1\n", rate, of, w);
  }

  double until() const { return subject_.times.empty() ? 1 : subject_.times.back(); }
  /// A corner of the input tells the simulator how soon something may happen.
  double first_step(double pace) const { return std::max(1e-4 / std::max(pace, 1 / until()), 1e-10 * until()); }

  /// The trapezoidal rule turns an oscillation by (h|p|)²/12 of its angle too little: steps short enough where it goes on long.
  double longest_step(const std::vector<ExportedTransfer>& transfers) const {
    constexpr double error = 1e-4, long_angle = 20, most_steps = 1e6;
    double longest = until();
    for (const ExportedTransfer& T : transfers) {
      if (T.improper()) continue;
      const std::vector<double> c = coefficients(T);
      std::vector<exact::Rational> denominator;
      for (std::size_t k = 0; k < T.denominator; ++k) denominator.push_back(exact::Rational::of(c[T.numerator + k]));
      for (const std::complex<double>& p : exact::root_values(denominator)) {
        const double lasts = p.real() < 0 ? std::min(until(), -1 / p.real()) : until(), size = std::abs(p);
        if (size * lasts > long_angle) longest = std::min(longest, std::sqrt(12 * error / (size * size * size * lasts)));
      }
    }
    return std::max(longest, until() / most_steps);
  }

  /// At the jump the simulator sees an infinite rate and begins with about 4 reltol of the fastest unit of time; it refuses
  /// steps below 1e-11 of the longest.
  double tolerance(double fastest) const {
    constexpr double usual = 1e-7, coarsest = 1e-5, wide = 1e9;
    return std::clamp(usual * until() * fastest / wide, usual, coarsest);
  }
  double longest_after(double fastest) const {
    constexpr double range = 2e10, most_steps = 2e6;
    const double longest = range * tolerance(fastest) / std::max(fastest, 1 / until());
    if (longest * most_steps < until())
      throw NoAnswer("the fastest poles are too fast for a simulator's steps to the time " + code_number(until()),
                     "ask for a shorter time; the targets octave, python and scilab have the whole step response");
    return longest;
  }
  void options(double fastest) {
    out_ << ".options noopac reltol=" << code_number(tolerance(fastest))
         << " abstol=1e-9 vntol=1e-12 chgtol=1e-30 trtol=1 method=trap maxord=2 pivtol=1e-300\n";
  }

  // ---- laws
  void voltage(const std::string& node, const std::string& value) { out_ << fmt::format("B{0} {0} 0 V={1}\n", node, value); }

  void formulas(const numeric::Tape& tape, const std::vector<std::string>& inputs, const std::string& node,
                const std::function<void(std::size_t, const std::string&)>& put) {
    const CodeLines lines = code_lines(tape, inputs, spice_signals(), step_mark);
    const auto in_volts = [&](const std::string& formula) {
      return with_steps(formula, [&](std::size_t k) { return "V(" + node + std::to_string(k) + ")"; });
    };
    for (std::size_t k = 0; k < lines.assignments.size(); ++k)
      voltage(node + std::to_string(k + 1), in_volts(lines.assignments[k].second));
    for (std::size_t k = 0; k < lines.outputs.size(); ++k) put(k, in_volts(lines.outputs[k]));
  }

  static bool jumps(const numeric::Tape& tape) {
    return std::ranges::any_of(tape.instructions(), [](const numeric::Instruction& i) {
      return i.operation == numeric::Operation::step || i.operation == numeric::Operation::sign;
    });
  }

  /// What drives and laws take for the time. At a corner of a source of straight lines the simulator ends a step and goes on with
  /// a short one, as it does nowhere else: a jump is to lie there, and behind it by a little, since the step that ends there is a
  /// long one. Each corner has a source of its own besides, min(t, corner): of one source the simulator looks for the next corner
  /// when it is at the last one to a few roundings, which it may miss. Of corners that are one but for how exactly they are found
  /// the first stands for all; others have to be so far apart that it can tell them.
  std::string clock(const ExportedMotion& motion, double longest) {
    if (motion.switches.empty() && !jumps(motion.drives) && !jumps(motion.rates)) return "time";
    constexpr double roundings = 1e-11, finest = 1e-7, part = 0.25;
    const double late = 5e-15 * until();  // ten of its shortest steps
    const std::string node = names_.beginning("clock") + "0", corner = names_.beginning("corner");
    std::string points = "0.0 " + code_number(late);
    out_ << "* the time, for inputs that jump, and where they do\n";
    for (std::size_t k = 0, count = 0; k < motion.switches.size(); ++count) {
      const double t = motion.switches[k];
      while (++k < motion.switches.size() && motion.switches[k] - t < roundings * until()) continue;
      const double next = k < motion.switches.size() ? motion.switches[k] : 2 * until();
      if (next - t < finest * until())
        throw NoAnswer("what drives the model jumps or bends at t = " + code_number(t) + " and at t = " + code_number(next) +
                           ", which is too near for the steps of a simulator of circuits to the time " + code_number(until()),
                       "ask for a shorter time; the targets octave, python and c follow it");
      const double behind = t + part * std::min(longest, next - t);
      points += fmt::format(" {} {} {} {}", code_number(t), code_number(t - late), code_number(behind), code_number(behind));
      out_ << fmt::format("V{0}{1} {0}{1} 0 PWL(0.0 0.0 {2} {2})\n", corner, count, code_number(t));
    }
    out_ << fmt::format("V{0} {0} 0 PWL({1} {2} {2})\n", node, points, code_number(2 * until()));
    return "V(" + node + ")";
  }

  /// A capacitor that the rate charges, and of which the charge is near 1: the simulator's tolerances are of charges.
  void state(const std::string& node, const std::string& rate, double start, double reach) {
    constexpr double near = 100;
    const bool scaled = reach > near || reach < 1 / near;
    const double unit = scaled ? std::pow(10, std::round(std::log10(reach))) : 1;
    const std::string farads = scaled ? code_number(1 / unit) : "1";
    out_ << sfg::integrator(node, scaled ? "(" + rate + ")*" + farads : rate, farads, code_number(start),
                            scaled ? code_number(1e15 * unit) : "1e15");
  }

  void sources(const ExportedMotion& motion, const std::string& time) {
    std::vector<std::string> inputs = symbols_;
    inputs.push_back(time);
    formulas(motion.drives, inputs, names_.beginning("drive"), [&](std::size_t k, const std::string& text) {
      out_ << "* input " << comment_text(motion.inputs[k]) << '\n';
      voltage(u_ + std::to_string(k), text);
    });
    for (std::size_t k = 0; k < motion.states.size(); ++k) inputs.push_back("V(" + x_ + std::to_string(k) + ")");
    for (std::size_t k = 0; k < motion.inputs.size(); ++k) inputs.push_back("V(" + u_ + std::to_string(k) + ")");
    const std::vector<double> reach = reach_of_states(subject_, motion, parameters_, budget_);
    formulas(motion.rates, inputs, v_, [&](std::size_t k, const std::string& text) {
      if (k < motion.states.size()) {
        out_ << "* state " << comment_text(motion.states[k]) << '\n';
        state(x_ + std::to_string(k), text, motion.start[k], reach.empty() ? 1 : reach[k]);
      } else {
        out_ << "* output " << comment_text(motion.outputs[k - motion.states.size()]) << '\n';
        voltage(y_ + std::to_string(k - motion.states.size()), text);
      }
    });
  }

  // ---- commands
  void step_commands(const std::vector<std::string>& outputs, double longest) {
    if (outputs.empty() || subject_.times.size() < 2) return;
    const double step = until() / static_cast<double>(subject_.times.size() - 1);
    const std::string list = fmt::format("{}", fmt::join(outputs, " "));
    out_ << "save " << list << '\n';
    out_ << fmt::format("tran {} {} 0 {} uic\n", code_number(step), code_number(until()), code_number(std::min(longest, step)));
    out_ << end_of_run(name_, until());
    out_ << "linearize " << list << "\nwrdata " << name_ << "_step.txt " << list << '\n';
  }

  void frequency_commands(const std::vector<std::string>& outputs) {
    bool first = true;
    for (const double w : subject_.frequencies) {
      const std::string hertz = code_number(w / (2 * std::numbers::pi));
      out_ << "ac lin 1 " << hertz << ' ' << hertz << "\nwrdata " << name_ << "_frequency.txt "
           << fmt::format("{}", fmt::join(outputs, " ")) << '\n';
      if (std::exchange(first, false)) out_ << "set appendwrite\n";
    }
  }

  std::ostream& out_;
  const ExportSubject& subject_;
  const Budget& budget_;
  std::vector<ExportedParameter> parameters_;
  std::string name_;
  SpiceNames names_;
  std::vector<std::string> symbols_;  // the parameters' names in the netlist
  std::string u_, e_, x_, y_, dots_, v_, w_, num_, den_;
};

}  // namespace

void write_spice_netlist(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  if (subject.graph.op.discrete())
    throw NoAnswer("the model is in z, and a circuit knows no samples", "the targets verilog, c, octave and python know them");
  Netlist netlist(out, subject, budget);
  subject.graph.linear() ? netlist.transfers() : netlist.motion();
}

}  // namespace sfg
