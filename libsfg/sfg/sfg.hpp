#pragma once
// The library by purpose. Apart are the engines, to be included by name: numbers (exact/), algebras (ring/), determinant diagrams
// (ddd/), tapes (numeric/); and what has a header of its own beside these, in the same rooms.

// The graph
#include "sfg/graph/from_equations.hpp"     // a graph of linear equations and back; expressions of signals as outputs
#include "sfg/graph/inspect.hpp"            // what looks wrong in a graph
#include "sfg/graph/realization.hpp"        // graphs of integrators for a transfer function
#include "sfg/graph/signal_flow_graph.hpp"  // nodes, branches and their gains

// Expressions and parameters
#include "sfg/error.hpp"                    // how questions end without an answer
#include "sfg/expr/derived_parameters.hpp"  // parameters that follow from others
#include "sfg/expr/parse.hpp"               // expressions and numbers from text
#include "sfg/expr/print.hpp"               // and back, as text, LaTeX and code
#include "sfg/model/settings.hpp"           // values put in by name

// Models, and how they become equations and graphs
#include "sfg/derive/circuit.hpp"                  // circuits, with noise, driven at their ports, opened at a controlled source
#include "sfg/derive/derive.hpp"                   // the equations or the graph of any model
#include "sfg/derive/lagrange.hpp"                 // energies: operator polynomials, equilibrium, nonlinear equations of motion
#include "sfg/derive/multibody/linear_motion.hpp"  // their small motions
#include "sfg/derive/multibody/multibody_equations.hpp"  // bodies, joints, particles: equations of motion
#include "sfg/derive/multibody/surroundings.hpp"         // what acts on bodies from afar, and what they measure
#include "sfg/derive/polar/polar_derivation.hpp"         // networks: Lagrange tree, skeleton, closing branches

// Studies of parameters
#include "sfg/study/boxes/worst_case.hpp"            // guaranteed bounds over a box of tolerances
#include "sfg/study/local/sensitivity.hpp"           // the influence of parameters in closed form and over frequency
#include "sfg/study/measures/measure.hpp"            // measures as numbers, their values at a million points
#include "sfg/study/samples/global_sensitivity.hpp"  // Sobol indices, elementary effects, tornados
#include "sfg/study/samples/monte_carlo.hpp"         // samples within tolerances: quantiles, yields, envelopes
#include "sfg/study/tuning/tuning.hpp"               // values that meet specs or are best
#include "sfg/study/variation.hpp"                   // tolerances and distributions

// Answers in closed form
#include "sfg/approximate/approximate.hpp"  // what dominates
#include "sfg/transfer/certificate.hpp"     // transfer functions with what a third party needs to check them
#include "sfg/transfer/exact_transfer.hpp"  // transfer functions with numbers
#include "sfg/transfer/exercise.hpp"        // random graphs to be solved by Mason's rule
#include "sfg/transfer/factored.hpp"        // transfer functions in factors
#include "sfg/transfer/mason.hpp"           // Mason's rule, listed
#include "sfg/transfer/reduce.hpp"          // a graph made smaller step by step
#include "sfg/transfer/sequence.hpp"        // a sequence of expressions, for large graphs
#include "sfg/transfer/state_space.hpp"     // matrices A, B, C, D of a graph
#include "sfg/transfer/transfer.hpp"        // transfer functions in lowest terms, verified

// Poles and stability
#include "sfg/control/margins.hpp"    // gain, phase, delay and modulus margins
#include "sfg/control/modes.hpp"      // shapes of modes
#include "sfg/control/open_loop.hpp"  // a loop cut open
#include "sfg/control/poles.hpp"      // poles, zeros, damping, Bode's straight lines; zeros of several inputs and outputs as one

// Over frequency and time
#include "sfg/response/frequency_response.hpp"  // magnitude and phase
#include "sfg/response/noise.hpp"               // densities, variance and rms of noise
#include "sfg/response/time_response.hpp"       // step and impulse responses of a graph, of a transfer function

// Two models
#include "sfg/compare/comparison.hpp"  // the same transfer functions, or what makes them differ

// Nonlinear graphs
#include "sfg/multibody/aggregate_run.hpp"            // a model of bodies as one, its motion in time
#include "sfg/multibody/bodies.hpp"                   // rigid bodies with wheels, elastic bodies
#include "sfg/nonlinear/absolute_stability.hpp"       // circle and Popov criteria
#include "sfg/nonlinear/analog/analog_program.hpp"    // the program of an analog computer
#include "sfg/nonlinear/balance/periodic_motion.hpp"  // periodic motion with stability, with a drive or without
#include "sfg/nonlinear/compiled_laws.hpp"            // laws as programs for numbers
#include "sfg/nonlinear/principal.hpp"                // reduction to principal nodes
#include "sfg/nonlinear/rest/operating_points.hpp"    // states of rest, all of them; where to linearise along a motion
#include "sfg/nonlinear/run/transient.hpp"            // time responses, trajectories with states of rest

// Motion of multibody models in numbers
#include "sfg/multibody/mechanism_motion.hpp"  // motion over time
#include "sfg/multibody/motion_state.hpp"      // accelerations and reactions at a state

// Pictures
#include "sfg/draw/blocks/block_diagram.hpp"   // the graph as a structural diagram
#include "sfg/draw/graph/layout.hpp"           // the graph drawn
#include "sfg/draw/sheets/matrix_picture.hpp"  // its matrix and that of equations, its paths, loops and sets one by one
#include "sfg/draw/svg.hpp"                    // as SVG
#include "sfg/plot/figures.hpp"                // every figure: Bode, histograms, yields, tornados, phase portraits, …

// Reading and writing files
#include "sfg/read/input.hpp"   // graphs and models in every format
#include "sfg/write/graph.hpp"  // graphs in DOT, TOML, JSON, GraphML

// Writing answers as text and JSON
#include "sfg/write/certificate.hpp"  // certificates of transfer functions
#include "sfg/write/mason.hpp"        // Mason's listing, exercises for his rule, reductions
#include "sfg/write/page/page.hpp"    // pages as text, HTML with MathML, LaTeX, Markdown
#include "sfg/write/poles.hpp"        // poles and zeros
#include "sfg/write/state_space.hpp"  // matrices
