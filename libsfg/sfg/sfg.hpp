#pragma once
// Every public header of the library that needs no Graphviz.
#include "sfg/approximate/approximate.hpp"
#include "sfg/approximate/deviation.hpp"
#include "sfg/approximate/dominant_terms.hpp"
#include "sfg/approximate/pole_splitting.hpp"
#include "sfg/approximate/prune_equations.hpp"
#include "sfg/budget.hpp"
#include "sfg/control/closed_loop.hpp"
#include "sfg/control/interval_family.hpp"
#include "sfg/control/margins.hpp"
#include "sfg/control/open_loop.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/control/root_locus.hpp"
#include "sfg/control/routh.hpp"
#include "sfg/control/stability_region.hpp"
#include "sfg/ddd/block_form.hpp"
#include "sfg/ddd/determinant_diagram.hpp"
#include "sfg/ddd/elimination.hpp"
#include "sfg/ddd/ordering.hpp"
#include "sfg/derive/circuit.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/motion.hpp"
#include "sfg/derive/operating_point.hpp"
#include "sfg/derive/second_order.hpp"
#include "sfg/draw/drawing.hpp"
#include "sfg/draw/formula.hpp"
#include "sfg/draw/layout.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/delayed_loop.hpp"
#include "sfg/exact/exact_number.hpp"
#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/exact/inverse_laplace.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/exact/sampled_data.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/rational_arithmetic.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/graph/components.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/graph/inspect.hpp"
#include "sfg/graph/loops.hpp"
#include "sfg/graph/realization.hpp"
#include "sfg/graph/rewrite.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/graph/to_equations.hpp"
#include "sfg/model/circuit.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/model/model.hpp"
#include "sfg/model/motion.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/model/simulation.hpp"
#include "sfg/model/state_space.hpp"
#include "sfg/numeric/tape.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/plot/plot.hpp"
#include "sfg/read/csv.hpp"
#include "sfg/read/json.hpp"
#include "sfg/read/lagrange_script.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/response/certified_values.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/response/discretize.hpp"
#include "sfg/response/forced_response.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/input_signal.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/response/switching_times.hpp"
#include "sfg/response/time_function.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/ring/dominant.hpp"
#include "sfg/ring/dual.hpp"
#include "sfg/ring/integer.hpp"
#include "sfg/ring/interval.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/ring/multivariate.hpp"
#include "sfg/ring/real.hpp"
#include "sfg/ring/univariate.hpp"
#include "sfg/study/sensitivity.hpp"
#include "sfg/transfer/characteristic.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/factored.hpp"
#include "sfg/transfer/graph_elimination.hpp"
#include "sfg/transfer/graph_matrix.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/reduce.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/transfer/singular.hpp"
#include "sfg/transfer/state_space.hpp"
#include "sfg/transfer/term_counts.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/transfer/verify.hpp"
#include "sfg/write/approximate.hpp"
#include "sfg/write/closed_form.hpp"
#include "sfg/write/derivation.hpp"
#include "sfg/write/discretize.hpp"
#include "sfg/write/factored.hpp"
#include "sfg/write/frequency_response.hpp"
#include "sfg/write/graph.hpp"
#include "sfg/write/interval_family.hpp"
#include "sfg/write/margins.hpp"
#include "sfg/write/mason.hpp"
#include "sfg/write/motion.hpp"
#include "sfg/write/poles.hpp"
#include "sfg/write/reduce.hpp"
#include "sfg/write/root_locus.hpp"
#include "sfg/write/routh.hpp"
#include "sfg/write/sensitivity.hpp"
#include "sfg/write/sequence.hpp"
#include "sfg/write/stability_region.hpp"
#include "sfg/write/state_space.hpp"
#include "sfg/write/time_response.hpp"
#include "sfg/write/transfer.hpp"
#include "sfg/write/zpk.hpp"
// The library by purpose. What needs Graphviz is apart: read/input.hpp and read/dot.hpp (files), write/dot.hpp,
// draw/graphviz.hpp. So are the engines, to be included by name: numbers (exact/), algebras (ring/), determinant diagrams (ddd/),
// tapes (numeric/).

// The graph
#include "sfg/graph/components.hpp"         // what reaches what, strong components
#include "sfg/graph/from_equations.hpp"     // a graph of linear equations
#include "sfg/graph/inspect.hpp"            // what looks wrong in a graph
#include "sfg/graph/loops.hpp"              // loops and forward paths
#include "sfg/graph/output_signal.hpp"      // expressions of signals as outputs
#include "sfg/graph/realization.hpp"        // graphs of integrators for a transfer function
#include "sfg/graph/rewrite.hpp"            // absorbing, splitting, inverting, scaling: the same signals in another graph
#include "sfg/graph/signal_flow_graph.hpp"  // nodes, branches and their gains
#include "sfg/graph/to_equations.hpp"       // the linear equations of a graph

// Expressions and parameters
#include "sfg/error.hpp"                    // how questions end without an answer
#include "sfg/expr/derived_parameters.hpp"  // parameters that follow from others
#include "sfg/expr/parse.hpp"               // expressions and numbers from text
#include "sfg/expr/print.hpp"               // and back, as text, LaTeX and code
#include "sfg/expr/symbol_table.hpp"        // the names of a model and their values
#include "sfg/model/settings.hpp"           // values put in by name

// Models, and how they become equations and graphs
#include "sfg/derive/derive.hpp"        // the equations or the graph of any model
#include "sfg/derive/lagrange.hpp"      // energies: operator polynomials, equilibrium
#include "sfg/derive/noise_sources.hpp"  // what makes noise in a circuit
#include "sfg/derive/ports.hpp"         // circuits driven at their ports
#include "sfg/derive/return_ratio.hpp"  // circuits opened at a controlled source
#include "sfg/derive/second_order.hpp"  // matrices of mass, damping and stiffness
#include "sfg/model/model.hpp"          // equations, energies, circuits, state space
#include "sfg/model/simulation.hpp"     // what a file states of a simulation

// Answers in closed form
#include "sfg/approximate/approximate.hpp"  // what dominates
#include "sfg/budget.hpp"                   // limits of time, memory and terms
#include "sfg/study/sensitivity.hpp"        // the influence of parameters
#include "sfg/transfer/characteristic.hpp"  // the determinant as a polynomial
#include "sfg/transfer/exact_transfer.hpp"  // transfer functions with numbers
#include "sfg/transfer/factored.hpp"        // transfer functions in factors
#include "sfg/transfer/mason.hpp"           // Mason's rule, listed
#include "sfg/transfer/question.hpp"        // what is asked of a graph, by names of its nodes
#include "sfg/transfer/reduce.hpp"          // a graph made smaller step by step
#include "sfg/transfer/sequence.hpp"        // a sequence of expressions, for large graphs
#include "sfg/transfer/state_space.hpp"     // matrices A, B, C, D of a graph
#include "sfg/transfer/transfer.hpp"        // transfer functions in lowest terms, verified

// Poles and stability
#include "sfg/control/interval_family.hpp"   // stability for intervals of parameters
#include "sfg/control/margins.hpp"           // gain, phase, delay and modulus margins
#include "sfg/control/open_loop.hpp"         // a loop cut open
#include "sfg/control/poles.hpp"             // poles, zeros, damping
#include "sfg/control/root_locus.hpp"        // poles over a parameter
#include "sfg/control/routh.hpp"             // Routh's array and conditions
#include "sfg/control/stability_region.hpp"  // stability over two parameters

// Over frequency and time
#include "sfg/response/closed_form.hpp"         // time functions
#include "sfg/response/discretize.hpp"          // sampled systems
#include "sfg/response/frequency_response.hpp"  // magnitude and phase
#include "sfg/response/noise.hpp"               // densities, variance and rms of noise
#include "sfg/response/input_signal.hpp"        // signals as expressions of the time
#include "sfg/response/responses.hpp"           // step and impulse responses of a graph
#include "sfg/response/simulation.hpp"          // responses to any inputs and initial values
#include "sfg/response/time_response.hpp"       // step and impulse responses of a transfer function

// Pictures
#include "sfg/draw/layout.hpp"   // the graph drawn
#include "sfg/draw/svg.hpp"      // as SVG
#include "sfg/plot/figures.hpp"  // Bode, Nyquist, step responses, root loci
#include "sfg/plot/plot.hpp"     // curves on axes

// Reading what needs no Graphviz
#include "sfg/read/csv.hpp"              // sampled signals
#include "sfg/read/json.hpp"             // graphs and models in JSON
#include "sfg/read/lagrange_script.hpp"  // energies in the script of Augustaitis et al.
#include "sfg/read/spice.hpp"            // netlists
#include "sfg/read/toml.hpp"             // graphs and models in TOML

// Writing answers as text and JSON
#include "sfg/write/approximate.hpp"  // approximations
#include "sfg/write/control.hpp"      // poles, margins, responses
#include "sfg/write/derivation.hpp"   // derivations
#include "sfg/write/factored.hpp"     // factors, zeros, poles and gain
#include "sfg/write/graph.hpp"        // graphs, also TOML and GraphML
#include "sfg/write/mason.hpp"        // Mason's listing
#include "sfg/write/noise.hpp"        // noise
#include "sfg/write/ports.hpp"        // port parameters
#include "sfg/write/reduce.hpp"       // reductions
#include "sfg/write/sensitivity.hpp"  // sensitivities
#include "sfg/write/sequence.hpp"     // sequences, also as programs
#include "sfg/write/state_space.hpp"  // matrices
#include "sfg/write/transfer.hpp"     // transfer functions
