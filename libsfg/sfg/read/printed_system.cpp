#include "sfg/read/printed_system.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sfg/graph/realization.hpp"
#include "sfg/read/printed/printed_model.hpp"

namespace sfg {

namespace {

using Time = PrintedModel::Time;

/// Makes one graph of the systems.
class SystemGraph {
 public:
  SystemGraph(const SourceText& source, Problems& problems) : source_(source), problems_(problems) {}

  SignalFlowGraph graph() {
    PrintedModels reading(source_, graph_.symbols, problems_);
    models_ = reading.models();
    graph_.where = source_.at(0);
    if (models_.empty() && !problems_.any_errors())
      problems_.error(source_.at(0), "there is no system in the text", "print one with Octave or MATLAB: G = tf(num, den)");
    if (problems_.any_errors()) return {};
    operator_of(reading.variable());
    if (problems_.any_errors()) return {};
    if (models_.size() == 1) graph_.title = models_.front().name;
    for (const PrintedModel& model : models_) problems_.attempt([&] { add(model); });
    ends();
    if (reading.rounded()) problems_.remark(source_.at(0), "numbers have the digits that were printed, and are taken as exact");
    return std::move(graph_);
  }

 private:
  void operator_of(const std::string& variable) {
    std::string name = variable;
    const PrintedModel* timed = nullptr;
    for (const PrintedModel& model : models_) {
      if (model.time == Time::unknown) continue;
      const std::string wanted = model.time == Time::discrete ? "z" : name.empty() || Operator(name).discrete() ? "s" : name;
      if (!name.empty() && wanted != name)
        problems_.error(model.where,
                        std::string("the system is ") + (model.time == Time::discrete ? "discrete" : "continuous") +
                            ", and the variable is " + in_quotes(name),
                        "systems of one text are all continuous, or have one sample time");
      name = wanted;
      if (!model.sample_time) continue;
      if (timed && *timed->sample_time != *model.sample_time)
        problems_.error(model.where, "the system has another sample time than the one before", "print them with one");
      timed = &model;
    }
    graph_.op = timed ? Operator("z", timed->sample_time) : Operator(name.empty() ? "s" : name);
    graph_.op.declare(graph_.symbols);
  }

  std::string name_of(const PrintedModel& model, const PrintedSignal& signal) const {
    return models_.size() == 1 || signal.by_user || model.name.empty() ? signal.name : model.name + "." + signal.name;
  }

  void add(const PrintedModel& model) {
    if (model.transfers.empty() && model.matrices.empty())
      throw Error(model.where, "the system " + in_quotes(model.name) + " has no transfer function and no matrix",
                  "leave the lines as they were printed");
    if (!model.matrices.empty()) return add_state_space(model);
    for (const PrintedModel::Transfer& transfer : model.transfers) {
      const std::string from = name_of(model, transfer.input), to = name_of(model, transfer.output);
      if (from == to)
        throw Error(transfer.where, "input and output have the same name " + in_quotes(from), "name one of them otherwise");
      const NodeId tail = graph_.node(from, transfer.where), head = graph_.node(to, transfer.where);
      for (const BranchId other : graph_.entering(head))
        if (graph_[other].from == tail)
          throw Error(transfer.where, "there are two transfer functions from " + in_quotes(from) + " to " + in_quotes(to),
                      "put the name of its own, G =, above each system");
      inputs_.push_back(tail);
      outputs_.push_back(head);
      if (!transfer.gain.is_zero()) graph_.add_branch(tail, head, transfer.gain, transfer.where);
    }
  }

  void add_state_space(const PrintedModel& model) {
    const SignalFlowGraph made = state_space_graph(state_space(model));
    const bool own = models_.size() > 1 && !model.name.empty();
    const auto known = [&](const std::string& name) {
      const auto io = [&](const std::string& s) { return s == name; };
      return std::ranges::any_of(made.stated_inputs(),
                                 [&](NodeId id) { return io(made[id].name) && signal(name, 'u').by_user; }) ||
             std::ranges::any_of(made.stated_outputs(),
                                 [&](NodeId id) { return io(made[id].name) && signal(name, 'y').by_user; });
    };
    std::vector<NodeId> ids;
    for (const Node& node : made.nodes())
      ids.push_back(graph_.node(own && !known(node.name) ? model.name + "." + node.name : node.name, model.where));
    for (const Branch& branch : made.branches())
      graph_.add_branch(ids[branch.from.index], ids[branch.to.index], branch.gain(), model.where);
    for (const NodeId id : made.inputs) inputs_.push_back(ids[id.index]);
    for (const NodeId id : made.outputs) outputs_.push_back(ids[id.index]);
  }

  /// u1 and y1 are names that the program gave.
  static PrintedSignal signal(const std::string& name, char letter) {
    const bool given = name[0] == letter && name.find_first_not_of("0123456789", 1) == std::string::npos;
    return {name, !given};
  }

  StateSpace state_space(const PrintedModel& model) {
    StateSpace result;
    result.op = graph_.op;
    result.symbols = graph_.symbols;
    result.where = model.where;
    const auto matrix = [&](char letter) { return model.matrices.contains(letter) ? &model.matrices.at(letter) : nullptr; };
    const PrintedMatrix *A = matrix('A'), *B = matrix('B'), *C = matrix('C'), *D = matrix('D');
    if (A) result.states = A->rows;
    if (B || D) result.inputs = B ? B->columns : D->columns;
    if (C || D) result.outputs = C ? C->rows : D->rows;
    result.A = sized(A, 'A', result.states, result.states, model);
    result.B = sized(B, 'B', result.states, result.inputs, model);
    result.C = sized(C, 'C', result.outputs, result.states, model);
    result.D = sized(D, 'D', result.outputs, result.inputs, model);
    if (const PrintedMatrix* E = matrix('E')) {
      sized(E, 'E', result.states, result.states, model);
      divide(result, *E);
    }
    return result;
  }

  static StateSpace::Matrix sized(const PrintedMatrix* matrix, char letter, const std::vector<std::string>& rows,
                                  const std::vector<std::string>& columns, const PrintedModel& model) {
    if (!matrix) {
      if (letter != 'D' && !rows.empty() && !columns.empty())
        throw Error(model.where, std::string("the system is without its matrix ") + letter, "print the whole system");
      return StateSpace::Matrix(rows.size(), std::vector<GiNaC::ex>(columns.size(), 0));
    }
    if (matrix->rows != rows || matrix->columns != columns)
      throw Error(matrix->where, std::string("rows and columns of ") + letter + " are not those of the other matrices",
                  "print the whole system again");
    return matrix->entries;
  }

  /// E ẋ = A x + B u becomes ẋ = E⁻¹ A x + E⁻¹ B u.
  static void divide(StateSpace& model, const PrintedMatrix& descriptor) {
    const auto n = static_cast<unsigned>(model.states.size()), m = static_cast<unsigned>(model.inputs.size());
    GiNaC::matrix E(n, n), right(n, n + m), unknown(n, n + m), result(n, n + m);
    for (unsigned i = 0; i < n; ++i) {
      for (unsigned j = 0; j < n; ++j) {
        E(i, j) = descriptor.entries[i][j];
        right(i, j) = model.A[i][j];
      }
      for (unsigned j = 0; j < m; ++j) right(i, n + j) = model.B[i][j];
    }
    if (E.rank() < n)
      throw Error(descriptor.where, "E is singular: some states are algebraic",
                  "print an explicit model: ss(G, 'explicit'), or minreal(G)");
    result = E.inverse().mul(right);
    for (unsigned i = 0; i < n; ++i) {
      for (unsigned j = 0; j < n; ++j) model.A[i][j] = result(i, j);
      for (unsigned j = 0; j < m; ++j) model.B[i][j] = result(i, n + j);
    }
  }

  /// Inputs that another system drives are none.
  void ends() {
    std::set<NodeId> seen;
    for (const NodeId id : inputs_)
      if (graph_.entering(id).empty() && seen.insert(id).second) graph_.inputs.push_back(id);
    seen.clear();
    for (const NodeId id : outputs_)
      if (seen.insert(id).second) graph_.outputs.push_back(id);
  }

  const SourceText& source_;
  Problems& problems_;
  SignalFlowGraph graph_;
  std::vector<PrintedModel> models_;
  std::vector<NodeId> inputs_, outputs_;
};

}  // namespace

SignalFlowGraph read_printed_system(std::string_view text, std::string file, std::vector<Diagnostic>* notes) {
  const SourceText source(text, std::move(file));
  Problems problems;
  problems.attempt([&] { source.check_characters(); });
  if (problems.any_errors()) problems.finish(nullptr);
  SignalFlowGraph graph;
  problems.attempt([&] { graph = SystemGraph(source, problems).graph(); });
  problems.finish(notes);
  return graph;
}

bool is_printed_system(std::string_view text) {
  return std::ranges::any_of(printed_lines(text), [](const PrintedLine& line) {
    const bool kind = line.text.starts_with("Continuous-time ") || line.text.starts_with("Discrete-time ");
    return (kind && line.text.ends_with('.')) || line.text == "Static gain." || line.text.starts_with("Transfer function");
  });
}

}  // namespace sfg
