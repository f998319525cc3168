#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/control/open_loop.hpp"
#include "sfg/derive/circuit.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/read/input.hpp"
#include "sfg/study/sweep.hpp"

namespace sfg {

class Subject;

/// A transfer function divided by another one, which is asked about as if it were one itself (common-mode rejection, rejection of
/// a supply): its input is called as the divisor, its output as the dividend.
struct RatioTerms {
  /// "OUT/IN,OUT2/IN2"; "IN2" in place of the second where the output is the same; the second alone, of what the input and the
  /// output below say. Inputs may be sums of sources: add_input() of graph/input_signal.hpp.
  std::string words;
  std::string input = {}, output = {};  ///< "": the only ones that the graph states
};

/// What is asked of an input beside the question itself: the words that change it before anything is derived, how it is derived,
/// and who hears of it.
struct SubjectTerms {
  enum class Kind { setting, op, port, signal, loop, input, ratio };

  std::vector<std::string> settings = {};          ///< "R=10k": values of parameters, put in for good
  std::function<bool(const Symbol&)> starts = {};  ///< those of them that stay parameters: the value is where they start
  std::vector<std::string> drives = {};            ///< what drives the model, and its values at the start: "a*t"
  std::string op = {};                             ///< another name of the operator
  std::vector<std::string> signals = {};           ///< outputs, expressions of signals among them: "v(a,b)", "x - y"
  std::string port = {};                           ///< of a circuit: "port(A,B)" drives it there, its own sources off
  std::optional<LoopTerms> loop = {};              ///< the answers are about this loop of it, not about the whole
  std::vector<std::string> inputs = {};            ///< inputs, sums of sources among them: "V1 - V2"
  std::optional<RatioTerms> ratio = {};            ///< the answers are about this ratio of two transfer functions of it
  NonlinearTerms nonlinear = NonlinearTerms::linearized;
  Rest rest = Rest::stays;
  Severity conflicts = Severity::warning;  ///< of dimensions that do not fit
  struct Linearized {
    SignalFlowGraph graph;
    LinearizationPoint point = {};  ///< {}: it was linear
    bool searched = false;          ///< the point is that of the stated values
  };
  std::function<Linearized(SignalFlowGraph, const Subject&)> linearized = {};  ///< of a graph with laws that is to be linear

  std::function<void(const Diagnostic&)> heard = {};                ///< every note, when it is found
  std::function<void(const char*, const Subject&)> working = {};    ///< what is begun
  std::function<void(const ModelEquations::Point&)> searched = {};  ///< a point that is that of the stated values
  /// What is wrong with one of these terms; it may throw what it likes better.
  std::function<void(Kind, const std::string& text, const Error&)> wrong = {};
};

/// An input and everything that follows from it, each made once, when it is first asked for: by one thread at a time. The one way
/// from a file to an answer.
/// @snippet mechanism_tolerances.cpp subject
class Subject {
 public:
  /// @throws sfg::Error for what is wrong with the terms
  explicit Subject(Input, SubjectTerms = {}, Budget = {});

  const Input& input() const noexcept { return input_; }
  const SubjectTerms& terms() const noexcept { return terms_; }
  const Budget& budget() const noexcept { return budget_; }
  const Model* model() const { return std::get_if<Model>(&input_.content); }  ///< none: the input is a graph
  const Circuit* circuit() const { return of<Circuit>(); }
  const Lagrangian* energies() const { return of<Lagrangian>(); }
  const Multibody* bodies() const { return of<Multibody>(); }
  const PolarNetwork* polar() const { return of<PolarNetwork>(); }
  const SymbolTable& symbols() const;                                       ///< the parameters, as the input states them
  const std::vector<Diagnostic>& notes() const noexcept { return notes_; }  ///< of reading and deriving, so far

  /// The same question about another model or graph.
  Subject with(std::variant<SignalFlowGraph, Model>) const;
  std::vector<Subject> parts() const;  ///< of a joined model; of others none
  /// Every stated value put in, but those of the parameters that are named.
  void put_in_numbers(const std::set<std::string>& kept = {});
  /// The same question with these values, derived anew.
  Subject at(const SweepSet&) const;
  /// The same, with the equations of this one and the values put in, unless an equilibrium moves with them.
  Subject substituted(const SweepSet&) const;
  /// The same, with the values only stated: the names of the parameters stay.
  Subject stating(const SweepSet&) const;
  /// The same question about the model with its laws, or without.
  Subject taking(NonlinearTerms) const;
  /// The same model, and a loop of it that is asked about; none: the whole.
  Subject about(std::optional<LoopTerms>) const;
  /// The same question, without anybody who hears of it.
  Subject quiet() const;
  bool is_quiet() const noexcept { return quiet_; }
  bool at_port() const noexcept { return at_port_; }  ///< the circuit is driven at the port of the terms

  /// Whether the answers are about a part of the whole: a loop, or a ratio.
  bool about_part() const noexcept { return (terms_.loop && terms_.loop->of) || terms_.ratio; }
  /// Whether the question is of transfer functions alone: a loop opened, or a ratio.
  bool of_transfer() const noexcept { return terms_.loop || terms_.ratio; }

  /// Of a model; of a graph, and of a loop or a ratio, those that it stands for, every node a signal.
  const EquationSystem& equations() const;
  /// Of a polar graph in as few unknowns as there are; of any other model all of them.
  EquationSystem shortest_equations() const;
  const SignalFlowGraph& graph(GraphLayout = GraphLayout::two_node) const;
  /// For an answer in symbols, which does not show when the stated values leave the equations without a unique solution.
  /// @throws NoAnswer then of a circuit, which states one system; of other models it is noted.
  const SignalFlowGraph& regular_graph() const;
  /// Whether a ratio is asked about whose divisor the stated values make zero; and how that is said.
  bool infinite_with_values() const;
  std::string infinite_ratio() const;
  /// Where the laws of the graph were linearised.
  const LinearizationPoint& point() const noexcept { return point_; }
  /// Whether the equations or the graph are linearised at a point that was searched with the stated values.
  bool point_searched() const noexcept { return searched_; }
  /// Of energies, of a polar graph, of bodies: what their derivation finds. @throws std::bad_optional_access of other inputs
  LagrangeEquations lagrange_equations() const;
  EquationsOfMotion equations_of_motion() const;
  PolarDerivation polar_derivation() const;
  MultibodyEquations body_equations(const SubstitutionOptions& = {}) const;
  /// Of a circuit with its sources of noise. @throws NoAnswer where it makes none
  NoisyCircuit noisy_circuit() const;
  bool states_rest() const { return energies() && energies()->equilibrium; }
  /// Where the coordinates of energies rest whose laws are kept; nothing where no equilibrium is stated.
  std::optional<std::map<std::string, double>> rest() const;
  /// Whether the model has nonlinear terms that linear equations leave out; nothing where that cannot be found.
  std::optional<bool> leaves_out_terms() const;
  /// Whether one system of equations holds for all values of the parameters: no equilibrium moves.
  bool derived_once() const;
  /// Whether a parameter of that name stands in what drives the model, or in its values at the start.
  bool drives_with(const std::string& name) const;

 private:
  template <class Kind>
  const Kind* of() const {
    return model() ? std::get_if<Kind>(model()) : nullptr;
  }
  template <class Kind>
  const Kind& as() const;
  template <class Work>
  auto of_term(SubjectTerms::Kind, const std::string& text, Work) const;
  void note(const Diagnostic&) const;
  void note(const std::vector<Diagnostic>&) const;
  void begin(const char* work) const;
  void rename_operator();
  void set_parameters();
  void add_signals(SignalFlowGraph&, std::span<const EquationSystem::Definition>) const;
  void add_inputs(SignalFlowGraph&) const;
  std::optional<EquationSystem> driven_at_port() const;
  const EquationSystem& stated_equations() const;
  SignalFlowGraph whole_graph(GraphLayout) const;
  bool at_elements() const;

  Input input_;
  SubjectTerms terms_;
  Budget budget_;
  bool quiet_ = false;
  // Made when they are first asked for.
  mutable bool searched_ = false, at_port_ = false;
  mutable bool as_stated_ = false;  ///< the graph is that of the input, which is not kept twice
  mutable LinearizationPoint point_;
  mutable std::vector<Diagnostic> notes_;
  mutable std::optional<EquationSystem> equations_, of_loop_;
  mutable std::optional<SignalFlowGraph> graph_;
  mutable GraphLayout layout_ = GraphLayout::two_node;
};

}  // namespace sfg
