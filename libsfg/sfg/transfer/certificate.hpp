#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/formula_letters.hpp"
#include "sfg/transfer/linear_equations.hpp"
#include "sfg/transfer/pole_discs.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// Transfer functions with what a third party needs to check them without trusting who found them: the equations, and their
/// residues, solutions and determinants modulo large primes at random points. All formulas are text of + - * / ^, whole numbers
/// and the letters. That an answer is right follows from its residues at random points alone (Schwartz 1980, Zippel 1979; DeMillo
/// and Lipton 1978), so that whoever checks it draws further points by himself. docs/guide/certificate.md describes the format.
struct Certificate {
  struct Equation {
    std::string of;
    std::vector<std::pair<std::string, std::string>> terms = {};  ///< signal, coefficient
  };
  struct Answer {
    std::string input, output;
    std::string driven;  ///< the signal whose equation has 1 on its right-hand side
    Question::Mode mode = Question::Mode::source;
    std::vector<std::pair<std::string, std::string>> definitions = {};  ///< name, formula; each uses those before it
    std::string numerator = {}, denominator = {};                       ///< of output, in a ratio of output/input
    bool lowest_terms = false;                ///< numerator and denominator are polynomials without a common factor
    std::optional<PoleEnclosure> poles = {};  ///< where the denominator is a polynomial in the operator with numbers
    std::string degree_bound = {};            ///< of the identity that is checked, a whole number
    double error_bound = 1;                   ///< of the probability that the points pass a wrong answer
  };
  /// Of the answers as one matrix, where each is of one input and one output among several and all their numbers are stated.
  struct Matrix {
    std::vector<std::string> inputs, outputs;
    /// Its Smith-McMillan form: numerators and denominators, monic.
    std::vector<std::pair<exact::RationalPolynomial, exact::RationalPolynomial>> smith_mcmillan;
  };
  struct Point {
    std::uint64_t prime = 0;                                 ///< 2^60 … 2^61
    std::vector<std::uint64_t> letters = {};                 ///< by letter
    std::vector<std::vector<std::uint64_t>> matrix = {};     ///< by equation and term
    std::uint64_t determinant = 0;                           ///< not 0
    std::vector<std::vector<std::uint64_t>> solutions = {};  ///< by driven signal, by signal
    std::vector<std::uint64_t> answers = {};                 ///< by answer
  };

  std::string title;
  std::string op;
  std::vector<std::string> settings = {};  ///< substitutions that were made before, "K=2"
  std::vector<FormulaLetter> letters = {};
  std::vector<std::string> signals = {};
  std::vector<Equation> equations = {};
  std::vector<std::string> left_out = {};  ///< see LinearEquations
  std::vector<std::string> driven = {};
  std::vector<Answer> answers = {};
  std::optional<Matrix> matrix = {};  ///< certificate() leaves it to who knows it
  std::vector<Point> points = {};
};

struct CertificateOptions {
  enum class Form {
    automatic,  ///< one fraction in lowest terms, unless it is long
    fraction,
    sequence,
  };
  Form form = Form::automatic;
  std::size_t points = 3;
  std::uint64_t seed = 1;
  Budget budget = {};
};

/// The answers to the questions about the graph, certified by the equations: those of linear_equations().
/// @throws as transfer_functions and transfer_sequences; NoAnswer where an answer needs more of functions or constants than that
/// they have some value (sin(1)^2 + cos(1)^2 is 1); std::invalid_argument for fewer than two points.
Certificate certificate(const SignalFlowGraph&, std::span<const Question>, const LinearEquations&,
                        const CertificateOptions& = {});

}  // namespace sfg
