#pragma once
#include <ginac/ex.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/approximate/approximate.hpp"
#include "sfg/budget.hpp"
#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

class RandomPoints;

/// A model as it is compared: its graph, what is asked of it, and the equations where it was derived from such.
struct ComparedModel {
  std::string name;  ///< of the file, say
  SignalFlowGraph graph;
  std::vector<Question> questions;  ///< every output of every input
  std::optional<EquationSystem> equations = {};
};

/// What the first model calls `a` is what the second calls `b`: an input, an output or a parameter.
struct NamePair {
  std::string a, b;
};

/// The same transfer function of either.
struct TransferPair {
  Question a, b;
};

/// Two models over one set of symbols: parameters of one name (or named as a pair) are one symbol, and so is the operator.
struct ModelPair {
  ComparedModel a, b;
  std::vector<TransferPair> transfers = {};
  bool transposed = false;                ///< the inputs of the one are the outputs of the other
  std::vector<NamePair> parameters = {};  ///< that have other names in b
  std::vector<std::string> notes = {};    ///< what was compared though it has another name
};

/// Inputs and outputs that the other model does not have, where naming pairs is what helps; or a pair of names that are not
/// there.
class UnmatchedNames : public Error {
 public:
  UnmatchedNames(const std::string& message, std::string name_of_a, std::vector<std::string> names_of_b, Remedy);
  const std::string& what_is_missing() const noexcept { return diagnostics().front().message; }
  const std::string& name() const noexcept { return name_; }  ///< of a; "" where only b has more, and of a wrong pair
  const std::vector<std::string>& candidates() const noexcept { return candidates_; }  ///< of b

 private:
  std::string name_;
  std::vector<std::string> candidates_;
};

/// Inputs and outputs are matched by name or by `names`, the only input and the only output whatever they are called; a signal
/// that is no output of the other model, but one of its nodes, is asked for there. Where the inputs of the one are the outputs of
/// the other and the other way round, they are compared as transposed.
/// @throws UnmatchedNames; sfg::Error where the operators are of different kinds (s and z) or the sample times differ, for a pair
///         of names that is not there, and for a parameter that is the operator of the other.
ModelPair paired(ComparedModel a, ComparedModel b, std::span<const NamePair> names = {});

/// The values of parameters that only one states, or both.
struct StatedValue {
  std::string name;  ///< as in a
  std::optional<GiNaC::ex> a, b;
};
/// Of every parameter that the relevant gains of either have or that both state, in the order of a.
std::vector<StatedValue> stated_values(const ModelPair&);

/// The same pair with the stated values put in: what one states alone holds for both.
ModelPair with_values(const ModelPair&);

/// What is known of two transfer functions.
enum class Sameness {
  same,
  different,
  open,  ///< neither was proved
};

/// All of one, some of the other: different where one is, else open where one is.
Sameness combined(std::span<const Sameness>);

/// Whether the transfer functions of two models are the same, and how that is known.
struct Equality {
  enum class Method {
    exact,    ///< the fractions are the same polynomials; or they differ at a point modulo a prime, which proves that they differ
    modular,  ///< the same at random points modulo primes
    balls,    ///< some differ at a point in ball arithmetic; all else is exact
  };
  std::vector<Sameness> same = {};  ///< of every pair
  Method method = Method::exact;
  bool functions = false;        ///< the gains have functions or roots: what is said of polynomials is of those in their letters
  double error_probability = 0;  ///< that transfer functions called the same differ (Schwartz–Zippel)
  std::size_t points = 0;        ///< at which both models were eliminated
  /// Of every pair in lowest terms; empty where they were too large or not wanted.
  std::vector<TransferFunction> a = {}, b = {};

  bool all() const;  ///< the same
};

struct EqualityOptions {
  Budget budget = {};
  std::uint64_t seed = 1;
  /// Products that an expanded fraction may have before the answer rests on the modular check alone.
  std::uint64_t exact_terms = 200'000;
  std::size_t points = 4;
  bool positive = false;  ///< letters but the operator are positive, so that √(K²) is K
};

/// Values of the transfer functions of one model at a point, one for each pair; nothing where the point is unlucky.
std::vector<std::optional<std::uint64_t>> responses_modulo(const SignalFlowGraph&, std::span<const Question>, const ModularPoint&,
                                                           const Budget& = {});

/// The questions of one side.
std::vector<Question> questions_of_a(const ModelPair&);
std::vector<Question> questions_of_b(const ModelPair&);
/// Points at which the gains of both models have values.
RandomPoints random_points(const ModelPair&);

/// Compares by two routes that share no code: elimination of both graphs modulo 61-bit primes at random points, and, where that
/// sees no difference, the closed forms of both from their determinant diagrams, as polynomials. Functions and roots are written
/// by letters that are independent first (IndependentFunctions); where some are left of which that is not known, a difference is
/// not proved so, and what is not the same is open: prove_apart() may find it different.
/// @throws NoAnswer where a model has no transfer function (Δ ≡ 0); sfg::Error where it is nonlinear.
Equality equality(const ModelPair&, const EqualityOptions& = {});

/// The modular check alone, of graphs over the same symbols: for candidates of an explanation.
bool same_modulo(const SignalFlowGraph& a, std::span<const Question> of_a, const SignalFlowGraph& b,
                 std::span<const Question> of_b, std::size_t points, const Budget& = {});

/// A point at which two transfer functions have different values, proved in ball arithmetic.
struct Counterexample {
  std::size_t transfer = 0;           ///< of the pairs
  std::optional<double> frequency{};  ///< rad/s; nothing where neither depends on the operator
  std::complex<double> a, b;          ///< infinite at a pole
  /// Values of the parameters as text, exact; the same for both models.
  std::vector<std::pair<std::string, std::string>> parameters = {};
  bool stated = true;  ///< every value is a stated one; false: some were chosen
  bool proved = true;  ///< by balls that do not touch; false: seen in double precision
};

struct CounterexampleOptions {
  bool known = true;      ///< that they differ is proved already: a point where no balls tell them apart will do
  bool positive = false;  ///< letters without a stated value are positive
  Budget budget = {};
};

double magnitude_db(std::complex<double>);
double phase_deg(std::complex<double>);  ///< in (−180°, 180°]

/// The plainest frequency (1, 10, 0.1, 2 … rad/s) at which the pair differs by a tenth, else where it differs most. Parameters
/// have their stated values, those of a first; where these are missing, or make no difference, small integers, negative ones
/// last.
/// @returns nothing where no difference shows in the decimals.
/// @throws as CompiledResponse.
std::optional<Counterexample> counterexample(const ModelPair&, std::size_t transfer, const CounterexampleOptions& = {});

/// Values of the letters, the operator among them, at which two transfer functions have different values, proved in ball
/// arithmetic: "a = -3/7, s = 1/2 + 2j". Nothing where none was found among some random ones.
std::optional<std::string> point_apart(const ModelPair&, std::size_t transfer, const CounterexampleOptions& = {});

/// One place at which two models differ, and what the difference of their transfer functions comes from: with that place changed
/// the one has exactly the transfer functions of the other.
struct Explanation {
  enum class Kind {
    branch,     ///< of a graph: from the node `from` to the node `to`
    entry,      ///< of the equations: row `from`, column `to`
    parameter,  ///< `from`
    signal,     ///< the input or output `from`, counted with the other sign
  };
  enum class Side {
    both,  ///< the models agree in everything else
    a,     ///< the place is in a, which becomes b's equal by the change
    b,     ///< the place is in b, which becomes a's equal by it
  };
  enum class Change { sign, missing, extra, gain };  ///< of b against a
  Kind kind = Kind::branch;
  Side side = Side::both;
  Change change = Change::gain;
  std::string from, to;
  GiNaC::ex a, b;      ///< what stands there in a and what in b, or would have to; 0: nothing
  bool exact = false;  ///< proved for polynomials; false: at random points modulo primes
  int rank = 0;        ///< how plain the change is: tens for its kind (sign, missing, gain, extra), then how far it was fetched
};

struct Explanations {
  /// Each alone explains the difference; the plainest first.
  std::vector<Explanation> alternatives = {};
  /// Where no plain change of a single place does, and the models have the same nodes: all places that differ.
  std::vector<Explanation> together = {};
};

struct ExplanationOptions {
  Budget budget = {};
  std::uint64_t seed = 1;
  std::size_t most = 3;       ///< alternatives
  std::size_t together = 12;  ///< places
};

/// What makes the transfer functions of two models differ: what differs between them where their nodes have the same names, else
/// the single branch, entry or parameter whose change makes them the same. Each is verified by equality().
Explanations explanations(const ModelPair&, const ExplanationOptions& = {});

/// The graph with the gains from one node to another taken out and one of `gain` in their place (0: none).
SignalFlowGraph with_gain(const SignalFlowGraph&, NodeId from, NodeId to, const GiNaC::ex& gain);

/// How far two frequency responses may be apart, and where.
struct DeviationLimits {
  double magnitude_db = 0;
  double phase_deg = 0;
  std::vector<double> frequency = {};  ///< rad/s; the range is from the lowest to the highest
};

/// How far one transfer function of b is from that of a over a range of frequencies.
struct PairDeviation {
  std::size_t transfer = 0;  ///< of the pairs
  Deviation largest = {};    ///< infinite where only one of them is 0 or has a pole
  bool within = false;
};

/// One for every pair, with the stated values. Of rational functions of s the maximum is bounded between the frequencies, too
/// (approximate/approximate.hpp); others are sampled densely, and each highest sample is closed in on by golden section.
/// @throws as CompiledResponse; sfg::Error naming parameters without values; std::invalid_argument without frequencies.
std::vector<PairDeviation> deviations(const ModelPair&, const DeviationLimits&, const Budget& = {});

/// Whether two models have the same transfer functions: the proof, or what shows and explains that they have not.
struct Comparison {
  struct Transfer {
    std::string input, output;      ///< as a calls them
    std::string input_b, output_b;  ///< as b does
    Sameness same = Sameness::open;
    std::optional<TransferFunction> a, b;  ///< in lowest terms, where they are not too large
  };
  std::string a, b;  ///< the names of the models
  Operator op;
  Sameness same = Sameness::open;  ///< with limits of deviation: within them
  Equality::Method method = Equality::Method::exact;
  bool functions = false;  ///< the gains have functions or roots (Equality)
  double error_probability = 0;
  std::vector<Transfer> transfers = {};
  bool valued = false;  ///< compared with the stated values put in
  /// With the stated values: nothing where none are stated, a value is missing that decides, or neither was proved.
  std::optional<bool> same_with_values = {};
  std::vector<StatedValue> different_values = {};  ///< of parameters of one name
  std::vector<StatedValue> one_sided_values = {};  ///< that only one states
  std::optional<Counterexample> counterexample = {};
  Explanations explanations = {};
  std::optional<DeviationLimits> limits = {};
  std::vector<PairDeviation> deviations = {};
  std::vector<std::string> notes = {};
};

struct ComparisonOptions {
  std::span<const NamePair> names = {};
  bool values = false;                         ///< put in the stated values first
  std::optional<DeviationLimits> within = {};  ///< the same is what deviates no more than this, with the stated values
  std::uint64_t exact_terms = 200'000;
  bool positive = false;  ///< take letters as positive, so that sqrt(K^2) is K
  bool explain = true;
  std::uint64_t seed = 1;
  Budget budget = {};
};

/// @throws as paired, equality and deviations. A limit that is reached after the models are known to differ ends the explanation,
/// and
///         a note says so.
Comparison compare(ComparedModel a, ComparedModel b, const ComparisonOptions& = {});

}  // namespace sfg
