#pragma once
#include <ginac/ex.h>

#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

/// A circuit of lumped elements, linear but for those with a law; subcircuits are expanded. Node "0" is ground. Directions and
/// signs are those of SPICE: a current flows through an element from its first node to its second.
struct Circuit {
  enum class Kind {
    resistor,
    capacitor,
    inductor,
    coupling,        ///< between two inductors; `value` is the mutual inductance
    voltage_source,  ///< `value` 1: an input of the element's name; 0: a short circuit that measures a current
    current_source,  ///< likewise; 0: an open circuit
    vcvs,            ///< E: v(1,2) = value · v(3,4)
    cccs,            ///< F: i(1→2) = value · i(control)
    vccs,            ///< G: i(1→2) = value · v(3,4)
    ccvs,            ///< H: v(1,2) = value · i(control)
    law_current,     ///< diodes, B with I=: i(1→2) = value, a nonlinear function of `arguments`
    law_voltage,     ///< B with V=: v(1,2) = value
    nullor,          ///< O, an ideal operational amplifier: v(1,2) = 0; the output current flows from node 3 to node 4
  };
  /// A signal that is asked for.
  struct Probe {
    std::string name;                     ///< "v(out)", "v(a,b)", "i(R1)"
    std::vector<std::string> nodes = {};  ///< of a voltage: one or two
    std::string element = {};             ///< of a current
    SourceSpan where = {};
  };
  /// A signal that the law of an element depends on, and the symbols that stand for it and for its rate.
  struct Argument {
    Probe signal;
    GiNaC::ex value;
    GiNaC::ex rate;
  };
  struct Element {
    std::string name;  ///< "R1"; "R1_X1" when it comes from the subcircuit instance X1
    Kind kind = Kind::resistor;
    std::vector<std::string> nodes = {};     ///< two, or four: see Kind
    std::vector<std::string> controls = {};  ///< names of elements: one of F and H, two of K
    GiNaC::ex value;                         ///< its symbol, or the expression that was stated
    SourceSpan where = {};
    std::vector<Argument> arguments = {};  ///< of a law
    GiNaC::ex noise = 0;  ///< of an independent source: its own one-sided density, V²/Hz or A²/Hz, over w in rad/s
  };
  std::string title = {};
  Operator op = "s";
  SymbolTable symbols;
  std::vector<Element> elements = {};
  std::vector<std::string> inputs = {};  ///< names of independent sources; empty: all of them
  std::vector<Probe> outputs = {};
  SourceSpan where = {};
};

}  // namespace sfg
