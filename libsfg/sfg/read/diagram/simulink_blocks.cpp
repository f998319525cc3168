#include <ginac/ginac.h>

#include <algorithm>
#include <set>

#include "sfg/read/diagram/block_meaning.hpp"
#include "sfg/text/legal_names.hpp"

namespace sfg {

namespace {

using Kind = BlockMeaning::Kind;
using Time = BlockMeaning::Time;

/// One block of Simulink, by its type.
class SimulinkBlock {
 public:
  SimulinkBlock(const DiagramBlock& block, const MatrixReading& reading, const DiagramOperators& operators)
      : block_(block), reading_(reading), s_(operators.s), z_(operators.z) {}

  BlockMeaning meaning() {
    static const std::set<std::string> sources = words_in(
        "Step Ramp Sin SignalGenerator DiscretePulseGenerator PulseGenerator RandomNumber UniformRandomNumber Clock "
        "DigitalClock FromWorkspace FromFile SignalEditor Playback");
    static const std::set<std::string> sinks = words_in("Scope ToWorkspace ToFile Display XYGraph Record");
    static const std::set<std::string> passing = words_in("SignalConversion SignalSpecification InitialCondition");
    static const std::set<std::string> silent = words_in("GotoTagVisibility ModelInfo FloatingScope Note");
    if (const auto found = blocks().find(block_.type); found != blocks().end())
      (this->*found->second)();
    else if (sources.contains(block_.type))
      made_.kind = Kind::source;
    else if (sinks.contains(block_.type))
      made_.kind = Kind::sink;
    else if (passing.contains(block_.type))
      made_.kind = Kind::pass;
    else if (block_.type == "DataTypeConversion")
      conversion();
    else if (block_.type == "Terminator")
      made_.kind = Kind::terminator;
    else if (block_.type == "Ground")
      made_.kind = Kind::ground;
    else if (!silent.contains(block_.type))
      refuse_block(block_);
    return std::move(made_);
  }

 private:
  using Self = SimulinkBlock;
  using Readers = std::map<std::string, void (Self::*)(), std::less<>>;

  static const Readers& blocks() {
    static const Readers known{{"Gain", &Self::gain},
                               {"Sum", &Self::sum},
                               {"TransferFcn", &Self::transfer},
                               {"ZeroPole", &Self::zero_pole},
                               {"StateSpace", &Self::state_space},
                               {"Integrator", &Self::integrator},
                               {"Derivative", &Self::derivative},
                               {"TransportDelay", &Self::transport_delay},
                               {"UnitDelay", &Self::unit_delay},
                               {"Delay", &Self::delay},
                               {"IntegerDelay", &Self::integer_delay},
                               {"ZeroOrderHold", &Self::hold},
                               {"DiscreteTransferFcn", &Self::discrete_transfer},
                               {"DiscreteFilter", &Self::discrete_filter},
                               {"DiscreteFir", &Self::discrete_filter},
                               {"DiscreteZeroPole", &Self::discrete_zero_pole},
                               {"DiscreteStateSpace", &Self::discrete_state_space},
                               {"DiscreteIntegrator", &Self::discrete_integrator},
                               {"Constant", &Self::constant},
                               {"Inport", &Self::inport},
                               {"Outport", &Self::outport},
                               {"Mux", &Self::mux},
                               {"Concatenate", &Self::concatenate},
                               {"Demux", &Self::demux},
                               {"Goto", &Self::send},
                               {"From", &Self::receive},
                               {"SubSystem", &Self::subsystem},
                               {"Reference", &Self::reference}};
    return known;
  }

  /// A parameter that is stated, or what Simulink takes without it.
  StatedMatrix matrix(const char* name, std::initializer_list<int> otherwise) const {
    if (const Passage* stated = block_.find(name)) return reading_.matrix(*stated);
    StatedMatrix made{1, otherwise.size(), {}};
    for (const int entry : otherwise) made.entries.emplace_back(entry);
    return made;
  }
  std::vector<GiNaC::ex> list(const char* name, std::initializer_list<int> otherwise) const {
    if (const Passage* stated = block_.find(name)) return reading_.list(*stated);
    return {otherwise.begin(), otherwise.end()};
  }
  GiNaC::ex scalar(const char* name, int otherwise) const {
    const Passage* const stated = block_.find(name);
    return stated ? reading_.scalar(*stated) : GiNaC::ex(otherwise);
  }
  void scale(GiNaC::ex by) {
    made_.kind = Kind::scale;
    made_.gains = {std::move(by)};
  }
  void off(const char* parameter, const std::string& why) const {
    if (block_.text(parameter, "off") == "on") refuse_block(block_, why, "switch that off, or put a linear block in its place");
  }
  void rest(const char* parameter) {
    const Passage* const stated = block_.find(parameter);
    if (!stated) return;
    made_.states_rest = !reading_.is_zero(*stated);
  }
  void continuous() { made_.time = Time::continuous; }
  void discrete() {
    made_.time = Time::discrete;
    const Passage* stated = block_.find("SampleTime");
    if (!stated) stated = block_.find("SystemSampleTime");
    if (!stated) return;
    const StatedMatrix value = reading_.matrix(*stated);  // [period offset], -1: that of who drives it
    if (value.entries.empty() ||
        (GiNaC::is_a<GiNaC::numeric>(value.entries[0]) && GiNaC::ex_to<GiNaC::numeric>(value.entries[0]).is_negative()))
      return;
    made_.sample_time = *stated;
    made_.period = value.entries[0];
  }

  void gain() {
    const StatedMatrix value = matrix("Gain", {1});
    const std::string how = block_.text("Multiplication", "Element-wise(K.*u)");
    made_.kind = Kind::scale;
    if (value.scalar() || how.starts_with("Element-wise")) {
      if (!value.list()) refuse_block(block_, "multiplies by a matrix element by element", "choose Matrix(K*u)");
      made_.gains = value.entries;
    } else if (how.starts_with("Matrix(K*u")) {
      made_.kind = Kind::product;
      made_.matrix = value;
    } else {
      refuse_block(block_, "multiplies from the right", "choose Matrix(K*u)");
    }
    if (made_.kind == Kind::scale && made_.gains.empty()) refuse_block(block_, "has no gain", "write one");
  }

  void sum() {
    made_.kind = Kind::sum;
    const std::string stated = block_.text("Inputs", block_.text("ListOfSigns", "++"));
    if (stated.find_first_not_of("+-|") == std::string::npos) {
      for (const char c : stated)
        if (c != '|') made_.signs.push_back(c == '-' ? -1 : 1);
    } else if (const Passage* count = block_.find("Inputs")) {
      made_.signs.assign(reading_.whole(*count, 1000), 1);
    }
    if (made_.signs.empty()) refuse_block(block_, "states no signs", "write + and -, one for each input");
    if (block_.text("CollapseMode", "All dimensions") != "All dimensions" && made_.signs.size() == 1)
      refuse_block(block_, "sums over one dimension", "let it sum over all");
  }

  /// A matrix of numerators has a row for every output.
  void fraction(const char* numerator, const char* denominator, std::initializer_list<int> above,
                std::initializer_list<int> below, const GiNaC::ex& variable) {
    const StatedMatrix numerators = matrix(numerator, above);
    const std::vector<GiNaC::ex> under = list(denominator, below);
    if (block_.text(std::string(numerator) + "Source", "Dialog") == "Input port" ||
        block_.text("NumeratorSource", "Dialog") == "Input port" || block_.text("DenominatorSource", "Dialog") == "Input port")
      refuse_block(block_, "takes its coefficients from signals", "write them in its dialogue");
    if (numerators.entries.empty() || under.empty()) refuse_block(block_, "has no coefficients", "write them");
    made_.kind = Kind::product;
    made_.matrix = {numerators.columns == 1 && numerators.rows > 1 ? 1 : numerators.rows, 1, {}};
    const std::size_t length = numerators.entries.size() / made_.matrix.rows;
    for (std::size_t row = 0; row < made_.matrix.rows; ++row) {
      const auto begin = numerators.entries.begin() + static_cast<std::ptrdiff_t>(row * length);
      made_.matrix.entries.push_back(quotient_of(block_, {begin, begin + static_cast<std::ptrdiff_t>(length)}, under, variable));
    }
    if (made_.matrix.rows == 1) scale(made_.matrix.entries.front());
  }
  void transfer() {
    continuous();
    fraction("Numerator", "Denominator", {1}, {1, 1}, s_);
  }
  void discrete_transfer() {
    discrete();
    fraction("Numerator", "Denominator", {1}, {1, 0}, z_);
  }
  /// Coefficients of 1, z⁻¹, z⁻² …
  void discrete_filter() {
    discrete();
    const bool fir = block_.type == "DiscreteFir";
    const std::vector<GiNaC::ex> above = list(fir || block_.find("Coefficients") ? "Coefficients" : "Numerator", {1});
    const std::vector<GiNaC::ex> below = fir ? std::vector<GiNaC::ex>{1} : list("Denominator", {1});
    const auto in_delays = [&](const std::vector<GiNaC::ex>& coefficients) {
      GiNaC::ex value = 0;
      for (std::size_t i = 0; i < coefficients.size(); ++i) value += coefficients[i] * GiNaC::pow(z_, -static_cast<int>(i));
      return value;
    };
    if (below.empty() || std::ranges::all_of(below, [](const GiNaC::ex& entry) { return entry.is_zero(); }))
      refuse_block(block_, "has the denominator 0", "write another one");
    scale(in_delays(above) / in_delays(below));
  }

  void zeros_and_poles(const GiNaC::ex& variable, std::initializer_list<int> zeros, std::initializer_list<int> poles) {
    GiNaC::ex above = 1, below = 1;
    for (const GiNaC::ex& zero : list("Zeros", zeros)) above *= variable - zero;
    for (const GiNaC::ex& pole : list("Poles", poles)) below *= variable - pole;
    const auto real = [&](const GiNaC::ex& product) {
      const bool complex = product.has(GiNaC::I) || [&] {
        for (GiNaC::const_preorder_iterator i = product.preorder_begin(); i != product.preorder_end(); ++i)
          if (GiNaC::is_a<GiNaC::numeric>(*i) && !GiNaC::ex_to<GiNaC::numeric>(*i).is_real()) return true;
        return false;
      }();
      return complex ? product.expand() : product;
    };
    scale(scalar("Gain", 1) * real(above) / real(below));
    for (GiNaC::const_preorder_iterator i = made_.gains[0].preorder_begin(); i != made_.gains[0].preorder_end(); ++i)
      if (GiNaC::is_a<GiNaC::numeric>(*i) && !GiNaC::ex_to<GiNaC::numeric>(*i).is_real())
        refuse_block(block_, "has complex zeros or poles without their conjugates", "state both of each pair");
  }
  void zero_pole() {
    continuous();
    zeros_and_poles(s_, {1}, {0, -1});
  }
  void discrete_zero_pole() {
    discrete();
    zeros_and_poles(z_, {1}, {0});
  }

  void matrices() {
    made_.A = matrix("A", {1});
    made_.B = matrix("B", {1});
    made_.C = matrix("C", {1});
    made_.D = matrix("D", {1});
    check_state_space(block_, made_);
    rest("InitialCondition");
  }
  void state_space() {
    continuous();
    matrices();
  }
  void discrete_state_space() {
    discrete();
    matrices();
  }

  void integrator() {
    if (block_.text("ExternalReset", "none") != "none") refuse_block(block_, "is reset by a signal", "switch the reset off");
    if (block_.text("InitialConditionSource", "internal") != "internal")
      refuse_block(block_, "takes its initial value from a signal", "choose an internal one");
    off("LimitOutput", "has limits");
    off("WrapState", "wraps its state");
    continuous();
    scale(1 / s_);
    rest("InitialCondition");
  }
  void derivative() {
    continuous();
    scale(s_);
  }
  void transport_delay() {
    continuous();
    scale(GiNaC::exp(-scalar("DelayTime", 1) * s_));
  }
  void unit_delay() {
    discrete();
    scale(1 / z_);
    rest("X0");
    if (!made_.states_rest) rest("InitialCondition");
  }
  void samples(const char* parameter, std::size_t otherwise) {
    discrete();
    const Passage* const stated = block_.find(parameter);
    const std::size_t count = stated ? reading_.whole(*stated, 10'000) : otherwise;
    scale(GiNaC::pow(z_, -static_cast<int>(count)));
  }
  void delay() {
    if (block_.text("DelayLengthSource", "Dialog") != "Dialog")
      refuse_block(block_, "takes its delay from a signal", "write it in its dialogue");
    if (block_.text("ExternalReset", "None") != "None") refuse_block(block_, "is reset by a signal", "switch the reset off");
    samples("DelayLength", 2);
  }
  void integer_delay() { samples("NumDelays", 4); }
  void hold() {
    discrete();
    scale(1);
  }

  void discrete_integrator() {
    off("LimitOutput", "has limits");
    if (block_.text("ExternalReset", "none") != "none") refuse_block(block_, "is reset by a signal", "switch the reset off");
    discrete();
    const std::string method = block_.text("IntegratorMethod", "Integration: Forward Euler");
    const bool accumulates = method.starts_with("Accumulation");
    if (!accumulates && !made_.period)
      refuse_block(block_, "inherits its sample time, which its gain needs",
                   "write the sample time, a number or a name, in its dialogue");
    const GiNaC::ex step = scalar("gainval", 1) * (accumulates ? GiNaC::ex(1) : *made_.period);
    if (method.ends_with("Forward Euler"))
      scale(step / (z_ - 1));
    else if (method.ends_with("Backward Euler"))
      scale(step * z_ / (z_ - 1));
    else if (method.ends_with("Trapezoidal"))
      scale(step / 2 * (z_ + 1) / (z_ - 1));
    else
      refuse_block(block_, "integrates by a method that is not known", "choose Forward Euler, Backward Euler or Trapezoidal");
    rest("InitialCondition");
  }

  void constant() {
    made_.kind = Kind::source;
    const StatedMatrix value = matrix("Value", {1});
    made_.values = value.entries;
    made_.widths = {std::max<std::size_t>(1, value.entries.size())};
  }
  void inport() {
    made_.kind = Kind::inlet;
    const Passage* const number = block_.find("Port");
    made_.number = number ? reading_.whole(*number, 10'000) : 1;
    if (const Passage* width = block_.find("PortDimensions"))
      if (const StatedMatrix value = reading_.matrix(*width); value.scalar() && GiNaC::is_a<GiNaC::numeric>(value.entries[0]) &&
                                                              GiNaC::ex_to<GiNaC::numeric>(value.entries[0]).is_positive())
        made_.widths = {reading_.whole(*width, 10'000)};
  }
  void outport() {
    made_.kind = Kind::outlet;
    const Passage* const number = block_.find("Port");
    made_.number = number ? reading_.whole(*number, 10'000) : 1;
  }
  void mux() { made_.kind = Kind::join; }
  void concatenate() {
    if (block_.text("Mode", "Vector") != "Vector") refuse_block(block_, "makes matrices", "join vectors");
    made_.kind = Kind::join;
  }
  void demux() {
    made_.kind = Kind::part;
    off("BusSelectionMode", "takes a bus apart");
    const Passage* const stated = block_.find("Outputs");
    const StatedMatrix value = stated ? reading_.matrix(*stated) : StatedMatrix::of(2);
    if (value.scalar())
      made_.number = stated ? reading_.whole(*stated, 1000) : 2;
    else
      made_.widths = widths_of(block_, value, "write how many elements each has");
  }
  void send() {
    made_.kind = Kind::send;
    made_.tag = block_.text("GotoTag", "A");
    made_.everywhere = block_.text("TagVisibility", "local") != "local";
  }
  void receive() {
    made_.kind = Kind::receive;
    made_.tag = block_.text("GotoTag", "A");
  }
  void conversion() {
    const std::string type = block_.text("OutDataTypeStr", block_.text("DataType", "auto"));
    static const std::set<std::string, std::less<>> exact{"auto", "double", "single"};
    if (!exact.contains(type) && !type.starts_with("Inherit:")) refuse_block(block_, "rounds to " + type, "convert to double");
    made_.kind = Kind::pass;
  }

  void subsystem() {
    if (!block_.inside) refuse_block(block_, "has nothing in it that is read", "save the model with its subsystems");
    for (const DiagramBlock& inner : block_.inside->blocks)
      if (inner.type == "EnablePort" || inner.type == "TriggerPort" || inner.type == "ActionPort" || inner.type == "ForEach" ||
          inner.type == "WhileIterator" || inner.type == "ForIterator")
        refuse_block(block_, "does not run always: it has the port " + in_quotes(inner.name), "take that port out");
    if (block_.text("Variant", "off") == "on")
      refuse_block(block_, "is one of several variants", "put the wanted one in its place");
    made_.kind = Kind::inside;
  }

  /// A block of a library: of those that Simulink ships, what is linear.
  void reference() {
    const std::string library = block_name(block_.text("SourceBlock")), type = block_.text("SourceType");
    const auto is = [&](std::string_view word) { return library.ends_with(word) || type.starts_with(word); };
    if (is("PID Controller") || is("PID 1dof")) return pid();
    if (is("Ramp") || is("Chirp Signal") || is("chirp") || is("Repeating table")) {
      made_.kind = Kind::source;
    } else if (is("XY Graph") || is("XY scope.")) {
      made_.kind = Kind::sink;
    } else if (block_.inputs == 0 && block_.outputs == 0) {
      made_.kind = Kind::nothing;
    } else {
      refuse_block(
          block_,
          "is a link to the library block " + in_quotes(library.empty() ? type : library) + ", which the file does not hold",
          "break the link (Library Link > Disable, Break) and save the model again");
    }
  }

  void pid() {
    if (!block_.text("TimeDomain", "Continuous-time").starts_with("Continuous"))
      refuse_block(block_, "is a discrete controller", "put a discrete transfer function in its place");
    off("LimitOutput", "has limits");
    off("LinearizeAsGain", "has limits");
    const std::string kind = block_.text("Controller", "PID");
    const bool ideal = block_.text("Form", "Parallel") == "Ideal";
    const auto has = [&](char part) { return kind.find(part) != std::string::npos; };
    GiNaC::ex rest = ideal ? GiNaC::ex(1) : has('P') ? scalar("P", 1) : GiNaC::ex(0);
    if (has('I')) rest += scalar("I", 1) / s_;
    if (has('D')) {
      const GiNaC::ex filter = scalar("N", 100);
      rest += block_.text("UseFilter", "on") == "off" ? scalar("D", 0) * s_ : scalar("D", 0) * filter * s_ / (s_ + filter);
    }
    continuous();
    scale(ideal ? scalar("P", 1) * rest : rest);
  }

  const DiagramBlock& block_;
  const MatrixReading& reading_;
  const GiNaC::ex &s_, &z_;
  BlockMeaning made_;
};

}  // namespace

BlockMeaning simulink_meaning(const DiagramBlock& block, const MatrixReading& reading, const DiagramOperators& operators) {
  return SimulinkBlock(block, reading, operators).meaning();
}

}  // namespace sfg
