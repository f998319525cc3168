#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
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

}  // namespace sfg
