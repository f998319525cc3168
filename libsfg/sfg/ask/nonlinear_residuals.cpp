#include "sfg/ask/nonlinear_residuals.hpp"

#include <ginac/ex.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/graph/realization.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/transfer/state_space.hpp"

namespace sfg {

namespace {

/// A graph and, beside every signal x that a parameter k moves, a further signal ∂x/∂k: forward sensitivities as signals of a
/// graph, linear where the graph is, which whatever follows signals follows. Nodes keep their numbers.
struct SlopeGraph {
  SignalFlowGraph graph;
  std::vector<std::vector<std::optional<NodeId>>> slopes;  ///< [parameter][node]; none: it does not move
};

/// A law whose value jumps, or that depends on what has been: its slope has impulses, or is none.
void refuse_jumps(const Branch& branch, const GiNaC::ex& law) {
  static const std::set<std::string> rough{"sign", "step", "floor", "backlash", "hysteresis"};
  for (auto part = law.preorder_begin(); part != law.preorder_end(); ++part)
    if (rough.contains(function_name(*part)))
      throw NoAnswer("the law has '" + function_name(*part) + "', which jumps or remembers", {}, branch.where);
}

/// The slopes by one parameter.
class ParameterSlopes {
 public:
  ParameterSlopes(const SignalFlowGraph& graph, SlopeGraph& into, const GiNaC::ex& by) : graph_(graph), into_(into), by_(by) {}

  std::vector<std::optional<NodeId>> operator()(std::span<const NodeId> moved) {
    at_.resize(graph_.nodes().size());
    std::vector<NodeId> open(moved.begin(), moved.end());
    for (const Branch& branch : graph_.branches())
      if (own(branch).has(by_)) open.push_back(branch.to);
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      if (at_[node.index]) continue;
      const std::string name =
          free_name(into_.graph, "d(" + graph_[node].name + ")/d" + GiNaC::ex_to<GiNaC::symbol>(by_).get_name());
      at_[node.index] = into_.graph.add_node({name, graph_[node].where, {}});
      for (const BranchId id : graph_.leaving(node)) open.push_back(graph_[id].to);
      for (const Branch& branch : graph_.branches())
        if (const auto* law = std::get_if<Nonlinearity>(&branch.law))
          for (const auto& argument : law->arguments)
            if (argument.node == node) open.push_back(branch.to);
    }
    for (const Branch& branch : graph_.branches()) add(branch);
    return at_;
  }

 private:
  static const GiNaC::ex& own(const Branch& branch) {
    return branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law;
  }

  void add(const Branch& branch) {
    if (!at_[branch.to.index]) return;
    const NodeId to = *at_[branch.to.index];
    if (!branch.linear()) return add_law(branch, to);
    if (at_[branch.from.index]) into_.graph.add_branch(*at_[branch.from.index], to, branch.gain(), branch.where);
    const GiNaC::ex slope = derivative(branch.gain(), by_);
    if (!slope.is_zero()) into_.graph.add_branch(branch.from, to, slope.normal(), branch.where);
  }

  /// ∂f/∂k and Σ ∂f/∂x · ∂x/∂k as a law of the signals and of their slopes.
  void add_law(const Branch& branch, NodeId to) {
    Nonlinearity law = std::get<Nonlinearity>(branch.law);
    refuse_jumps(branch, law.law);
    GiNaC::ex sum = derivative(law.law, by_);
    std::vector<Nonlinearity::Argument> slopes;
    const auto move = [&](const GiNaC::ex& symbol, const GiNaC::ex& rate, NodeId node) {
      const bool signal = law.law.has(symbol), rates = law.law.has(rate);
      if (!at_[node.index] || (!signal && !rates)) return;
      slopes.push_back({GiNaC::symbol("slope"), GiNaC::symbol("rate_of_slope"), *at_[node.index]});
      if (signal) sum += derivative(law.law, symbol) * slopes.back().signal;
      if (rates) sum += derivative(law.law, rate) * slopes.back().rate;
    };
    const Symbol* u = graph_.symbols.find("u");
    const Symbol* v = graph_.symbols.find("v");
    const GiNaC::ex none = GiNaC::symbol("none");
    const auto is_signal = [](const Symbol* symbol) { return symbol != nullptr && symbol->kind == SymbolKind::signal; };
    move(is_signal(u) ? u->expr : none, is_signal(v) ? v->expr : none, branch.from);
    for (const auto& argument : law.arguments) move(argument.signal, argument.rate, argument.node);
    if (sum.is_zero()) return;
    law.law = sum;
    law.arguments.insert(law.arguments.end(), slopes.begin(), slopes.end());
    into_.graph.add_branch({branch.from, to, law, branch.where, {}});
  }

  const SignalFlowGraph& graph_;
  SlopeGraph& into_;
  GiNaC::ex by_;
  std::vector<std::optional<NodeId>> at_;
};

/// @param by     parameters, no other symbol of the gains depends on them
/// @param moved  nodes at which something that depends on them drives the graph
/// @throws NoAnswer for a law that jumps or remembers, so that its slopes are more than derivatives
SlopeGraph with_slopes(const SignalFlowGraph& graph, std::span<const GiNaC::ex> by, std::span<const NodeId> moved) {
  SlopeGraph result{graph, {}};
  for (const GiNaC::ex& parameter : by) result.slopes.push_back(ParameterSlopes(graph, result, parameter)(moved));
  return result;
}

using Eigen::Index;
using Eigen::MatrixXd;

/// The same signals with every state an integrator's output, so that an initial value is one whatever parameters are.
/// @throws sfg::Error, NoAnswer where the linear part has no such form
SignalFlowGraph with_integrators(const SignalFlowGraph& graph, const SignalQuestion& question) {
  std::vector<NodeId> driven;
  for (const Drive& drive : question.drives) driven.push_back(drive.node);
  const PrincipalForm form = principal_form(graph, driven, question.outputs);
  SignalFlowGraph result =
      state_space_graph(state_space(form.linear, {.inputs = form.inputs(), .outputs = form.outputs(), .minimal = false}));
  const auto node = [&](NodeId of) { return result.at(form.linear[of].name); };
  for (const PrincipalForm::Law& law : form.laws) {
    const Symbol* own_time = result.symbols.find("t");
    const GiNaC::ex time =
        own_time != nullptr ? own_time->expr : result.symbols.add({.name = "t", .kind = SymbolKind::time}).expr;
    Nonlinearity branch{law.law.subs(GiNaC::exmap{{form.time, time}}, plain)};
    for (const std::size_t number : law.arguments)
      branch.arguments.push_back({form.arguments[number].symbol, GiNaC::symbol("no_rate"), node(form.arguments[number].node)});
    if (branch.arguments.empty()) throw NoAnswer("a law depends on time alone");
    result.add_branch({branch.arguments.front().node, node(law.output), branch, graph[law.branch].where, {}});
  }
  return result;
}

class NonlinearResiduals : public SignalResiduals {
 public:
  NonlinearResiduals(const SignalFlowGraph& graph, SignalQuestion question, const std::vector<std::string>& parameters,
                     std::vector<double> times, std::vector<SignalSamples> samples, const Budget& budget)
      : SignalResiduals(graph, std::move(question), parameters, std::move(times), std::move(samples), budget) {
    for (Drive& drive : question_.drives)
      if (auto* expression = std::get_if<GiNaC::ex>(&drive.signal)) *expression = expression->subs(values_, plain);
    for (SignalQuestion::Start& start : question_.initial) start.value = start.value.subs(values_, plain);
    find_slopes();
  }

  std::vector<std::string> notes() const override { return notes_; }

 protected:
  FollowedSignals follow(std::span<const double> parameters, bool slopes) override {
    if (slopes_) {  // where values are asked for, slopes soon are: both come of one run
      if (!std::ranges::equal(parameters, last_)) {
        known_ = with_slopes_followed(parameters);
        last_.assign(parameters.begin(), parameters.end());
      }
      return known_;
    }
    FollowedSignals found{followed(graph_, parameters, question_.drives, question_.initial, question_.outputs), {}};
    if (!slopes) return found;
    std::vector<double> moved(parameters.begin(), parameters.end());
    for (std::size_t k = 0; k < moved.size(); ++k) {
      const double p = parameters[k], step = 1e-4 * (p == 0 ? 1 : std::abs(p));
      const auto at = [&](double value) {
        moved[k] = value;
        return followed(graph_, moved, question_.drives, question_.initial, question_.outputs);
      };
      // Of fourth order: what is left is the error of the runs over the step.
      const MatrixXd near = at(p + step) - at(p - step), far = at(p + 2 * step) - at(p - 2 * step);
      found.slope.push_back((8 * near - far) / (12 * step));
      moved[k] = p;
    }
    return found;
  }

 private:
  void find_slopes() {
    std::string why;
    if (!question_.initial.empty()) try {
        integrated_ = with_integrators(graph_, question_);
      } catch (const Failure& failure) {
        why = std::string("there are initial values, and ") + failure.what();
      }
    const SignalFlowGraph& graph = integrated_ ? *integrated_ : graph_;
    std::vector<NodeId> moved;
    for (const Drive& drive : question_.drives)
      if (const auto* expression = std::get_if<GiNaC::ex>(&drive.signal))
        for (const GiNaC::ex& symbol : symbols_)
          if (expression->has(symbol)) moved.push_back(own(drive.node));
    for (const SignalQuestion::Start& start : question_.initial)
      if (const auto state = graph.find(start.state)) moved.push_back(*state);
    if (why.empty()) try {
        slopes_ = with_slopes(graph, symbols_, moved);
        std::vector<double> start;
        for (const GiNaC::ex& symbol : symbols_) start.push_back(double_value(graph_.symbols.values().at(symbol)).value_or(1));
        with_slopes_followed(start);
      } catch (const NoAnswer& failure) {
        why = failure.what();
      } catch (const Error& failure) {
        why = failure.diagnostics().front().message;
      }
    if (why.empty()) return;
    slopes_.reset();
    notes_.push_back("derivatives by differences of simulations, good to some six digits: " + why);
  }

  /// A node of the graph in the one that is followed with slopes.
  NodeId own(NodeId node) const { return integrated_ ? integrated_->at(graph_[node].name) : node; }

  GiNaC::exmap numbers(std::span<const double> parameters) const {
    GiNaC::exmap all;
    for (std::size_t k = 0; k < symbols_.size(); ++k)
      all[symbols_[k]] = GiNaC::ex(numeric_value(exact::Rational::of(parameters[k])));
    return all;
  }

  FollowedSignals with_slopes_followed(std::span<const double> parameters) const {
    std::vector<Drive> drives;
    for (const Drive& drive : question_.drives) drives.push_back({own(drive.node), drive.signal});
    std::vector<SignalQuestion::Start> initial = question_.initial;
    std::vector<NodeId> outputs;
    for (const NodeId output : question_.outputs) outputs.push_back(own(output));
    std::vector<std::pair<std::size_t, std::size_t>> places;  // parameter and output of what stands behind the outputs
    for (std::size_t k = 0; k < symbols_.size(); ++k) {
      for (const Drive& drive : question_.drives) {
        const auto* expression = std::get_if<GiNaC::ex>(&drive.signal);
        if (expression == nullptr) continue;
        if (const GiNaC::ex slope = derivative(*expression, symbols_[k]); !slope.is_zero())
          drives.push_back({*slopes_->slopes[k][own(drive.node).index], slope});
      }
      for (const SignalQuestion::Start& start : question_.initial)
        if (const GiNaC::ex slope = derivative(start.value, symbols_[k]); !slope.is_zero())
          initial.push_back({slopes_->graph[*slopes_->slopes[k][slopes_->graph.at(start.state).index]].name, slope});
      for (std::size_t o = 0; o < question_.outputs.size(); ++o)
        if (const auto node = slopes_->slopes[k][own(question_.outputs[o]).index]) {
          outputs.push_back(*node);
          places.emplace_back(k, o);
        }
    }
    const MatrixXd all = followed(slopes_->graph, parameters, drives, initial, outputs);
    const auto own = static_cast<Index>(question_.outputs.size());
    FollowedSignals found{all.leftCols(own), {}};
    found.slope.assign(symbols_.size(), MatrixXd::Zero(all.rows(), own));
    for (std::size_t i = 0; i < places.size(); ++i)
      found.slope[places[i].first].col(static_cast<Index>(places[i].second)) = all.col(own + static_cast<Index>(i));
    return found;
  }

  MatrixXd followed(const SignalFlowGraph& graph, std::span<const double> parameters, const std::vector<Drive>& drives,
                    const std::vector<SignalQuestion::Start>& initial, const std::vector<NodeId>& outputs) const {
    budget_.check("the fit");
    const GiNaC::exmap values = numbers(parameters);
    SimulationQuestion question{.outputs = outputs, .time = question_.time, .inject = question_.inject};
    for (const Drive& drive : drives) {
      const auto* expression = std::get_if<GiNaC::ex>(&drive.signal);
      if (expression != nullptr)
        question.drives.push_back({drive.node, expression->subs(values, plain)});
      else
        question.drives.push_back(drive);
    }
    for (const SignalQuestion::Start& start : initial) {
      const auto value = double_value(start.value.subs(values, plain));
      if (!value) throw NoAnswer("the initial value of '" + start.state + "' is no number");
      question.initial.push_back({start.state, *value});
    }
    const std::vector<NamedResponse> found =
        transient(with_parameters(graph, names_, parameters), question, times(), {.budget = budget_});
    MatrixXd all(static_cast<Index>(times().size()), static_cast<Index>(outputs.size()));
    for (std::size_t o = 0; o < outputs.size(); ++o)
      for (std::size_t i = 0; i < times().size(); ++i)
        all(static_cast<Index>(i), static_cast<Index>(o)) = found[o].value.value[i];
    return all;
  }

  std::optional<SignalFlowGraph> integrated_;  ///< the graph, where there are initial values
  std::optional<SlopeGraph> slopes_;           ///< none: by differences
  std::vector<double> last_;                   ///< the parameters that were asked for last
  FollowedSignals known_;                      ///< what was found there
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<SignalResiduals> nonlinear_residuals(const SignalFlowGraph& graph, SignalQuestion question,
                                                     const std::vector<std::string>& parameters, std::vector<double> times,
                                                     std::vector<SignalSamples> samples, const Budget& budget) {
  return std::make_unique<NonlinearResiduals>(graph, std::move(question), parameters, std::move(times), std::move(samples),
                                              budget);
}

bool has_laws(const SignalFlowGraph& graph, const SignalQuestion& question) {
  return depends_on_laws(graph,
                         SimulationQuestion{.drives = question.drives, .outputs = question.outputs, .time = question.time});
}

}  // namespace sfg
