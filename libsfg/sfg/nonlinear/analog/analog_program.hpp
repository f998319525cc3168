#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A graph as operations that an analog computer has: integration, sums, products, moduli and functions of one signal, in the
/// units of the user and before any scaling.
struct AnalogEquations {
  struct Term {
    std::size_t signal = 0;
    double factor = 1;
  };
  enum class Kind {
    unit,      ///< 1
    source,    ///< an input of the graph, or a function of time alone (`law`)
    integral,  ///< rate of change: the sum of the terms
    sum,       ///< of the terms
    product,   ///< of the signals of the two terms
    modulus,   ///< of the signal of the term
    function,  ///< `law` of the signal of the term
  };
  struct Signal {
    std::string name;
    Kind kind = Kind::sum;
    std::vector<Term> terms = {};
    GiNaC::ex law = {};  ///< of `argument` (function) or `time` (source)
    double initial = 0;  ///< of an integral
  };

  std::vector<Signal> signals;       ///< [0] is the unit
  std::vector<std::size_t> inputs;   ///< signals, in the order asked for; their laws are not set
  std::vector<std::size_t> outputs;  ///< as above
  GiNaC::ex argument, time;
  /// Integrals of one chain in observer form: those of x, whose rates are z_1 = x, z_{j+1} = x^(j) + Σ a_i x^(j−i).
  struct Chain {
    std::vector<std::string> names;   ///< x, Dx, …
    std::vector<std::size_t> states;  ///< z_1, z_2, …
    std::vector<double> a;            ///< of the denominator s^n + a_1 s^(n−1) + …
  };
  std::vector<Chain> chains;
  bool eliminated = false;  ///< the states are those of the exact state space: the branches themselves gave no program
  std::string reason = {};  ///< why

  bool is_state(std::size_t signal) const { return signals[signal].kind == Kind::integral; }
  /// What does not integrate, each after what it is made of.
  std::vector<std::size_t> order() const;
};

struct AnalogEnds {
  std::vector<NodeId> inputs = {};   ///< empty: as the graph states
  std::vector<NodeId> outputs = {};  ///< as above
};

/// Every rational gain becomes a chain of integrators in observer form (Kailath, Linear Systems, 2.1); the integrators of
/// branches with one denominator into one node are shared. Nothing is differentiated: where a gain is improper (c p + k) or a law
/// asks for the rate of a signal, the rate is what enters the signal's integrator. Where a rate or a loop without integrator
/// leaves no such program, the linear part is brought to its exact state space, which has one whenever its responses are proper.
/// Laws become products, moduli and functions of one signal (min and max of several are made of moduli).
/// @throws sfg::Error  where a gain is not rational, a law has no elements, or a parameter has no value, with the place.
/// @throws NoAnswer    where a response is improper, or a loop of laws has no integrator.
AnalogEquations analog_equations(const SignalFlowGraph&, const AnalogEnds& = {}, const Budget& = {});

/// Sets the initial values of states: a signal x that is an integral, or its rate Dx.
/// @throws sfg::Error naming the states.
void set_initial_values(AnalogEquations&, const std::map<std::string, double>&);

/// An element of an analog computer. Machine variables U lie within ±E; τ is the machine's time.
enum class AnalogKind {
  INT,  ///< integrator: dU/dτ = −Σ g α U_in
  SUM,  ///< summer: U = −Σ g α U_in
  INV,  ///< inverter: a summer of one input with gain 1
  MUL,  ///< multiplier: U = U_1 U_2/E
  ABS,  ///< U = |U_1|
  FG,   ///< function generator: U = law(U_1)
  REF,  ///< reference voltage, +E or −E
  SRC,  ///< signal generator
};
const char* to_string(AnalogKind);

/// A row of the patching table: the output of the element is sign · scale · variable.
struct AnalogElement {
  struct Input {
    std::size_t from = 0;  ///< element
    double gain = 1;       ///< of the amplifier's input: 1, 10, 100 …
    double alpha = 1;      ///< of the coefficient potentiometer before it; 1: no potentiometer
    std::size_t pot = 0;   ///< its number, from 1 on; 0: none
  };
  AnalogKind kind = AnalogKind::SUM;
  std::string id = {};
  std::string variable = {};
  std::size_t signal = 0;  ///< of the equations
  int sign = 1;
  double scale = 1;  ///< machine units per unit of the variable
  std::vector<Input> inputs = {};
  double initial = 0;   ///< of the output of an integrator, machine units
  std::size_t pot = 0;  ///< of the initial value, fed by the reference
  GiNaC::ex law = {};   ///< FG: of the machine variable (`argument` of the equations)
  std::string note = {};
  double peak = 0;       ///< largest |output| in the runs, machine units
  double test = 0;       ///< static test: output, machine units
  double test_rate = 0;  ///< … and the sum at an integrator's input, dU/dτ
};

/// Inputs of one run, in the order of the equations' inputs: expressions of the time of the equations.
struct AnalogRun {
  std::string name;
  std::vector<GiNaC::ex> inputs;
};

struct AnalogOptions {
  double machine_unit = 1;                     ///< E
  std::optional<double> time_scale = {};       ///< λ = τ/t; nothing: chosen so that the gains of the integrators are near 1
  std::map<std::string, double> maxima = {};   ///< by variable; the others are taken from the runs, rounded up to 1, 2 or 5
  std::map<std::string, double> initial = {};  ///< of states
  std::vector<AnalogRun> runs = {};
  double until = 1;          ///< of the runs, s
  std::size_t points = 201;  ///< of the responses
  double rtol = 1e-10;
  Budget budget = {};
};

/// The program of an analog computer for a signal-flow graph.
struct AnalogProgram {
  std::string title = {};
  double machine_unit = 1;
  double time_scale = 1;
  double until = 1;
  std::vector<AnalogElement> elements = {};
  std::vector<std::size_t> inputs = {};   ///< elements
  std::vector<std::size_t> outputs = {};  ///< elements, as stated
  std::vector<std::string> output_names = {};
  std::size_t potentiometers = 0;
  /// No initial values are stated: the static test holds the integrators at 0.5, 0.4, 0.3, 0.2, 0.1 E, and so on in turn.
  bool test_values = false;
  std::vector<AnalogRun> runs = {};
  std::vector<double> times = {};                                ///< of the responses, s
  std::vector<std::vector<std::vector<double>>> responses = {};  ///< [run][output][time]: of the table, interpreted, user's units
  std::vector<std::vector<double>> errors = {};                  ///< [run][output]: the difference of two runs
  AnalogEquations equations = {};
  std::vector<Diagnostic> notes = {};  ///< overloads, settings too small, gains above 100
};

/// Amplitude scaling a = E/q_max, time scaling, signs (each summer and integrator inverts; the signs of the variables are chosen
/// so that few inverters are needed), potentiometers.
/// @see Wojnarowski and Świder 1978, section 3; Jackson, Analog Computation, 1960.
/// @throws Error for a maximum of no variable; NoAnswer where a run is not finite; as analog_equations.
AnalogProgram analog_program(AnalogEquations, const AnalogOptions& = {});
AnalogProgram analog_program(const SignalFlowGraph&, const AnalogEnds& = {}, const AnalogOptions& = {});

/// @throws Error unless the name is that of a variable that has a scale of its own and the maximum is positive.
void check_maximum(const AnalogEquations&, const std::string& name, double maximum);

/// What a program does, by its table alone.
struct AnalogTrace {
  std::vector<std::vector<double>> outputs;  ///< [output][time], in the user's units
  std::vector<double> peaks;                 ///< by element, machine units
  std::vector<double> errors = {};  ///< by output: how much two runs differ, the second one finer; a power of ten, upwards
};

/// Interprets the patching table: integrates the machine's equations, multiplies and generates functions as the elements do.
/// @param times  of the user, s, ascending from 0
AnalogTrace interpreted(const AnalogProgram&, const AnalogRun&, std::span<const double> times, double rtol = 1e-10,
                        const Budget& = {});

/// Outputs of all elements with the integrators held at values (in the order of the table), and the rates of these: dU/dτ.
struct StaticTest {
  std::vector<double> outputs, rates;
};
StaticTest static_test(const AnalogProgram&, std::span<const double> held);

/// The largest |value| of every signal of the equations in the runs.
std::vector<double> amplitudes(const AnalogEquations&, const AnalogOptions&);

}  // namespace sfg
