#include "sfg/transfer/state_space.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sfg/expr/random_point.hpp"
#include "sfg/graph/polynomial_rows.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/descriptor.hpp"

namespace sfg {

namespace {

/// Puts the rows of a graph into first-order form: unknowns x, Dx, … up to one below the highest derivative of each node.
class FirstOrderForm {
 public:
  FirstOrderForm(const SignalFlowGraph& graph, const StateSpaceOptions& options)
      : graph_(graph), rows_(polynomial_rows(graph)), system_{rows_.space, {}, {}, {}, {}} {
    inputs = options.inputs.empty() ? graph.stated_inputs() : options.inputs;
    outputs = options.outputs.empty() ? graph.stated_outputs() : options.outputs;
  }

  Descriptor descriptor() {
    name_unknowns();
    for (std::size_t k = 0; k < rows_.left.size(); ++k) {
      add_chain(k);
      add_row(k);
    }
    for (NodeId output : outputs) system_.outputs.push_back({{{first_[output.index], one()}}, {}});
    return std::move(system_);
  }

  std::vector<NodeId> inputs, outputs;

 private:
  RationalFunction one() const { return constant(rows_.space, 1); }
  RationalFunction number(const ring::Polynomial& p) const {
    return {rows_.space, p, ring::Polynomial::constant(rows_.space.context(), 1)};
  }

  void name_unknowns() {
    order_.assign(rows_.left.size(), 0);
    for (std::size_t k = 0; k < rows_.left.size(); ++k)
      for (const auto& [node, entry] : rows_.left[k]) order_[node] = std::max(order_[node], rows_.degree(k, node));
    for (std::size_t node = 0; node < order_.size(); ++node) {
      first_.push_back(system_.names.size());
      std::string name = graph_.nodes()[node].name;
      for (std::size_t i = 0; i < std::max<std::size_t>(order_[node], 1); ++i) {
        system_.names.push_back(name);
        name = graph_.op.name_of_rate(name);
      }
    }
  }

  void add_chain(std::size_t node) {
    for (std::size_t i = 0; i + 1 < order_[node]; ++i) {
      Descriptor::Row row;
      row.E.emplace(first_[node] + i, one());
      row.F.emplace(first_[node] + i + 1, one());
      row.own = first_[node] + i;
      system_.rows.push_back(std::move(row));
    }
  }

  void add_row(std::size_t k) {
    Descriptor::Row row;
    row.own = first_[k] + (order_[k] > 0 ? order_[k] - 1 : 0);
    for (const auto& [node, entry] : rows_.left[k]) {
      const auto coefficients = entry.coefficients(0);  // highest power first
      for (std::size_t i = 0; i < coefficients.size(); ++i) {
        const std::size_t power = coefficients.size() - 1 - i;
        if (coefficients[i].is_zero()) continue;
        if (power == order_[node] && power > 0)
          row.E.emplace(first_[node] + power - 1, number(coefficients[i]));
        else
          row.F.emplace(first_[node] + power, -number(coefficients[i]));
      }
    }
    const auto input = std::find(inputs.begin(), inputs.end(), NodeId{static_cast<std::uint32_t>(k)});
    if (input != inputs.end()) add_input(row, rows_.right[k], static_cast<std::size_t>(input - inputs.begin()));
    system_.rows.push_back(std::move(row));
  }

  void add_input(Descriptor::Row& row, const ring::Polynomial& multiplier, std::size_t input) const {
    const auto coefficients = multiplier.coefficients(0);
    row.G.resize(coefficients.size());
    for (std::size_t i = 0; i < coefficients.size(); ++i)
      if (!coefficients[i].is_zero()) row.G[coefficients.size() - 1 - i].emplace(input, number(coefficients[i]));
  }

  const SignalFlowGraph& graph_;
  PolynomialRows rows_;
  Descriptor system_;
  std::vector<std::size_t> order_, first_;
};

/// The matrices of a model as rational functions of one space.
struct ExactModel {
  PolynomialSpace space;
  std::vector<std::string> states;
  RationalMatrix A, B, C;
};

StateSpace::Matrix expressions(const RationalMatrix& matrix) {
  StateSpace::Matrix result;
  for (const auto& row : matrix) {
    result.emplace_back();
    for (const RationalFunction& entry : row) result.back().push_back(entry.expression());
  }
  return result;
}

RationalMatrix columns_of(const RationalMatrix& matrix, const std::vector<std::size_t>& columns) {
  RationalMatrix result;
  for (const auto& row : matrix) {
    result.emplace_back();
    for (std::size_t column : columns) result.back().push_back(row[column]);
  }
  return result;
}

/// A basis, in echelon form, of the smallest space of rows that holds those of `start` and is kept by `a` from the right.
/// Returns the pivot columns.
std::vector<std::size_t> invariant_rows(RationalMatrix& start, const RationalMatrix& a, const Budget& budget) {
  auto pivots = reduce_rows(start);
  for (;;) {
    budget.check("the minimal form");
    RationalMatrix wider = start;
    for (auto& row : product(start, a)) wider.push_back(std::move(row));
    const auto more = reduce_rows(wider);
    if (more.size() == pivots.size()) return pivots;
    start = std::move(wider);
    pivots = more;
  }
}

using ResidueMatrix = std::vector<std::vector<std::uint64_t>>;

/// The matrix modulo the point's prime; nothing when a denominator vanishes there.
std::optional<ResidueMatrix> residues(const RationalMatrix& matrix, const PolynomialSpace& space, const ModularPoint& point) {
  const ring::ModularRing field(point.prime());
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const auto value = point(space.generator(i));
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  ResidueMatrix result;
  for (const auto& row : matrix) {
    result.emplace_back();
    for (const RationalFunction& entry : row) {
      const std::uint64_t below = entry.denominator().modulo(point.prime(), values);
      if (below == 0) return std::nullopt;
      result.back().push_back(field.divide(entry.numerator().modulo(point.prime(), values), below));
    }
  }
  return result;
}

/// Whether `start`, start·a, start·a², … span all rows modulo a prime.
bool spans_everything(const ResidueMatrix& start, const ResidueMatrix& a, const ring::ModularRing& field) {
  const std::size_t n = a.size();
  std::vector<std::pair<std::size_t, std::vector<std::uint64_t>>> basis;  // (pivot, row with 1 there)
  std::vector<std::vector<std::uint64_t>> open(start.begin(), start.end());
  while (!open.empty() && basis.size() < n) {
    std::vector<std::uint64_t> row = std::move(open.back());
    open.pop_back();
    for (const auto& [pivot, known] : basis)
      if (const std::uint64_t factor = row[pivot]; factor != 0)
        for (std::size_t j = 0; j < n; ++j) row[j] = field.subtract(row[j], field.multiply(factor, known[j]));
    const auto pivot = std::ranges::find_if(row, [](std::uint64_t x) { return x != 0; });
    if (pivot == row.end()) continue;
    const std::uint64_t scale = field.inverse(*pivot);
    const auto place = static_cast<std::size_t>(pivot - row.begin());
    for (std::uint64_t& x : row) x = field.multiply(x, scale);
    std::vector<std::uint64_t> next(n, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n && row[i] != 0; ++j) next[j] = field.add(next[j], field.multiply(row[i], a[i][j]));
    open.push_back(std::move(next));
    basis.emplace_back(place, std::move(row));
  }
  return basis.size() == n;
}

/// Whether the smallest space of rows that holds those of `start` and is kept by `a` is certainly the whole space: a rank
/// never exceeds that of the matrix when values are put in. Then the elimination with letters is not needed.
bool certainly_everything(const RationalMatrix& start, const RationalMatrix& a, const PolynomialSpace& space,
                          const Budget& budget) {
  std::vector<GiNaC::ex> generators;
  for (std::size_t i = 0; i < space.size(); ++i) generators.push_back(space.generator(i));
  constexpr std::uint64_t points = 2;
  for (std::uint64_t seed = 1; seed <= points; ++seed) {
    const ModularPoint point = RandomPoints(generators)(seed, budget);
    const auto rows = residues(start, space, point), step = residues(a, space, point);
    if (rows && step && spans_everything(*rows, *step, ring::ModularRing(point.prime()))) return true;
  }
  return false;
}

std::vector<std::string> picked(const std::vector<std::string>& names, const std::vector<std::size_t>& places) {
  std::vector<std::string> result;
  for (std::size_t place : places) result.push_back(names[place]);
  return result;
}

/// The span of B, A B, A² B, … in echelon form: x = V z with z the pivot states.
void keep_controllable(ExactModel& model, const Budget& budget) {
  RationalMatrix V = transpose(model.B);
  if (certainly_everything(V, transpose(model.A), model.space, budget)) return;
  const auto pivots = invariant_rows(V, transpose(model.A), budget);
  if (pivots.size() == model.states.size()) return;
  const RationalMatrix AV = product(V, transpose(model.A));  // (A Vᵀ)ᵀ
  model.A = transpose(columns_of(AV, pivots));
  model.B = transpose(columns_of(transpose(model.B), pivots));
  model.C = product(model.C, transpose(V));
  model.states = picked(model.states, pivots);
}

/// ζ = W x with W the echelon form of C, C A, C A², …
void keep_observable(ExactModel& model, const Budget& budget) {
  RationalMatrix W = model.C;
  if (certainly_everything(W, model.A, model.space, budget)) return;
  const auto pivots = invariant_rows(W, model.A, budget);
  if (pivots.size() == model.states.size()) return;
  model.A = columns_of(product(W, model.A), pivots);
  model.B = product(W, model.B);
  model.C = columns_of(model.C, pivots);
  std::vector<std::string> names = picked(model.states, pivots);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::count_if(W[i], [](const RationalFunction& entry) { return !is_zero(entry); }) > 1)
      names[i] = "z_" + names[i];
  model.states = std::move(names);
}

/// Names tell signals apart: a state called like an input, another state (a node Dx beside the derivative of x) or an
/// output that it is not gets a number.
void name_states_apart(StateSpace& model) {
  const auto taken = [&](const std::string& name, std::size_t state) {
    if (std::ranges::find(model.inputs, name) != model.inputs.end()) return true;
    for (std::size_t i = 0; i < model.states.size(); ++i)
      if (model.states[i] == name && i < state) return true;
    for (std::size_t k = 0; k < model.outputs.size(); ++k)
      if (model.outputs[k] == name && !is_state(model, k, state)) return true;
    return false;
  };
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    const std::string stated = model.states[i];
    for (int number = 2; taken(model.states[i], i); ++number) model.states[i] = stated + "_" + std::to_string(number);
  }
}

StateSpace minimal_form(const StateSpace& model, const Budget& budget) {
  std::vector<GiNaC::ex> all;
  for (const auto* matrix : {&model.A, &model.B, &model.C})
    for (const auto& row : *matrix) all.insert(all.end(), row.begin(), row.end());
  ExactModel exact{PolynomialSpace(all), model.states, {}, {}, {}};
  auto exactly = [&](const StateSpace::Matrix& matrix) {
    RationalMatrix result;
    for (const auto& row : matrix) {
      result.emplace_back();
      for (const GiNaC::ex& entry : row) result.back().push_back(exact.space.rational(entry).reduced());
    }
    return result;
  };
  exact.A = exactly(model.A);
  exact.B = exactly(model.B);
  exact.C = exactly(model.C);
  StateSpace result = model;
  const auto none = [&] { return exact.states.empty() || model.inputs.empty() || model.outputs.empty(); };
  if (!none()) keep_controllable(exact, budget);
  if (!none()) keep_observable(exact, budget);
  if (none()) {
    exact.states.clear();
    exact.A.clear();
    exact.B.clear();
    exact.C.assign(model.outputs.size(), {});
  }
  result.states = exact.states;
  result.A = expressions(exact.A);
  result.B = expressions(exact.B);
  result.C = expressions(exact.C);
  name_states_apart(result);
  return result;
}

GiNaC::ex entry(const Descriptor::Entries& row, std::size_t column) {
  const auto found = row.find(column);
  return found == row.end() ? GiNaC::ex(0) : found->second.expression();
}

/// The name of a signal that is added at a node with entering branches: the node's own is that of the sum.
std::string added_name(const SignalFlowGraph& graph, NodeId node) {
  std::string name = graph[node].name;
  if (graph.entering(node).empty()) return name;
  do name += "_in";
  while (graph.find(name));
  return name;
}

}  // namespace

StateSpace minimal(const StateSpace& model) { return minimal_form(model, Budget()); }

StateSpace state_space(const SignalFlowGraph& graph, const StateSpaceOptions& options) {
  FirstOrderForm form(graph, options);
  const Descriptor system = state_space_form(form.descriptor(), options.budget);
  StateSpace result;
  result.title = graph.title;
  result.op = graph.op;
  result.symbols = graph.symbols;
  result.where = graph.where;
  for (std::size_t state : system.states) result.states.push_back(system.names[state]);
  for (NodeId id : form.inputs) result.inputs.push_back(added_name(graph, id));
  for (NodeId id : form.outputs) result.outputs.push_back(graph[id].name);
  for (const Descriptor::Row& row : system.rows) {
    result.A.emplace_back();
    for (std::size_t state : system.states) result.A.back().push_back(entry(row.F, state));
    result.B.emplace_back();
    for (std::size_t i = 0; i < form.inputs.size(); ++i)
      result.B.back().push_back(row.G.empty() ? GiNaC::ex(0) : entry(row.G[0], i));
  }
  for (std::size_t k = 0; k < system.outputs.size(); ++k) {
    const Descriptor::Output& output = system.outputs[k];
    if (output.D.size() > 1)
      throw NoAnswer("the response of '" + result.outputs[k] +
                         "' is improper: it contains derivatives of the inputs, which no state-space form has",
                     "ask for an integrated signal", graph[form.outputs[k]].where);
    result.C.emplace_back();
    for (std::size_t state : system.states) result.C.back().push_back(entry(output.C, state));
    result.D.emplace_back();
    for (std::size_t i = 0; i < form.inputs.size(); ++i)
      result.D.back().push_back(output.D.empty() ? GiNaC::ex(0) : entry(output.D[0], i));
  }
  if (options.minimal) return minimal_form(result, options.budget);
  name_states_apart(result);
  return result;
}

}  // namespace sfg
