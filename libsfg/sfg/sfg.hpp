#pragma once
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
#include "sfg/graph/textbook_shape.hpp"     // branches as textbooks draw them, of a wanted kind
#include "sfg/graph/to_equations.hpp"       // the linear equations of a graph

// Expressions and parameters
#include "sfg/error.hpp"                    // how questions end without an answer
#include "sfg/expr/condition.hpp"           // conditions as one reads them, and letters known to be positive
#include "sfg/expr/decimal_fraction.hpp"    // fractions with rounded numbers
#include "sfg/expr/derived_parameters.hpp"  // parameters that follow from others
#include "sfg/expr/dimension.hpp"           // units and what they measure
#include "sfg/expr/math_tree.hpp"           // formulas as their parts, written in every notation
#include "sfg/expr/parse.hpp"               // expressions and numbers from text
#include "sfg/expr/print.hpp"               // and back, as text, LaTeX and code
#include "sfg/expr/symbol_table.hpp"        // the names of a model and their values
#include "sfg/expr/syntax.hpp"              // expressions as they are written
#include "sfg/model/operator.hpp"           // s, p or z, with the sample time
#include "sfg/model/quantities.hpp"         // dimensions inferred from expressions
#include "sfg/model/settings.hpp"           // values put in by name

// Models, and how they become equations and graphs
#include "sfg/derive/derive.hpp"                         // the equations or the graph of any model
#include "sfg/derive/joined.hpp"                         // models of several kinds as one
#include "sfg/derive/lagrange.hpp"                       // energies: operator polynomials, equilibrium
#include "sfg/derive/motion.hpp"                         // nonlinear equations of motion
#include "sfg/derive/multibody/linear_motion.hpp"        // their small motions
#include "sfg/derive/multibody/multibody_equations.hpp"  // bodies, joints, particles: equations of motion
#include "sfg/derive/multibody/surroundings.hpp"         // what acts on bodies from afar, and what they measure
#include "sfg/derive/noise_sources.hpp"                  // what makes noise in a circuit
#include "sfg/derive/polar/polar_derivation.hpp"         // networks: Lagrange tree, skeleton, closing branches
#include "sfg/derive/ports.hpp"                          // circuits driven at their ports
#include "sfg/derive/return_ratio.hpp"                   // circuits opened at a controlled source
#include "sfg/model/model.hpp"                           // equations, energies, circuits, state space
#include "sfg/model/simulation.hpp"                      // what a file states of a simulation

// Studies of parameters
#include "sfg/study/global_sensitivity.hpp"  // Sobol indices, elementary effects, tornados
#include "sfg/study/local_study.hpp"         // derivatives of measures, poles and zeros
#include "sfg/study/measure.hpp"             // peak, phase margin, rise time, and expressions of them
#include "sfg/study/measure_program.hpp"     // their values at a million points
#include "sfg/study/monte_carlo.hpp"         // samples within tolerances: quantiles, yields, envelopes
#include "sfg/study/sensitivity.hpp"         // the influence of parameters in closed form and over frequency
#include "sfg/study/sweep.hpp"               // the same question for many values of parameters
#include "sfg/study/tuning.hpp"              // values that meet specs or are best
#include "sfg/study/variation.hpp"           // tolerances and distributions
#include "sfg/study/worst_case.hpp"          // guaranteed bounds over a box of tolerances

// Answers in closed form
#include "sfg/approximate/approximate.hpp"  // what dominates
#include "sfg/budget.hpp"                   // limits of time, memory and terms
#include "sfg/transfer/certificate.hpp"     // transfer functions with what a third party needs to check them
#include "sfg/transfer/characteristic.hpp"  // the determinant as a polynomial
#include "sfg/transfer/exact_transfer.hpp"  // transfer functions with numbers
#include "sfg/transfer/exercise.hpp"        // random graphs to be solved by it
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
#include "sfg/control/modes.hpp"             // shapes of modes
#include "sfg/control/open_loop.hpp"         // a loop cut open
#include "sfg/control/poles.hpp"             // poles, zeros, damping
#include "sfg/control/root_locus.hpp"        // poles over a parameter
#include "sfg/control/routh.hpp"             // Routh's array and conditions
#include "sfg/control/stability_region.hpp"  // stability over two parameters

// Over frequency and time
#include "sfg/response/closed_form.hpp"         // time functions
#include "sfg/response/discretize.hpp"          // sampled systems
#include "sfg/response/frequency_response.hpp"  // magnitude and phase
#include "sfg/response/group_delay.hpp"         // how late a narrow band of frequencies is
#include "sfg/response/input_signal.hpp"        // signals as expressions of the time
#include "sfg/response/noise.hpp"               // densities, variance and rms of noise
#include "sfg/response/responses.hpp"           // step and impulse responses of a graph
#include "sfg/response/sampled_formula.hpp"     // sampled systems with symbols
#include "sfg/response/simulation.hpp"          // responses to any inputs and initial values
#include "sfg/response/time_response.hpp"       // step and impulse responses of a transfer function

// Two models
#include "sfg/compare/comparison.hpp"  // the same transfer functions, or what makes them differ

// Nonlinear graphs
#include "sfg/multibody/aggregate.hpp"              // parts and connections without loops
#include "sfg/multibody/aggregate_description.hpp"  // what an aggregate is made of, in Ivankov's letters
#include "sfg/multibody/aggregate_model.hpp"        // a model of bodies as one
#include "sfg/multibody/aggregate_motion.hpp"       // its motion in time
#include "sfg/multibody/aggregate_run.hpp"          // their motion in time
#include "sfg/multibody/bodies.hpp"                 // rigid bodies with wheels, elastic bodies
#include "sfg/multibody/constraint_check.hpp"       // degrees of freedom, redundant constraints, inertias of no body
#include "sfg/multibody/normalization.hpp"          // drift at connections removed
#include "sfg/multibody/part.hpp"                   // what a part is, also of your own
#include "sfg/nonlinear/absolute_stability.hpp"     // circle and Popov criteria
#include "sfg/nonlinear/analog_program.hpp"         // the program of an analog computer
#include "sfg/nonlinear/balance.hpp"                // periodic motion with stability
#include "sfg/nonlinear/compiled_laws.hpp"          // laws as programs for numbers
#include "sfg/nonlinear/describing_plane.hpp"       // L(jw) and -1/N(A)
#include "sfg/nonlinear/limit_cycle.hpp"            // motion without drive
#include "sfg/nonlinear/linearized.hpp"             // slopes instead of laws
#include "sfg/nonlinear/operating_points.hpp"       // states of rest, all of them
#include "sfg/nonlinear/phase_portrait.hpp"         // trajectories with states of rest
#include "sfg/nonlinear/principal.hpp"              // reduction to principal nodes
#include "sfg/nonlinear/principal_form.hpp"         // a graph cut at its nonlinear branches
#include "sfg/nonlinear/summed_signals.hpp"         // what laws depend on, from its terms
#include "sfg/nonlinear/transient.hpp"              // time responses

// Motion of multibody models in numbers
#include "sfg/multibody/mechanism_run.hpp"  // motion over time
#include "sfg/multibody/motion_state.hpp"   // accelerations and reactions at a state

// Pictures
#include "sfg/draw/block_diagram.hpp"       // the graph as a structural diagram
#include "sfg/draw/layout.hpp"              // the graph drawn
#include "sfg/draw/loop_sheet.hpp"          // its paths, loops and sets one by one
#include "sfg/draw/matrix_picture.hpp"      // its matrix, and that of equations
#include "sfg/draw/svg.hpp"                 // as SVG
#include "sfg/plot/absolute_figure.hpp"     // circle and Popov criteria
#include "sfg/plot/analog_sheet.hpp"        // analog programs as the field draws them
#include "sfg/plot/balance_figure.hpp"      // amplitudes over frequency
#include "sfg/plot/figures.hpp"             // Bode, Nyquist, step responses, root loci
#include "sfg/plot/global_figure.hpp"       // tornados, Sobol indices, elementary effects
#include "sfg/plot/local_figure.hpp"        // relative sensitivities, ways of poles
#include "sfg/plot/monte_carlo_figure.hpp"  // histograms, yields, envelopes
#include "sfg/plot/phase_figure.hpp"        // phase portraits
#include "sfg/plot/plot.hpp"                // curves on axes
#include "sfg/plot/sensitivity_figure.hpp"  // sensitivities over frequency
#include "sfg/plot/static_figure.hpp"       // static characteristics
#include "sfg/plot/worst_case_figure.hpp"   // bounds and what is attained

// Reading what needs no Graphviz
#include "sfg/read/csv.hpp"              // sampled signals
#include "sfg/read/json.hpp"             // graphs and models in JSON
#include "sfg/read/lagrange_script.hpp"  // energies in the script of Augustaitis et al.
#include "sfg/read/spice.hpp"            // netlists
#include "sfg/read/toml.hpp"             // graphs and models in TOML

// Writing answers as text and JSON
#include "sfg/write/aggregate.hpp"           // aggregates of parts
#include "sfg/write/aggregate_motion.hpp"    // and their motion
#include "sfg/write/analog_netlist.hpp"      // analog programs for ngspice
#include "sfg/write/analog_program.hpp"      // their patching tables
#include "sfg/write/approximate.hpp"         // approximations
#include "sfg/write/balance.hpp"             // periodic motion
#include "sfg/write/certificate.hpp"         // certificates of transfer functions
#include "sfg/write/closed_form.hpp"         // time functions
#include "sfg/write/comparison.hpp"          // comparisons of two models
#include "sfg/write/derivation.hpp"          // derivations
#include "sfg/write/describing.hpp"          // crossings of describing functions
#include "sfg/write/discretize.hpp"          // sampled systems
#include "sfg/write/exercise.hpp"            // exercises for Mason's rule
#include "sfg/write/factored.hpp"            // factors
#include "sfg/write/frequency_response.hpp"  // magnitude and phase
#include "sfg/write/graph.hpp"               // graphs, also TOML and GraphML
#include "sfg/write/interval_family.hpp"     // stability for intervals
#include "sfg/write/margins.hpp"             // margins
#include "sfg/write/mason.hpp"               // Mason's listing
#include "sfg/write/mechanism_run.hpp"       // motion of mechanisms
#include "sfg/write/motion.hpp"              // equations of motion
#include "sfg/write/motion_state.hpp"        // motion at a state
#include "sfg/write/multibody.hpp"           // equations of multibody models
#include "sfg/write/noise.hpp"               // noise
#include "sfg/write/operating_points.hpp"    // states of rest
#include "sfg/write/page_html.hpp"           // pages as HTML with MathML,
#include "sfg/write/page_latex.hpp"          // LaTeX,
#include "sfg/write/page_markdown.hpp"       // Markdown,
#include "sfg/write/page_text.hpp"           // and plain text
#include "sfg/write/polar.hpp"               // those of polar graphs
#include "sfg/write/poles.hpp"               // poles and zeros
#include "sfg/write/ports.hpp"               // port parameters
#include "sfg/write/reduce.hpp"              // reductions
#include "sfg/write/root_locus.hpp"          // root loci
#include "sfg/write/routh.hpp"               // Routh's array
#include "sfg/write/sensitivity.hpp"         // sensitivities
#include "sfg/write/sequence.hpp"            // sequences, also as programs
#include "sfg/write/stability_region.hpp"    // stability over two parameters
#include "sfg/write/state_space.hpp"         // matrices
#include "sfg/write/sweep.hpp"               // any answer of a sweep
#include "sfg/write/time_response.hpp"       // step and impulse responses
#include "sfg/write/transfer.hpp"            // transfer functions
#include "sfg/write/zpk.hpp"                 // zeros, poles and gain

// The library itself
#include "sfg/about/build_information.hpp"  // how it was built, what it runs on and with
#include "sfg/version.hpp"                  // its version
