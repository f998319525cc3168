#include "sfg/nonlinear/run/dynamics.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "sfg/expr/exact_value.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;

/// A gain with numbers.
struct NumericGain {
  QuasiPolynomial numerator;
  RationalPolynomial denominator;
  bool whole = false;  ///< the denominator is 1
};

bool is_one(const RationalPolynomial& p) { return p.degree() == 0 && p.coefficient(0) == Rational(1); }

/// A polynomial over a power of s with rational coefficients, as most gains are: there is nothing to cancel.
std::optional<NumericGain> plain_gain(const GiNaC::ex& gain, const GiNaC::ex& s) {
  GiNaC::ex above = gain.expand(), below = 1;
  if (!above.is_polynomial(s)) {
    const GiNaC::ex fraction = gain.numer_denom();
    above = fraction.op(0).expand();
    below = fraction.op(1).expand();
  }
  const auto polynomial = [&](const GiNaC::ex& e) -> std::optional<RationalPolynomial> {
    if (!e.is_polynomial(s)) return {};
    std::vector<Rational> coefficients;
    constexpr int highest = 1000;
    if (e.degree(s) > highest) return {};
    for (int power = e.degree(s); power >= 0; --power) {
      const GiNaC::ex c = e.coeff(s, power);
      if (!GiNaC::is_a<GiNaC::numeric>(c) || !GiNaC::ex_to<GiNaC::numeric>(c).is_rational()) return {};
      coefficients.push_back(exact_value(GiNaC::ex_to<GiNaC::numeric>(c)));
    }
    return RationalPolynomial(std::span<const Rational>(coefficients));
  };
  if (below.ldegree(s) != below.degree(s)) return {};
  const auto n = polynomial(above), d = polynomial(below);
  if (!n || !d || n->is_zero() || (d->degree() > 0 && n->coefficient(0).is_zero())) return {};
  const Rational scale = Rational(1) / d->leading();
  NumericGain made{{}, d->monic(), d->degree() == 0};
  made.numerator.parts.push_back({.delay = 0, .polynomial = *n * RationalPolynomial::constant(scale)});
  return made;
}

/// x_k·d = Σ n x_j, with all that enters a node over one denominator.
class FirstOrderForm {
 public:
  FirstOrderForm(const SignalFlowGraph& graph, std::span<const NodeId> inputs, std::span<const NodeId> outputs)
      : graph_(graph), values_(graph.parameter_values()), inputs_(inputs.begin(), inputs.end()), output_count_(outputs.size()) {
    for (std::uint32_t k = 0; k < graph.nodes().size(); ++k) read_row(k);
    name_unknowns();
    for (const NodeId output : outputs) add_output(output.index);
    for (std::uint32_t k = 0; k < graph.nodes().size(); ++k) add_row(k);
  }

  SparseDescriptor system;
  std::vector<Dynamics::Delay> delays;
  std::size_t input_count() const { return inputs_.size() + delays.size(); }

 private:
  struct NodeRow {
    RationalPolynomial own{1};
    std::map<std::size_t, RationalPolynomial> from;                     // by node
    std::vector<std::pair<std::size_t, RationalPolynomial>> by_delays;  // by number of the delay
  };

  const NumericGain& numeric(const Branch& branch) {
    const auto [known, is_new] = gains_.emplace(branch.gain(), NumericGain{});
    if (!is_new) return known->second;
    const GiNaC::ex s = graph_.op.in(graph_.symbols), numbered = substituted(branch.gain(), values_, branch.where);
    if (auto plain = plain_gain(numbered, s)) return known->second = std::move(*plain);
    const PolynomialSpace space(std::span(&numbered, 1), s);
    const TransferFunction gain{{branch.from, branch.to, {}, {}},
                                space.rational(numbered).reduced(),
                                ring::Polynomial::constant(space.context(), 1),
                                {},
                                {}};
    ExactTransfer value = exact_transfer(gain, graph_);
    if (!value.denominator.rational())
      throw Error(branch.where, "a dead time stands below the fraction line of a gain",
                  "write the loop that it comes from as branches");
    known->second = {std::move(value.numerator), value.denominator.polynomial()};
    known->second.whole = is_one(known->second.denominator);
    return known->second;
  }

  /// The input that brings the signal of the node, so much later.
  std::size_t delay(std::size_t node, const Rational& time) {
    const auto [known, is_new] = delay_numbers_.emplace(std::pair(node, time), delays.size());
    if (is_new) delays.push_back({time.to_double(), inputs_.size() + delays.size(), output_count_ + delays.size()});
    return known->second;
  }

  void read_row(std::uint32_t k) {
    NodeRow row;
    std::vector<std::pair<NodeId, const NumericGain*>> entering;
    for (const BranchId id : graph_.entering(NodeId{k})) {
      entering.emplace_back(graph_[id].from, &numeric(graph_[id]));
      const NumericGain& gain = *entering.back().second;
      if (!gain.whole) row.own *= divided(gain.denominator, gcd(row.own, gain.denominator)).first;
    }
    const bool whole = is_one(row.own);
    for (const auto& [from, gain] : entering) {
      const RationalPolynomial rest = gain->whole ? row.own : divided(row.own, gain->denominator).first;
      for (const auto& part : gain->numerator.parts) {
        const RationalPolynomial n = whole ? part.polynomial : part.polynomial * rest;
        if (part.delay.is_zero())
          row.from[from.index] += n;
        else
          row.by_delays.emplace_back(delay(from.index, part.delay), n);
      }
    }
    rows_.push_back(std::move(row));
  }

  void name_unknowns() {
    order_.assign(rows_.size(), 0);
    const auto higher = [&](std::size_t node, const RationalPolynomial& p) {
      order_[node] = std::max(order_[node], static_cast<std::size_t>(std::max(p.degree(), 0L)));
    };
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      higher(k, rows_[k].own);
      for (const auto& [node, p] : rows_[k].from) higher(node, p);
    }
    for (std::size_t node = 0; node < rows_.size(); ++node) {
      first_.push_back(system.names.size());
      std::string name = graph_.nodes()[node].name;
      for (std::size_t i = 0; i < std::max<std::size_t>(order_[node], 1); ++i) {
        system.names.push_back(name);
        name = graph_.op.name_of_rate(name);
      }
    }
    for (const auto& [of, number] : delay_numbers_) delayed_.emplace(number, of.first);
  }

  void add_output(std::size_t node) { system.outputs.push_back({{{first_[node], Rational(1)}}, {}}); }

  void add(SparseDescriptor::Row& row, std::size_t node, const RationalPolynomial& p, int sign) const {
    for (long power = 0; power <= p.degree(); ++power) {
      const Rational c = p.coefficient(static_cast<std::size_t>(power));
      if (c.is_zero()) continue;
      const auto order = static_cast<std::size_t>(power);
      const bool highest = order == order_[node] && order > 0;
      auto& entries = highest ? row.E : row.F;
      const Rational signed_value = (highest ? Rational(sign) : Rational(-sign)) * c;
      const auto [entry, is_new] = entries.emplace(first_[node] + (highest ? order - 1 : order), signed_value);
      if (is_new) continue;
      entry->second += signed_value;
      if (entry->second.is_zero()) entries.erase(entry);
    }
  }

  static void add_input(SparseDescriptor::Row& row, std::size_t input, const RationalPolynomial& p) {
    if (p.degree() + 1 > static_cast<long>(row.G.size())) row.G.resize(static_cast<std::size_t>(p.degree() + 1));
    for (long power = 0; power <= p.degree(); ++power) {
      const Rational c = p.coefficient(static_cast<std::size_t>(power));
      if (!c.is_zero()) row.G[static_cast<std::size_t>(power)][input] += c;
    }
  }

  void add_row(std::size_t k) {
    for (std::size_t i = 0; i + 1 < order_[k]; ++i) {
      SparseDescriptor::Row chain;
      chain.E.emplace(first_[k] + i, 1);
      chain.F.emplace(first_[k] + i + 1, 1);
      chain.own = first_[k] + i;
      system.rows.push_back(std::move(chain));
    }
    const NodeRow& node = rows_[k];
    SparseDescriptor::Row row;
    row.own = first_[k] + (order_[k] > 0 ? order_[k] - 1 : 0);
    add(row, k, node.own, 1);
    for (const auto& [from, p] : node.from) add(row, from, p, -1);
    for (std::size_t u = 0; u < inputs_.size(); ++u)
      if (inputs_[u].index == k) add_input(row, u, node.own);
    for (const auto& [number, p] : node.by_delays) add_input(row, delays[number].input, p);
    system.rows.push_back(std::move(row));
    for (auto& entries : system.rows.back().G)
      for (auto entry = entries.begin(); entry != entries.end();)
        entry = entry->second.is_zero() ? entries.erase(entry) : std::next(entry);
  }

 public:
  /// What the delays take, behind the outputs asked for.
  void add_delayed_outputs() {
    for (const auto& [number, node] : delayed_) add_output(node);
  }

 private:
  const SignalFlowGraph& graph_;
  GiNaC::exmap values_;
  std::vector<NodeId> inputs_;
  std::size_t output_count_;
  std::vector<NodeRow> rows_;
  std::vector<std::size_t> order_, first_;
  std::map<GiNaC::ex, NumericGain, GiNaC::ex_is_less> gains_;
  std::map<std::pair<std::size_t, Rational>, std::size_t> delay_numbers_;
  std::map<std::size_t, std::size_t> delayed_;  // delay → node
};

using Triplets = std::vector<Eigen::Triplet<double>>;

Dynamics::Matrix matrix(std::size_t rows, std::size_t columns, const Triplets& entries) {
  Dynamics::Matrix made(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  made.setFromTriplets(entries.begin(), entries.end());
  return made;
}

void append(Triplets& list, std::size_t row, const SparseDescriptor::Entries& entries,
            const std::map<std::size_t, std::size_t>* columns = nullptr) {
  for (const auto& [column, value] : entries)
    list.emplace_back(static_cast<int>(row), static_cast<int>(columns == nullptr ? column : columns->at(column)),
                      value.to_double());
}

}  // namespace

ExactDynamics exact_dynamics(const SignalFlowGraph& graph, std::span<const NodeId> inputs, std::span<const NodeId> outputs,
                             const Budget& budget) {
  FirstOrderForm form(graph, inputs, outputs);
  form.add_delayed_outputs();
  form.system.solve(budget);
  return {std::move(form.system), form.delays, form.input_count()};
}

Dynamics dynamics(const SignalFlowGraph& graph, std::span<const NodeId> inputs, std::span<const NodeId> outputs,
                  const Budget& budget) {
  return dynamics(exact_dynamics(graph, inputs, outputs, budget));
}

Dynamics dynamics(const ExactDynamics& exact) {
  const SparseDescriptor& system = exact.system;
  Dynamics result;
  result.delays = exact.delays;
  std::map<std::size_t, std::size_t> place;  // unknown → state
  for (const auto& row : system.rows) {
    place.emplace(row.own, result.states.size());
    result.states.push_back(system.names[row.own]);
  }
  const std::size_t n = result.states.size(), m = exact.inputs, q = system.outputs.size();
  Triplets A, B, C, shifts;
  std::vector<Triplets> D(1);
  for (std::size_t i = 0; i < n; ++i) {
    append(A, i, system.rows[i].F, &place);
    if (!system.rows[i].G.empty()) append(B, i, system.rows[i].G[0]);
    append(shifts, i, system.shifts[i]);
  }
  for (std::size_t i = 0; i < q; ++i) {
    append(C, i, system.outputs[i].C, &place);
    if (D.size() < system.outputs[i].D.size()) D.resize(system.outputs[i].D.size());
    for (std::size_t d = 0; d < system.outputs[i].D.size(); ++d) append(D[d], i, system.outputs[i].D[d]);
  }
  result.A = matrix(n, n, A);
  result.B = matrix(n, m, B);
  result.C = matrix(q, n, C);
  result.shifts = matrix(n, m, shifts);
  for (const Triplets& entries : D) result.D.push_back(matrix(q, m, entries));
  return result;
}

}  // namespace sfg
