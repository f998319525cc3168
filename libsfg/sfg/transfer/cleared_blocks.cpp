#include "sfg/transfer/cleared_blocks.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "sfg/error.hpp"
#include "sfg/graph/hidden_modes.hpp"
#include "sfg/graph/polynomial_rows.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

constexpr const char* work = "expanding the transfer function";
constexpr Advice unexpanded = Advice::ask_unexpanded;

/// Polynomials whose size is watched: FLINT cannot be interrupted, so every product is looked at.
class WatchedRing {
 public:
  using Value = Polynomial;

  WatchedRing(Polynomial::Context context, const Budget& budget)
      : context_(std::move(context)),
        budget_(budget),
        bytes_a_term_(static_cast<double>(context_->variables().size()) + 2 * sizeof(std::int64_t)) {}

  Value zero() const { return Value(context_); }
  Value one() const { return Value::constant(context_, 1); }
  Value add(const Value& a, const Value& b) const { return watched(a + b); }
  Value multiply(const Value& a, const Value& b) const {
    Value product = a;  // a * b would copy the product, too
    product *= b;
    return watched(std::move(product));
  }
  Value negate(const Value& a) const { return -a; }
  void add_product(Value& sum, const Value& a, const Value& b) const {
    sum += multiply(a, b);
    static_cast<void>(watched(sum));
  }
  void subtract_product(Value& sum, const Value& a, const Value& b) const {
    sum -= multiply(a, b);
    static_cast<void>(watched(sum));
  }

 private:
  template <class V>
  V&& watched(V&& value) const {
    const std::size_t terms = value.term_count();
    budget_.check_terms(terms, work, unexpanded);
    bytes_ += static_cast<double>(terms) * bytes_a_term_;
    budget_.check_memory(bytes_, work, unexpanded);
    if (bytes_ > checked_ + 1e6) {
      budget_.check(work);
      checked_ = bytes_;
    }
    return std::forward<V>(value);
  }

  Polynomial::Context context_;
  const Budget& budget_;
  double bytes_a_term_;
  mutable double bytes_ = 0;  ///< of everything so far: an upper bound of what is alive
  mutable double checked_ = 0;
};

std::vector<GiNaC::ex> block_gains(const SignalFlowGraph& graph, const GraphMatrix& matrix, const std::set<std::size_t>& ids) {
  std::set<const BranchBundle*> bundles;
  for (const std::size_t id : ids)
    for (const GraphMatrix::Entry& entry : matrix.block(id).entries)
      if (entry.bundle) bundles.insert(entry.bundle);
  std::vector<GiNaC::ex> gains;
  for (const BranchBundle* bundle : bundles)
    for (const BranchId id : bundle->branches)
      gains.insert(gains.end(), {graph[id].gain(), hidden_modes(graph[id], graph.symbols)});
  return gains;
}

PolynomialSpace space_of(const std::vector<GiNaC::ex>& gains, const GiNaC::ex& variable, const Budget& budget) {
  PolynomialSpace space(gains, variable);
  budget.check_memory(static_cast<double>(space.size()) * static_cast<double>(gains.size()) * 4, work, unexpanded);
  return space;
}

Polynomial least_common_multiple(const Polynomial& a, const Polynomial& b) {
  if (a.is_constant() || a == b) return b;
  if (b.is_constant()) return a;
  return a * exact_quotient(b, gcd(a, b)).value();
}

/// Whether every entry is ± a variable that no other entry has, but for one constant in a row.
bool generic(const ddd::Pattern& pattern, const std::vector<Polynomial>& entries) {
  std::set<std::uint32_t> rows_with_constant;
  std::set<std::size_t> seen;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].is_zero()) return false;
    if (entries[e].is_constant()) {
      if (!rows_with_constant.insert(pattern.entries()[e].row).second) return false;
      continue;
    }
    if (entries[e].term_count() != 1) return false;
    const std::vector<Polynomial::Term> terms = entries[e].terms();
    if (terms.front().powers.size() != 1 || terms.front().powers.front().second != 1) return false;
    if (!seen.insert(terms.front().powers.front().first).second) return false;
  }
  return true;
}

}  // namespace

ring::Polynomial product(const Polynomial::Context& context, std::vector<const Polynomial*> order, const Budget& budget) {
  const WatchedRing ring(context, budget);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->term_count() < b->term_count(); });
  if (order.empty()) return ring.one();
  Polynomial result = *order.front();
  for (const Polynomial* factor : std::span(order).subspan(1)) {
    // A product of polynomials in different variables has all the terms; otherwise many may meet. Work is bounded in any case.
    const double products = static_cast<double>(result.term_count()) * static_cast<double>(factor->term_count());
    if (products > 1000 * static_cast<double>(budget.limits().terms))
      throw LimitReached("the expanded transfer function would have up to " + std::to_string(products) + " terms", unexpanded);
    result = ring.multiply(result, *factor);
  }
  return result;
}

ClearedBlocks::ClearedBlocks(const SignalFlowGraph& graph, GraphMatrix& matrix, const std::set<std::size_t>& ids,
                             const GiNaC::ex& variable, const Budget& budget)
    : graph_(graph), matrix_(matrix), budget_(budget), space_(space_of(block_gains(graph, matrix, ids), variable, budget)) {}

const ClearedBlock& ClearedBlocks::operator[](std::size_t id) {
  const auto known = blocks_.find(id);
  return known != blocks_.end() ? known->second : blocks_.emplace(id, cleared(id)).first->second;
}

const RationalFunction& ClearedBlocks::gain(const BranchBundle* bundle) {
  const auto known = gains_.find(bundle);
  if (known != gains_.end()) return known->second;
  RationalFunction gain = space_.rational(bundle->gain(graph_), budget_);
  if (!gain.denominator().is_constant()) gain = gain.reduced();
  return gains_.emplace(bundle, std::move(gain)).first->second;
}

/// By rows: signals that enter one node share what they have in common.
Polynomial ClearedBlocks::hidden(const std::set<std::size_t>& ids) {
  const Polynomial one = Polynomial::constant(space_.context(), 1);
  struct Denominators {
    Polynomial stated, left;
  };
  std::map<NodeId, Denominators> rows;
  for (const std::size_t id : ids)
    for (const GraphMatrix::Entry& entry : matrix_.block(id).entries) {
      if (!entry.bundle) continue;
      Denominators& row = rows.try_emplace(entry.bundle->to, Denominators{one, one}).first->second;
      const RationalFunction& sum = gain(entry.bundle);
      row.stated = least_common_multiple(row.stated, common_denominator(space_, graph_, entry.bundle->branches, sum, budget_));
      row.left = least_common_multiple(row.left, sum.denominator());
    }
  Polynomial found = one;
  for (const auto& [node, row] : rows)
    if (Polynomial lost = exact_quotient(row.stated, row.left).value(); lost.depends_on(0)) found *= lost;
  return found;
}

ClearedBlock ClearedBlocks::cleared(std::size_t id) {
  const GraphMatrix::Block& block = matrix_.block(id);
  const Polynomial::Context& context = space_.context();
  std::vector<Polynomial> scale(block.rows.size(), Polynomial::constant(context, 1));
  for (std::size_t e = 0; e < block.entries.size(); ++e)
    if (block.entries[e].bundle) {
      Polynomial& row = scale[block.pattern.entries()[e].row];
      row = least_common_multiple(row, gain(block.entries[e].bundle).denominator());
    }
  std::vector<Polynomial> entries;
  for (std::size_t e = 0; e < block.entries.size(); ++e) {
    const Polynomial& row = scale[block.pattern.entries()[e].row];
    Polynomial value(context);
    if (block.entries[e].diagonal) value += row;
    if (const BranchBundle* bundle = block.entries[e].bundle) {
      const RationalFunction& fraction = gain(bundle);
      value -= fraction.numerator() * exact_quotient(row, fraction.denominator()).value();
    }
    entries.push_back(std::move(value));
  }
  ClearedBlock result{Polynomial(context), {}, generic(block.pattern, entries)};
  try {
    result.determinant = ddd::evaluate(matrix_.diagram(id), WatchedRing(context, budget_), entries);
  } catch (const ddd::TooLarge& failure) {
    throw LimitReached(failure.what(), unexpanded);
  }
  for (std::uint32_t r = 0; r < scale.size(); ++r)
    if (!scale[r].is_one()) result.scales.emplace(block.rows[r], std::move(scale[r]));
  return result;
}

}  // namespace sfg
