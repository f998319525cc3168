#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/operator.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// One letter of formulas that have nothing but + - * / ^, whole numbers and names.
struct FormulaLetter {
  enum class Kind {
    symbol,    ///< a symbol of the model
    function,  ///< stands for exp(-T*s), sin(a), pi: equations between fractions that hold for any value hold for that one
    root,      ///< the `degree`-th root of `of`
  };
  std::string name;
  Kind kind = Kind::symbol;
  std::string of = {};     ///< of a function what it stands for; of a root what is under it, in letters
  std::size_t degree = 1;  ///< of a root
  GiNaC::ex value = {};    ///< that it stands for
};

class ExponentialFamily;

/// Writes expressions in letters: every function value and every root gets one of its own.
class FormulaLetters {
 public:
  /// @param expressions  all that will be written: exponentials such as exp(-s*T) and exp(-s*T/2) become powers of one letter
  /// @param defined      names in them that are defined elsewhere, and are no letters
  explicit FormulaLetters(std::span<const GiNaC::ex> expressions, std::set<std::string> defined = {});

  /// @throws NoAnswer for a number that is not real.
  GiNaC::ex written(const GiNaC::ex&);
  /// Those that were met so far, roots after what is under them.
  const std::vector<FormulaLetter>& all() const noexcept { return letters_; }

 private:
  void collect(const GiNaC::ex&);
  GiNaC::ex root(const GiNaC::ex&);
  GiNaC::ex letter(FormulaLetter::Kind, const GiNaC::ex& value, std::string of, std::size_t degree = 1);
  std::string fresh_name();

  std::set<std::string> defined_;
  std::set<std::string> taken_;  ///< names
  std::vector<FormulaLetter> letters_;
  std::map<std::string, GiNaC::ex> known_;  ///< by the printed value
  using Families = std::vector<ExponentialFamily>;
  std::map<std::string, std::shared_ptr<Families>> powers_;  ///< by the printed unit of exponential()
};

/// Linear equations between signals, one of each name: Σ coefficient · signal = 1 in the equation of the signal that drives them,
/// 0 in all others. What is stated, before anything is solved.
struct LinearEquations {
  struct Equation {
    std::string of;                                             ///< the signal, or the equation of a model
    std::vector<std::pair<std::string, GiNaC::ex>> terms = {};  ///< signal, coefficient; by the order of the signals
  };
  std::vector<std::string> signals = {};
  std::vector<Equation> equations = {};    ///< as many as signals
  std::vector<std::string> left_out = {};  ///< signals that cannot matter, and depend on a nonlinear branch
};

/// The equations x_k − Σ gain · x_tail = 0 of the nodes of a graph, as its branches state them. Where a branch is nonlinear,
/// those of the nodes that matter to a question alone. @throws as transfer_functions where one between these is nonlinear.
LinearEquations linear_equations(const SignalFlowGraph&, std::span<const Question>);

/// The equations D(p) x − B(p) u = 0 of a model with its definitions, u = 0 of its sources.
/// @returns nothing where they are not about all the signals of the questions, a question is not about a source of theirs, or
/// laws or names shared by a source and an equation are among them: then the graph that is made of the model has them.
std::optional<LinearEquations> linear_equations(const EquationSystem&, const SignalFlowGraph&, std::span<const Question>);

/// A closed disc in the complex plane; centre and radius are finite decimals.
struct PoleDisc {
  exact::Rational real, imaginary, radius;
};

/// An irreducible factor of a denominator with as many disjoint discs as its degree: one root lies in each.
struct PoleFactor {
  exact::RationalPolynomial polynomial;  ///< monic
  std::size_t multiplicity = 1;
  std::vector<PoleDisc> discs = {};
};

/// Where the roots of a polynomial are, in numbers that anyone can check by rational arithmetic: the roots of a monic f of degree
/// n lie in the discs |z − z_i| ≤ n |f(z_i)| / Π_{j≠i} |z_i − z_j|, and one in each when they are disjoint (Smith, J. ACM 17,
/// 1970).
struct PoleEnclosure {
  std::vector<PoleFactor> factors = {};
  /// Every root is left of the imaginary axis (inside the unit circle for z). That is seen at the discs; that it is not, at a
  /// disc on the other side, or at a factor whose roots lie symmetrically to the axis (the circle): f(−s) = ±f(s).
  bool stable = true;
};

/// @param polynomial  not zero.
/// @throws LimitReached where 1,000 digits do not separate the roots, or the time is over.
PoleEnclosure pole_enclosure(const exact::RationalPolynomial& polynomial, const Operator&, const Budget& = {});

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
