#include "sfg/graph/realization.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <stdexcept>

#include "sfg/expr/rational.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/graph/partial_fractions.hpp"

namespace sfg {

namespace {

using Coefficients = std::vector<GiNaC::ex>;  // highest power first

Coefficients without_leading_zeros(Coefficients c) {
  const auto first = std::find_if(c.begin(), c.end(), [](const GiNaC::ex& x) { return !vanishes(x); });
  c.erase(c.begin(), first);
  return c;
}

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(std::string("state_space_graph: ") + message);
}

void check_sizes(const StateSpace& model) {
  auto sized = [](const StateSpace::Matrix& m, std::size_t rows, std::size_t columns) {
    return m.size() == rows && std::all_of(m.begin(), m.end(), [&](const auto& row) { return row.size() == columns; });
  };
  require(sized(model.A, model.states.size(), model.states.size()), "A is not n × n");
  require(sized(model.B, model.states.size(), model.inputs.size()), "B is not n × m");
  require(sized(model.C, model.outputs.size(), model.states.size()), "C is not r × n");
  require(sized(model.D, model.outputs.size(), model.inputs.size()), "D is not r × m");
}

/// The rate of a state, unless that is the name of another signal (states x and Dx, say).
std::string free_rate_name(const StateSpace& model, const std::string& state) {
  std::string name = model.op.name_of_rate(state);
  auto taken = [&](const std::vector<std::string>& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  while (taken(model.states) || taken(model.inputs) || taken(model.outputs)) name += "_";
  return name;
}

/// Lays out chains of integrators.
class Builder {
 public:
  explicit Builder(const RationalTransfer& transfer) {
    graph.title = transfer.title;
    graph.op = transfer.op;
    graph.symbols = transfer.symbols;
    graph.where = transfer.where;
    s = graph.op.declare(graph.symbols);
    if (transfer.input == transfer.output)
      throw Error(transfer.where, "input and output have the same name '" + transfer.input + "'", "give them two names");
    input = graph.add_node({transfer.input, transfer.where, {}});
    reserved_ = transfer.output;
  }

  /// The node of the output comes last.
  NodeId add_output(const RationalTransfer& transfer) {
    output = graph.add_node({transfer.output, transfer.where, {}});
    graph.inputs = {input};
    graph.outputs = {output};
    return output;
  }

  NodeId add(const std::string& name) {
    return graph.add_node({free_name(graph, name == reserved_ ? name + "_" : name), graph.where, {}});
  }
  NodeId add_state(std::size_t number) { return add("x" + std::to_string(number)); }
  NodeId add_rate(std::size_t number) { return add(graph.op.name_of_rate("x" + std::to_string(number))); }

  void connect(NodeId from, NodeId to, const GiNaC::ex& gain) {
    const GiNaC::ex normal = normal_form(gain, s);
    if (!normal.is_zero()) graph.add_branch(from, to, normal, graph.where);
  }

  /// w = in/q as a chain w0 → w1 → … → wd of integrators, w_k = s^(d−k) w.
  std::vector<NodeId> chain(NodeId in, const Coefficients& q) {
    const std::size_t degree = q.size() - 1;
    std::vector<NodeId> taps{add_rate(states_ + degree)};
    for (std::size_t k = 1; k <= degree; ++k) taps.push_back(add_state(states_ + degree + 1 - k));
    states_ += degree;
    connect(in, taps[0], 1 / q[0]);
    for (std::size_t k = 1; k <= degree; ++k) connect(taps[k - 1], taps[k], 1 / s);
    for (std::size_t k = 1; k <= degree; ++k) connect(taps[k], taps[0], -q[k] / q[0]);
    return taps;
  }

  /// Numerator over the chain's polynomial, brought to a node.
  void tap(const std::vector<NodeId>& taps, const Coefficients& numerator, NodeId to) {
    for (std::size_t k = 0; k < numerator.size(); ++k) connect(taps[taps.size() - numerator.size() + k], to, numerator[k]);
  }

  GiNaC::ex polynomial(const Coefficients& c) const {
    GiNaC::ex sum = 0;
    for (const GiNaC::ex& x : c) sum = sum * s + x;
    return sum;
  }

  SignalFlowGraph graph;
  GiNaC::ex s;
  NodeId input, output;

 private:
  std::size_t states_ = 0;
  std::string reserved_;  ///< name of the output, which is added last
};

struct ProperParts {
  Coefficients quotient;   ///< branch from input to output; {} for a proper one
  Coefficients numerator;  ///< over the denominator
};

/// The part that integrators cannot make, by long division.
ProperParts proper_parts(Coefficients numerator, const Coefficients& denominator) {
  ProperParts result;
  while (numerator.size() > denominator.size() || (!result.quotient.empty() && numerator.size() >= denominator.size())) {
    const GiNaC::ex factor = normal_form(numerator[0] / denominator[0]);
    result.quotient.push_back(factor);
    for (std::size_t i = 1; i < denominator.size(); ++i) numerator[i] = normal_form(numerator[i] - factor * denominator[i]);
    numerator.erase(numerator.begin());
  }
  result.numerator = without_leading_zeros(numerator);
  return result;
}

SignalFlowGraph one_branch(const RationalTransfer& transfer, const GiNaC::ex& gain) {
  Builder builder(transfer);
  builder.connect(builder.input, builder.add_output(transfer), gain);
  return builder.graph;
}

SignalFlowGraph controllable(const RationalTransfer& transfer, const Coefficients& numerator, const Coefficients& denominator) {
  Builder builder(transfer);
  const ProperParts parts = proper_parts(numerator, denominator);
  const auto taps = builder.chain(builder.input, denominator);
  builder.add_output(transfer);
  builder.tap(taps, parts.numerator, builder.output);
  builder.connect(builder.input, builder.output, builder.polynomial(parts.quotient));
  return builder.graph;
}

SignalFlowGraph observable(const RationalTransfer& transfer, const Coefficients& numerator, const Coefficients& denominator) {
  Builder builder(transfer);
  const ProperParts parts = proper_parts(numerator, denominator);
  const std::size_t n = denominator.size() - 1;
  Coefficients b(n + 1 - parts.numerator.size(), 0);
  b.insert(b.end(), parts.numerator.begin(), parts.numerator.end());
  std::vector<NodeId> rates, states;
  for (std::size_t k = n; k >= 1; --k) {
    rates.push_back(builder.add_rate(k));
    states.push_back(builder.add_state(k));
  }
  std::reverse(rates.begin(), rates.end());
  std::reverse(states.begin(), states.end());
  const NodeId sum = builder.add("e");  // a0 y
  builder.add_output(transfer);
  for (std::size_t k = n; k >= 1; --k) {
    builder.connect(builder.input, rates[k - 1], b[k]);
    builder.connect(sum, rates[k - 1], -denominator[k] / denominator[0]);
    if (k < n) builder.connect(states[k], rates[k - 1], 1);
    builder.connect(rates[k - 1], states[k - 1], 1 / builder.s);
  }
  builder.connect(states[0], sum, 1);
  builder.connect(builder.input, sum, b[0]);
  builder.connect(sum, builder.output, 1 / denominator[0]);
  builder.connect(builder.input, builder.output, builder.polynomial(parts.quotient));
  return builder.graph;
}

/// Numerator and denominator as polynomials of one space, the operator first.
struct SpaceFraction {
  PolynomialSpace space;
  ring::Polynomial numerator, denominator;
};

SpaceFraction space_fraction(const Builder& builder, const Coefficients& numerator, const Coefficients& denominator) {
  const GiNaC::ex whole = builder.polynomial(numerator) / builder.polynomial(denominator);
  const std::vector<GiNaC::ex> all{whole, builder.s};
  const PolynomialSpace space(all, builder.s);
  const RationalFunction fraction = space.rational(whole);
  return {space, fraction.numerator(), fraction.denominator()};
}

Coefficients expressions(const FieldPolynomial& p) {
  Coefficients result;
  for (auto c = p.rbegin(); c != p.rend(); ++c) result.push_back(c->expression());
  return result;
}

/// What is left of a polynomial beside the product of its main factors.
RationalFunction constant_factor(const FieldPolynomial& p, const std::vector<Factor>& factors) {
  RationalFunction leading = p.back();
  for (const Factor& factor : factors)
    for (std::uint64_t i = 0; i < factor.multiplicity; ++i) leading = leading / factor.polynomial.back();
  return leading;
}

SignalFlowGraph parallel(const RationalTransfer& transfer, const Coefficients& numerator, const Coefficients& denominator) {
  Builder builder(transfer);
  const SpaceFraction whole = space_fraction(builder, numerator, denominator);
  const auto factors = main_factors(whole.space, whole.denominator);
  const FieldPolynomial bottom = field_polynomial(whole.space, whole.denominator);
  const Division parts = divide(field_polynomial(whole.space, whole.numerator), bottom);
  FieldPolynomial scaled = parts.remainder;
  for (RationalFunction& c : scaled) c = c / constant_factor(bottom, factors);
  const auto terms = partial_fractions(scaled, factors);
  std::vector<std::pair<std::vector<NodeId>, Coefficients>> taps;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    NodeId in = builder.input;
    for (const FieldPolynomial& term : terms[i]) {
      taps.emplace_back(builder.chain(in, expressions(factors[i].polynomial)), expressions(term));
      in = taps.back().first.back();
    }
  }
  builder.add_output(transfer);
  for (const auto& [nodes, term] : taps) builder.tap(nodes, term, builder.output);
  builder.connect(builder.input, builder.output, builder.polynomial(expressions(parts.quotient)));
  return builder.graph;
}

/// One block of a cascade.
struct Block {
  FieldPolynomial numerator;
  FieldPolynomial denominator;
  std::size_t room() const { return denominator.size() - numerator.size(); }
};

std::vector<FieldPolynomial> listed(const std::vector<Factor>& factors) {
  std::vector<FieldPolynomial> result;
  for (const Factor& factor : factors) result.insert(result.end(), factor.multiplicity, factor.polynomial);
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return result;
}

/// Numerator factors go where they just fit; blocks are joined where none has the room alone. Returns what fits nowhere.
FieldPolynomial distribute(std::vector<Block>& blocks, const std::vector<FieldPolynomial>& numerators, FieldPolynomial one) {
  FieldPolynomial left = std::move(one);
  for (const FieldPolynomial& factor : numerators) {
    const std::size_t degree = factor.size() - 1;
    for (;;) {
      auto by_room = [](const Block& a, const Block& b) { return a.room() < b.room(); };
      std::stable_sort(blocks.begin(), blocks.end(), by_room);
      const auto fitting = std::find_if(blocks.begin(), blocks.end(), [&](const Block& block) { return block.room() >= degree; });
      std::size_t room = 0;
      for (const Block& block : blocks) room += block.room();
      if (fitting != blocks.end()) {
        fitting->numerator = fitting->numerator * factor;
        break;
      }
      if (room < degree) {
        left = left * factor;
        break;
      }
      Block last = blocks.back();
      blocks.pop_back();
      blocks.back() = {blocks.back().numerator * last.numerator, blocks.back().denominator * last.denominator};
    }
  }
  return left;
}

SignalFlowGraph cascade(const RationalTransfer& transfer, const Coefficients& numerator, const Coefficients& denominator) {
  Builder builder(transfer);
  const SpaceFraction whole = space_fraction(builder, numerator, denominator);
  const auto bottoms = main_factors(whole.space, whole.denominator);
  const auto tops = main_factors(whole.space, whole.numerator);
  const RationalFunction gain = constant_factor(field_polynomial(whole.space, whole.numerator), tops) /
                                constant_factor(field_polynomial(whole.space, whole.denominator), bottoms);
  const FieldPolynomial one{constant(whole.space, 1)};
  std::vector<Block> blocks;
  for (const FieldPolynomial& factor : listed(bottoms)) blocks.push_back({one, factor});
  const FieldPolynomial left = distribute(blocks, listed(tops), one);
  NodeId in = builder.add("v0");
  builder.connect(builder.input, in, gain.expression() * builder.polynomial(expressions(left)));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto taps = builder.chain(in, expressions(blocks[i].denominator));
    in = i + 1 == blocks.size() ? builder.add_output(transfer) : builder.add("v" + std::to_string(i + 1));
    builder.tap(taps, expressions(blocks[i].numerator), in);
  }
  return builder.graph;
}

}  // namespace

SignalFlowGraph state_space_graph(const StateSpace& model) {
  check_sizes(model);
  SignalFlowGraph graph;
  graph.title = model.title;
  graph.op = model.op;
  graph.symbols = model.symbols;
  graph.where = model.where;
  const GiNaC::ex s = graph.op.declare(graph.symbols);
  auto add = [&](const std::string& name) {
    if (graph.find(name))
      throw Error(model.where, "the name '" + name + "' is used for two signals",
                  "inputs, states and outputs need different names, unless an output is the state of that name");
    return graph.add_node({name, model.where, {}});
  };
  std::vector<NodeId> u, rates, x, y;
  for (const std::string& name : model.inputs) u.push_back(add(name));
  for (const std::string& name : model.states) {
    rates.push_back(add(free_rate_name(model, name)));
    x.push_back(add(name));
  }
  std::vector<bool> shared;  // outputs that are states of the same name
  for (std::size_t k = 0; k < model.outputs.size(); ++k) {
    const auto state = std::find(model.states.begin(), model.states.end(), model.outputs[k]);
    const auto i = static_cast<std::size_t>(state - model.states.begin());
    shared.push_back(state != model.states.end() && is_state(model, k, i));
    y.push_back(shared.back() ? x[i] : add(model.outputs[k]));
  }
  auto connect = [&](const std::vector<NodeId>& from, const std::vector<NodeId>& to, const StateSpace::Matrix& gains) {
    for (std::size_t i = 0; i < to.size(); ++i)
      for (std::size_t j = 0; j < from.size(); ++j)
        if (!gains[i][j].is_zero()) graph.add_branch(from[j], to[i], gains[i][j], model.where);
  };
  connect(u, rates, model.B);
  for (std::size_t i = 0; i < x.size(); ++i) graph.add_branch(rates[i], x[i], 1 / s, model.where);
  connect(x, rates, model.A);
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (shared[k]) continue;
    connect(x, {y[k]}, {model.C[k]});
    connect(u, {y[k]}, {model.D[k]});
  }
  graph.inputs = u;
  graph.outputs = y;
  return graph;
}

RationalTransfer rational_transfer(const GiNaC::ex& value, Operator op, SymbolTable symbols) {
  RationalTransfer result;
  result.op = std::move(op);
  result.symbols = std::move(symbols);
  const GiNaC::ex s = result.op.declare(result.symbols);
  const auto [numerator, denominator] = fraction(value, s);
  const auto top = polynomial_coefficients(numerator, s);
  const auto bottom = polynomial_coefficients(denominator, s);
  if (!top || !bottom)
    throw Error(SourceSpan{}, "the transfer function is not rational in " + result.op.symbol(),
                "dead times and powers need an approximation first");
  result.numerator = *top;
  result.denominator = *bottom;
  return result;
}

SignalFlowGraph realization(const RationalTransfer& transfer, Realization form) {
  const Coefficients numerator = without_leading_zeros(transfer.numerator);
  const Coefficients denominator = without_leading_zeros(transfer.denominator);
  if (denominator.empty()) throw Error(transfer.where, "the denominator is 0", "correct its coefficients");
  if (denominator.size() == 1) return one_branch(transfer, Builder(transfer).polynomial(numerator) / denominator[0]);
  if (numerator.empty()) return controllable(transfer, numerator, denominator);
  switch (form) {
    case Realization::controllable: return controllable(transfer, numerator, denominator);
    case Realization::observable: return observable(transfer, numerator, denominator);
    case Realization::parallel: return parallel(transfer, numerator, denominator);
    case Realization::cascade: break;
  }
  return cascade(transfer, numerator, denominator);
}

}  // namespace sfg
