#include "sfg/write/analog_program.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <set>
#include <stdexcept>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/write/page/table_formula.hpp"
#include "sfg/write/spice_run.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using EquationKind = AnalogEquations::Kind;

constexpr double amplifier_gain = 1e7;
constexpr const char* resistance = "1meg";  // with 1 uF: a second of machine time
constexpr int most_factors = 32;

std::string volt(const std::string& node) { return "V(" + node + ")"; }

/// A law in the words of ngspice. Its powers have the modulus of their base: whole powers are products.
class SpiceLaw {
 public:
  SpiceLaw(ex symbol, std::string of) : symbol_(std::move(symbol)), of_(std::move(of)) {}

  std::string operator()(const ex& e) const {
    if (const auto value = double_value(e)) return *value < 0 ? "(" + print(*value) + ")" : print(*value);
    if (e.is_equal(symbol_)) return of_;
    if (GiNaC::is_a<GiNaC::add>(e)) return "(" + joined(e, "+") + ")";
    if (GiNaC::is_a<GiNaC::mul>(e)) return joined(e, "*");
    if (GiNaC::is_a<GiNaC::power>(e)) return power(e);
    return call(e);
  }

 private:
  std::string joined(const ex& e, const char* sign) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < e.nops(); ++i) parts.push_back((*this)(e.op(i)));
    std::ranges::sort(parts);
    return fmt::format("{}", fmt::join(parts, sign));
  }
  std::string power(const ex& e) const {
    const std::string base = (*this)(e.op(0));
    const auto exponent = double_value(e.op(1));
    if (!exponent) return "exp(" + (*this)(e.op(1)) + "*ln(" + base + "))";
    if (*exponent != static_cast<int>(*exponent) || std::abs(*exponent) > most_factors)
      return "pow(" + base + "," + print(*exponent) + ")";  // of a base above 0
    const std::vector<std::string> factors(static_cast<std::size_t>(std::abs(*exponent)), base);
    const std::string product = fmt::format("({})", fmt::join(factors, "*"));
    return *exponent > 0 ? product : "(1/" + product + ")";
  }
  std::string call(const ex& e) const {
    std::string name = GiNaC::ex_to<GiNaC::function>(e).get_name();
    if (name == "lookup")
      return table_formula(static_cast<std::uint32_t>(double_value(e.op(1)).value()), "(" + (*this)(e.op(0)) + ")",
                           [](const std::string& difference) { return "uramp" + difference; });
    if (name == "atan2") throw NoAnswer("a netlist has no atan2", "the table of the analog program has it");
    if (name == "sign") name = "sgn";
    if (name == "step") name = "u";
    if (name == "log") name = "ln";
    std::vector<std::string> operands;
    for (std::size_t i = 0; i < e.nops(); ++i) operands.push_back((*this)(e.op(i)));
    return fmt::format("{}({})", name, fmt::join(operands, ","));
  }

  ex symbol_;
  std::string of_;
};

/// Names that a netlist may have, no two the same in lower case.
class NetlistNames {
 public:
  std::string operator()(const std::string& name) {
    std::string legal;
    for (const char c : name)
      legal += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'
                   ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                   : '_';
    if (legal.empty() || std::isalpha(static_cast<unsigned char>(legal[0])) == 0) legal = "n" + legal;
    const std::string wanted = legal;
    for (int n = 2; !taken_.insert(legal).second; ++n) legal = wanted + "_" + std::to_string(n);
    if (legal != name) renamed.push_back(name + " -> " + legal);
    return legal;
  }
  std::vector<std::string> renamed;

 private:
  std::set<std::string> taken_ = {"0", "gnd", "time", "temper", "hertz"};
};

class Netlist {
 public:
  Netlist(std::ostream& out, const AnalogProgram& program, const AnalogNetlistOptions& options)
      : out_(out), program_(program), options_(options), user_(options.kind == AnalogNetlist::user) {
    if (user_)
      for (const auto& signal : program.equations.signals)
        nodes_.push_back(signal.kind == EquationKind::unit ? "" : legal_(signal.name));
    else
      for (const AnalogElement& element : program.elements) nodes_.push_back(legal_(element.id));
  }

  void operator()() {
    head();
    out_ << ".subckt program";
    for (const std::string& pin : pins()) out_ << ' ' << pin;
    out_ << '\n';
    user_ ? equations() : table();
    out_ << ".ends\n";
    for (std::size_t run = 0; run < program_.runs.size(); ++run) instance(run);
    commands();
  }

 private:
  static std::string one_line(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
  }

  void head() {
    static constexpr const char* kinds[] = {"behavioural integrators in the user's units",
                                            "behavioural integrators in machine units",
                                            "operational amplifiers in machine units"};
    out_ << "* " << (program_.title.empty() ? "analog program" : one_line(program_.title)) << '\n';
    out_ << "* analog program: " << kinds[static_cast<std::size_t>(options_.kind)] << '\n';
    if (!user_)
      out_ << fmt::format("* machine unit {} V, machine time tau = {} t\n", print(program_.machine_unit),
                          print(program_.time_scale));
    for (const std::string& line : options_.header) out_ << "* " << one_line(line) << '\n';
    if (user_)
      for (const std::string& line : legal_.renamed) out_ << "* " << one_line(line) << '\n';
  }

  /// Nodes of the inputs and outputs, each once.
  std::vector<std::string> pins() const {
    std::vector<std::string> names;
    const auto take = [&](std::size_t i) {
      if (std::ranges::find(names, nodes_[i]) == names.end()) names.push_back(nodes_[i]);
    };
    for (const std::size_t input : user_ ? program_.equations.inputs : program_.inputs) take(input);
    for (const std::size_t output : user_ ? program_.equations.outputs : program_.outputs) take(output);
    return names;
  }

  std::string user_time() const { return user_ ? "time" : "(time/" + print(program_.time_scale) + ")"; }
  std::string law_of_time(const ex& law) const { return SpiceLaw(program_.equations.time, user_time())(law); }

  void source(const std::string& node, const std::string& value) const {
    out_ << "B" << node << ' ' << node << " 0 V=" << value << '\n';
  }
  /// Of one farad.
  void integrator(const std::string& node, const std::string& rate, double initial) const {
    out_ << sfg::integrator(node, rate, "1", print(initial), "1e15");
  }

  /// The tolerances of the simulator are those of amperes and volts near 1: where the currents of one farad are far from that,
  /// the capacitance makes them so. The time constant of the leak is 1e15 of the machine's units of time.
  void scaled_integrator(std::size_t i) {
    const AnalogEquations::Signal& signal = program_.equations.signals[i];
    const auto element = std::ranges::find_if(program_.elements,
                                              [&](const AnalogElement& e) { return e.kind == AnalogKind::INT && e.signal == i; });
    const double scale = element == program_.elements.end() ? 1 : element->scale, farads = scale / program_.time_scale;
    constexpr double usual = 100;
    if (!(farads > usual || farads * usual < 1)) return integrator(nodes_[i], sum(signal), signal.initial);
    out_ << sfg::integrator(nodes_[i], print(farads) + "*(" + sum(signal) + ")", print(farads), print(signal.initial),
                            print(1e15 / scale));
  }

  // ---- in the user's units
  void equations() {
    const auto& signals = program_.equations.signals;
    for (std::size_t i = 1; i < signals.size(); ++i) {
      const auto& signal = signals[i];
      const auto in = [&](std::size_t term) { return volt(nodes_[signal.terms[term].signal]); };
      const bool input = std::ranges::find(program_.equations.inputs, i) != program_.equations.inputs.end();
      switch (signal.kind) {
        case EquationKind::integral: scaled_integrator(i); break;
        case EquationKind::sum: source(nodes_[i], sum(signal)); break;
        case EquationKind::product: source(nodes_[i], in(0) + "*" + in(1)); break;
        case EquationKind::modulus: source(nodes_[i], "abs(" + in(0) + ")"); break;
        case EquationKind::function: source(nodes_[i], SpiceLaw(program_.equations.argument, in(0))(signal.law)); break;
        case EquationKind::source:
          if (!input) source(nodes_[i], law_of_time(signal.law));
          break;
        case EquationKind::unit: break;
      }
    }
  }
  std::string sum(const AnalogEquations::Signal& signal) const {
    std::string text;
    for (const auto& term : signal.terms) {
      const std::string factor = print(term.factor);
      text += (factor.starts_with('-') ? "" : "+") + factor;
      if (term.signal != 0) text += "*" + volt(nodes_[term.signal]);
    }
    return text.empty() ? "0" : text;
  }

  // ---- in machine units
  void table() {
    for (std::size_t i = 0; i < program_.elements.size(); ++i) {
      const AnalogElement& element = program_.elements[i];
      const auto in = [&](std::size_t input) { return volt(nodes_[element.inputs[input].from]); };
      switch (element.kind) {
        case AnalogKind::INT:
        case AnalogKind::SUM:
        case AnalogKind::INV: summing(i); break;
        case AnalogKind::MUL: source(nodes_[i], in(0) + "*" + in(1) + "/" + print(program_.machine_unit)); break;
        case AnalogKind::ABS: source(nodes_[i], "abs(" + in(0) + ")"); break;
        case AnalogKind::FG: source(nodes_[i], SpiceLaw(program_.equations.argument, in(0))(element.law)); break;
        case AnalogKind::REF:
          out_ << fmt::format("V{0} {0} 0 {1}\n", nodes_[i], print(element.sign * program_.machine_unit));
          break;
        case AnalogKind::SRC:
          if (std::ranges::find(program_.inputs, i) == program_.inputs.end())
            source(nodes_[i], generated(element, program_.equations.signals[element.signal].law));
          break;
      }
    }
  }
  std::string generated(const AnalogElement& element, const ex& law) const {
    return print(element.sign * element.scale) + "*(" + law_of_time(law) + ")";
  }

  void summing(std::size_t index) {
    const AnalogElement& element = program_.elements[index];
    const std::string& node = nodes_[index];
    if (options_.kind == AnalogNetlist::amplifiers) return amplifier(element, node);
    std::string text;
    for (const auto& input : element.inputs) text += "-" + print(input.gain * input.alpha) + "*" + volt(nodes_[input.from]);
    if (text.empty()) text = "0";
    element.kind == AnalogKind::INT ? integrator(node, text, element.initial) : source(node, text);
  }

  /// An inverting amplifier with its summing point; the wiper of a potentiometer is buffered.
  void amplifier(const AnalogElement& element, const std::string& node) {
    const std::string point = legal_(node + "_sum");
    int number = 0;
    for (const auto& input : element.inputs) {
      const std::string own = node + "_" + std::to_string(++number);
      std::string from = nodes_[input.from];
      if (input.alpha < 1) from = potentiometer(from, input.alpha, own);
      out_ << fmt::format("R{} {} {} {}\n", own, from, point, print(1e6 / input.gain));
    }
    if (element.kind == AnalogKind::INT)
      out_ << fmt::format("C{0} {1} {0} 1u IC={2}\n", node, point, print(0 - element.initial));
    else
      out_ << fmt::format("R{0}_f {0} {1} {2}\n", node, point, resistance);
    out_ << fmt::format("E{0} {0} 0 0 {1} {2}\n", node, point, print(amplifier_gain));
  }
  std::string potentiometer(const std::string& from, double alpha, const std::string& name) {
    const std::string wiper = legal_("w_" + name), buffered = legal_("p_" + name);
    out_ << fmt::format("R{0}a {1} {2} {3}\nR{0}b {2} 0 {4}\nE{0} {5} 0 {2} 0 1\n", name, from, wiper, print(1e4 * (1 - alpha)),
                        print(1e4 * alpha), buffered);
    return buffered;
  }

  // ---- runs
  static std::string of_run(const std::string& pin, std::size_t run) { return pin + "_run" + std::to_string(run + 1); }

  void instance(std::size_t run) {
    const auto& inputs = user_ ? program_.equations.inputs : program_.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const ex& law = program_.runs[run].inputs[i];
      const std::string node = of_run(nodes_[inputs[i]], run);
      source(node, user_ ? law_of_time(law) : generated(program_.elements[inputs[i]], law));
    }
    out_ << "X" << run + 1;
    for (const std::string& pin : pins()) out_ << ' ' << of_run(pin, run);
    out_ << " program\n";
  }

  /// A part of what a capacitor comes to: one that is empty until a law jumps has no charge of which the tolerance were a part.
  double smallest_charge() const {
    constexpr double part = 1e-6, amplifiers_capacitance = 1e-6;
    switch (options_.kind) {
      case AnalogNetlist::user: return part * program_.machine_unit / program_.time_scale;
      case AnalogNetlist::machine: return part * program_.machine_unit;
      case AnalogNetlist::amplifiers: return part * program_.machine_unit * amplifiers_capacitance;
    }
    return part;
  }

  void commands() {
    const double last = program_.until * (user_ ? 1 : program_.time_scale);
    const double step = last / static_cast<double>(options_.points - 1);
    out_ << ".options reltol=1e-7 abstol=1e-12 vntol=1e-10 chgtol=" << print(smallest_charge())
         << " trtol=1 method=trap maxord=2\n";
    out_ << fmt::format(".tran {} {} 0 {} uic\n", print(step), print(last), print(std::min(step / 4, last / 20000)));
    out_ << ".control\nset wr_vecnames\nset numdgt=16\nrun\n" << end_of_run(options_.name, last) << "linearize";
    std::vector<std::string> lines, names;
    const auto& outputs = user_ ? program_.equations.outputs : program_.outputs;
    for (std::size_t run = 0; run < program_.runs.size(); ++run)
      for (const std::size_t output : outputs) {
        const std::string node = of_run(nodes_[output], run);
        const AnalogElement& element = program_.elements[user_ ? 0 : output];
        names.push_back("y_" + std::to_string(names.size() + 1));
        out_ << " v(" << node << ')';
        lines.push_back(fmt::format("let {} = v({}){}", names.back(), node, user_ ? "" : "/" + print(element.scale)) +
                        (!user_ && element.sign < 0 ? "*(-1)" : ""));
      }
    out_ << '\n';
    if (!user_) out_ << fmt::format("let t_user = time/{}\nsetscale t_user\n", print(program_.time_scale));
    for (const std::string& line : lines) out_ << line << '\n';
    out_ << fmt::format("wrdata {}_step.txt {}\nquit\n.endc\n.end\n", options_.name, fmt::join(names, " "));
  }

  std::ostream& out_;
  const AnalogProgram& program_;
  const AnalogNetlistOptions& options_;
  bool user_;
  NetlistNames legal_;
  std::vector<std::string> nodes_;
};

}  // namespace

void write_netlist(std::ostream& out, const AnalogProgram& program, const AnalogNetlistOptions& options) {
  if (options.points < 2) throw std::invalid_argument("write_netlist: at least two points");
  if (program.runs.empty()) throw std::invalid_argument("write_netlist: the program has no run");
  Netlist(out, program, options)();
}

}  // namespace sfg
