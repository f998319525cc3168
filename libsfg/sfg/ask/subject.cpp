#include "sfg/ask/subject.hpp"

#include <algorithm>

#include "sfg/ask/loop.hpp"
#include "sfg/ask/ratio.hpp"
#include "sfg/derive/nonlinear_equations.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/graph/input_signal.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/multibody/constraint_check.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/transfer/singular.hpp"

namespace sfg {

namespace {

SymbolTable& table(Input& input) {
  if (auto* graph = std::get_if<SignalFlowGraph>(&input.content)) return graph->symbols;
  return std::visit([](auto& model) -> SymbolTable& { return model.symbols; }, std::get<Model>(input.content));
}

void put_in(Input& input, const GiNaC::exmap& values) {
  if (values.empty()) return;
  if (auto* graph = std::get_if<SignalFlowGraph>(&input.content)) {
    *graph = graph->substituted(values);
    graph->symbols = without(graph->symbols, values);
  } else {
    auto& model = std::get<Model>(input.content);
    model = substituted(model, values);
  }
}

/// Whether nothing that is asked for changes the graph.
bool asked_as_stated(const SignalFlowGraph& graph, const SubjectTerms& terms) {
  const auto is_node = [&](const std::string& text) { return graph.find(text).has_value(); };
  return !terms.ratio && !(terms.loop && terms.loop->of) && graph.linear() && std::ranges::all_of(terms.signals, is_node) &&
         std::ranges::all_of(terms.inputs, [&](const std::string& text) { return is_node(text) || !is_sum_of_inputs(text); });
}

/// A circuit has the signals that it is asked for: voltages between nodes, currents of elements.
void measure_signals(Input& input, const std::vector<std::string>& signals) {
  const auto measured = [&](auto& model) {
    if constexpr (requires { measure(model, ""); })
      for (const std::string& expression : signals) measure(model, expression);
  };
  if (auto* model = std::get_if<Model>(&input.content)) std::visit(measured, *model);
}

}  // namespace

template <class Work>
auto Subject::of_term(SubjectTerms::Kind kind, const std::string& text, Work work) const {
  try {
    return work();
  } catch (const Error& error) {
    if (terms_.wrong) terms_.wrong(kind, text, error);
    throw;
  }
}

Subject::Subject(Input input, SubjectTerms terms, Budget budget)
    : input_(std::move(input)), terms_(std::move(terms)), budget_(std::move(budget)) {
  note(input_.notes);
  for (Diagnostic conflict : input_.dimensions.conflicts) {
    conflict.severity = terms_.conflicts;
    note(conflict);
  }
  measure_signals(input_, terms_.signals);
  if (terms_.ratio)
    of_term(SubjectTerms::Kind::ratio, terms_.ratio->words, [&] {
      measure_signals(input_, {terms_.ratio->words, terms_.ratio->output});
    });
  if (!terms_.op.empty()) rename_operator();
  if (!terms_.settings.empty()) set_parameters();
}

const SymbolTable& Subject::symbols() const { return table(const_cast<Input&>(input_)); }

void Subject::note(const Diagnostic& diagnostic) const {
  notes_.push_back(diagnostic);
  if (terms_.heard && !quiet_) terms_.heard(diagnostic);
}

void Subject::note(const std::vector<Diagnostic>& diagnostics) const {
  for (const Diagnostic& diagnostic : diagnostics) note(diagnostic);
}

void Subject::begin(const char* work) const {
  if (terms_.working && !quiet_) terms_.working(work, *this);
}

void Subject::rename_operator() {
  auto* graph = std::get_if<SignalFlowGraph>(&input_.content);
  if (!graph) return std::visit([&](auto& model) { model.op = terms_.op; }, std::get<Model>(input_.content));
  of_term(SubjectTerms::Kind::op, terms_.op, [&] {
    if (const Symbol* known = graph->symbols.find(terms_.op); known && known->value)
      throw Error({}, "the graph has a parameter of that name with a value", "name the operator of the gains");
  });
  if (Symbol* before = graph->symbols.find(graph->op.symbol())) before->kind = SymbolKind::parameter;
  graph->op = Operator(terms_.op, graph->op.sample_time());
  graph->op.declare(graph->symbols);
}

bool Subject::drives_with(const std::string& name) const {
  const auto has = [&](const auto& entry) { return has_name(entry.text, name); };
  return std::ranges::any_of(terms_.drives, [&](const std::string& text) { return has_name(text, name); }) ||
         std::ranges::any_of(input_.simulation.inputs, has) || std::ranges::any_of(input_.simulation.initial, has);
}

void Subject::set_parameters() {
  SymbolTable& symbols = table(input_);
  for (const std::string& setting : terms_.settings) {
    const std::string name = setting.substr(0, setting.find('='));
    if (!is_name(name) || symbols.find(name)) continue;
    if (drives_with(name)) {
      symbols.symbol(name);
    } else if (input_.format == InputFormat::csv) {
      // A list of branches has no place for parameters: one that no gain has may be set, which is said.
      const std::string near = nearest(name, symbols.names());
      note({{},
            "no gain has the parameter '" + name + "'",
            near.empty() ? Remedy() : Remedy("did you mean '" + near + "'?"),
            Severity::warning});
      symbols.symbol(name);
    }
  }
  GiNaC::exmap values = of_term(SubjectTerms::Kind::setting, {}, [&] { return settings(terms_.settings, symbols); });
  for (const std::string& name : symbols.names()) {
    Symbol& symbol = *symbols.find(name);
    const auto set = values.find(symbol.expr);
    if (set == values.end() || !terms_.starts || !terms_.starts(symbol)) continue;
    symbol.value = set->second;
    values.erase(set);
  }
  put_in(input_, values);
}

void Subject::put_in_numbers(const std::set<std::string>& kept) {
  GiNaC::exmap values = symbols().values();
  for (const std::string& name : kept)
    if (const Symbol* symbol = symbols().find(name)) values.erase(symbol->expr);
  put_in(input_, values);
}

Subject Subject::with(std::variant<SignalFlowGraph, Model> content) const {
  Subject there = *this;
  there.input_.content = std::move(content);
  there.equations_.reset();
  there.of_loop_.reset();
  there.graph_.reset();
  there.as_stated_ = false;
  there.searched_ = false;
  there.point_ = {};
  return there;
}

std::vector<Subject> Subject::parts() const {
  std::vector<Subject> all;
  if (const auto* joined = of<Joined>())
    for (const Joined::Part& part : joined->parts)
      all.push_back(std::visit([&](const auto& kind) { return with(Model(kind)); }, part));
  return all;
}

Subject Subject::at(const SweepSet& set) const {
  if (const Model* stated = model()) return with(sfg::at(*stated, set));
  return with(sfg::at(std::get<SignalFlowGraph>(input_.content), set));
}

Subject Subject::substituted(const SweepSet& set) const {
  if (set.values.empty()) return *this;
  if (!model() || !derived_once() || at_elements()) return at(set);
  const EquationSystem& known = stated_equations();
  Subject there = with(input_.content);
  there.equations_ = sfg::substituted(known, values_in(known.symbols, set));
  return there;
}

Subject Subject::stating(const SweepSet& set) const {
  Subject there = with(input_.content);
  for (const SweepSet::Value& entry : set.values) table(there.input_).find(entry.name)->value = numeric_value(entry.value);
  return there;
}

Subject Subject::taking(NonlinearTerms nonlinear) const {
  Subject there = with(input_.content);
  there.terms_.nonlinear = nonlinear;
  return there;
}

Subject Subject::about(std::optional<LoopTerms> loop) const {
  Subject there = *this;
  there.terms_.loop = std::move(loop);
  there.of_loop_.reset();
  there.graph_.reset();
  there.as_stated_ = false;
  return there;
}

Subject Subject::quiet() const {
  Subject there = *this;
  there.quiet_ = true;
  return there;
}

/// The equations of a circuit that is driven at a port: a current enters there and the voltage is z, a voltage lies there and the
/// current is y, or a wave comes in and s goes out.
std::optional<EquationSystem> Subject::driven_at_port() const {
  if (!circuit() || terms_.port.empty()) return {};
  return of_term(SubjectTerms::Kind::port, terms_.port, [&]() -> std::optional<EquationSystem> {
    const std::optional<Port> port = read_port(terms_.port, *circuit());
    if (!port) return {};
    const auto asked = [&](const char* name) { return std::ranges::find(terms_.signals, name) != terms_.signals.end(); };
    EquationSystem system = port_equations(*circuit(), *port,
                                           asked("y")   ? PortParameters::y
                                           : asked("s") ? PortParameters::s
                                                        : PortParameters::z);
    system.sources.back().name = system.inputs.front() = terms_.port;
    return system;
  });
}

const EquationSystem& Subject::equations() const {
  if (!about_part()) return stated_equations();
  if (!of_loop_) of_loop_ = to_equations(graph(), 0);
  return *of_loop_;
}

const EquationSystem& Subject::stated_equations() const {
  if (equations_) return *equations_;
  if (!model()) return equations_.emplace(to_equations(graph(), 0));
  std::optional<EquationSystem> driven = driven_at_port();
  at_port_ = driven.has_value();
  if (driven) return equations_.emplace(*std::move(driven));
  begin("deriving the equations");
  if (bodies()) require_possible(*bodies());
  for (const Subject& part : parts())
    if (part.bodies()) require_possible(*part.bodies());
  ModelEquations derived = model_equations(*model(), terms_.nonlinear, terms_.rest, budget_);
  note(derived.notes);
  searched_ = derived.searched.has_value();
  if (searched_ && terms_.searched && !quiet_) terms_.searched(*derived.searched);
  return equations_.emplace(std::move(derived.system));
}

EquationSystem Subject::shortest_equations() const { return polar() ? polar_derivation().shortest() : equations(); }

template <class Kind>
const Kind& Subject::as() const {
  if (const Kind* kind = of<Kind>()) return *kind;
  throw std::bad_optional_access();
}

LagrangeEquations Subject::lagrange_equations() const { return sfg::lagrange_equations(as<Lagrangian>(), budget_); }
EquationsOfMotion Subject::equations_of_motion() const { return sfg::equations_of_motion(as<Lagrangian>(), budget_); }
PolarDerivation Subject::polar_derivation() const { return sfg::polar_derivation(as<PolarNetwork>(), budget_); }
MultibodyEquations Subject::body_equations(const SubstitutionOptions& options) const {
  require_possible(as<Multibody>());
  return multibody_equations(as<Multibody>(), options, budget_);
}

NoisyCircuit Subject::noisy_circuit() const {
  NoisyCircuit result = noisy(as<Circuit>());
  if (result.sources.empty())
    throw NoAnswer("the circuit makes no noise: it has no resistor and no source that states one",
                   "add noise=\"density\" to the line of a source", circuit()->where);
  return result;
}

/// The signals that are asked for are nodes: those that are none yet are added.
void Subject::add_signals(SignalFlowGraph& graph, std::span<const EquationSystem::Definition> definitions) const {
  for (const std::string& text : terms_.signals)
    of_term(SubjectTerms::Kind::signal, text, [&] {
      try {
        output_signal(graph, text, definitions);
      } catch (const Error&) {
        if (!is_name(text)) throw;  // no node of that name: said where the node is asked for
      }
    });
}

/// Sums of inputs are sources, all made of the inputs as they are stated.
void Subject::add_inputs(SignalFlowGraph& graph) const {
  std::vector<InputSum> sums;
  for (const std::string& text : terms_.inputs)
    if (!graph.find(text) && is_sum_of_inputs(text))
      sums.push_back(of_term(SubjectTerms::Kind::input, text, [&] { return input_sum(graph, text); }));
  for (const InputSum& sum : sums)
    if (!graph.find(sum.name)) add_input(graph, sum);
}

/// Whether a loop is opened at a controlled source: the equations are then others.
bool Subject::at_elements() const { return terms_.loop && circuit() && !elements_at(*circuit(), *terms_.loop).empty(); }

/// The graph of all of it, as stated; where a loop is opened at a controlled source, that has a branch.
SignalFlowGraph Subject::whole_graph(GraphLayout layout) const {
  if (!model()) return std::get<SignalFlowGraph>(input_.content);
  const std::vector<std::string> elements = at_elements() ? elements_at(*circuit(), *terms_.loop) : std::vector<std::string>{};
  const EquationSystem& stated = stated_equations();
  begin("making the graph");
  GraphFromEquations found = from_equations(elements.empty() ? stated : freed(*circuit(), elements), {.layout = layout});
  note(found.assignment.notes);
  if (!input_.latex.empty()) found.graph.attributes.emplace_back("latex", input_.latex);
  return with_loop_branches(std::move(found.graph), elements);
}

const SignalFlowGraph& Subject::graph(GraphLayout layout) const {
  if (as_stated_) return std::get<SignalFlowGraph>(input_.content);
  if (graph_ && (layout == layout_ || !model())) return *graph_;
  if (!model() && asked_as_stated(std::get<SignalFlowGraph>(input_.content), terms_)) {
    if (terms_.linearized) terms_.linearized(SignalFlowGraph(), *this);  // there is nothing to linearize: it hears of it
    as_stated_ = true;
    return std::get<SignalFlowGraph>(input_.content);
  }
  layout_ = layout;
  SignalFlowGraph made = whole_graph(layout);
  add_signals(made, model() ? std::span<const EquationSystem::Definition>(equations_->definitions)
                            : std::span<const EquationSystem::Definition>());
  if (terms_.linearized) {
    SubjectTerms::Linearized linear = terms_.linearized(std::move(made), *this);
    searched_ = searched_ || linear.searched;
    point_ = std::move(linear.point);
    made = std::move(linear.graph);
  }
  if (terms_.loop && terms_.loop->of)
    made = of_term(SubjectTerms::Kind::loop, terms_.loop->where, [&] { return loop_graph(made, *terms_.loop); });
  if (!terms_.ratio) add_inputs(made);
  if (terms_.ratio)
    made = of_term(SubjectTerms::Kind::ratio, terms_.ratio->words, [&] {
      return ratio_graph(made, *terms_.ratio,
                         model() ? std::span<const EquationSystem::Definition>(equations_->definitions)
                                 : std::span<const EquationSystem::Definition>());
    });
  return graph_.emplace(std::move(made));
}

const SignalFlowGraph& Subject::regular_graph() const {
  const SignalFlowGraph& found = graph();
  if (!singular_with_values(found, budget_)) return found;
  if (infinite_with_values()) {
    note({{}, infinite_ratio() + "; the answer is that of other values", "", Severity::warning});
    return found;
  }
  const char* const message = "with the stated values the equations have no unique solution";
  if (circuit()) throw NoAnswer(message, "change a value", found.where);
  note({found.where, std::string(message) + ": the answer holds for other values", "change a value", Severity::warning});
  return found;
}

std::string Subject::infinite_ratio() const {
  return "with the stated values the ratio is infinite: " + graph()[graph().inputs.front()].name + " is zero";
}

bool Subject::infinite_with_values() const {
  if (!terms_.ratio || !singular_with_values(graph(), budget_)) return false;
  Subject whole = quiet();
  whole.terms_.ratio.reset();
  whole.graph_.reset();
  return !singular_with_values(whole.graph(), budget_);
}

std::optional<std::map<std::string, double>> Subject::rest() const {
  if (!states_rest()) return {};
  return lagrange_equations().equilibrium->values;
}

std::optional<bool> Subject::leaves_out_terms() const {
  if (bodies()) return true;
  try {
    return energies() && !nonlinear_equations(*energies(), budget_).laws.empty();
  } catch (const Failure&) {
    budget_.check("the equations");
    return {};
  }
}

bool Subject::derived_once() const {
  if (!model()) return true;
  if (states_rest() || std::ranges::any_of(parts(), &Subject::states_rest)) return false;
  stated_equations();
  return !searched_;
}

}  // namespace sfg
