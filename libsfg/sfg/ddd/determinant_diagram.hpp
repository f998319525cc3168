#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sfg/ddd/pattern.hpp"

/// Determinants of sparse matrices as decision diagrams. Needs nothing but the standard library.
namespace sfg::ddd {

/// The diagram would be, or was becoming, larger than allowed. Nothing is left behind.
class TooLarge : public std::runtime_error {
 public:
  TooLarge(const std::string& message, Prediction prediction) : std::runtime_error(message), prediction_(prediction) {}
  const Prediction& prediction() const noexcept { return prediction_; }

 private:
  Prediction prediction_;
};

struct BuildOptions {
  std::uint64_t max_states = std::uint64_t{1} << 28;  ///< visited states, pruned ones included
  std::uint64_t max_bytes = std::uint64_t{2} << 30;   ///< memory while building
  /// Called every few thousand states with their number so far; whatever it throws ends the building and reaches the caller.
  std::function<void(std::uint64_t)> checkpoint = {};
};

/// The products of a determinant as the paths of an acyclic graph: a vertex is a minor that remains, an edge is "take this
/// entry" with its share of the permutation's sign, and leads to the minor without the entry's row and column. Equal minors
/// are one vertex.
/// Immutable: many threads may evaluate one diagram.
///
/// @see Shi and Tan, Canonical symbolic analysis of large analog circuits with determinant decision diagrams (2000).
class DeterminantDiagram {
 public:
  class Edge {
   public:
    Edge(std::uint32_t entry, bool negative, std::uint32_t child) : code_(entry << 1 | (negative ? 1U : 0U)), child_(child) {}
    std::uint32_t entry() const noexcept { return code_ >> 1; }
    bool negative() const noexcept { return (code_ & 1U) != 0; }
    std::uint32_t child() const noexcept { return child_; }
    friend bool operator==(const Edge&, const Edge&) = default;

   private:
    friend class DeterminantDiagram;
    std::uint32_t code_;
    std::uint32_t child_;
  };

  /// Orders the pattern (`best_order`) and builds.
  explicit DeterminantDiagram(const Pattern&, const BuildOptions& = {});
  /// @throws TooLarge               at once if the prediction exceeds the limits, else when they are reached.
  /// @throws std::invalid_argument  if the order has a line twice or leaves an entry out.
  DeterminantDiagram(const Pattern&, Order, const BuildOptions& = {});

  /// No product at all: the determinant vanishes whatever the entries are.
  bool is_zero() const noexcept { return edge_begin_.empty(); }
  /// Vertices are numbered children first: 0 is the terminal (the empty minor, 1), the last one is the root.
  std::size_t vertex_count() const noexcept { return is_zero() ? 0 : edge_begin_.size(); }
  std::size_t edge_count() const noexcept { return edges_.size(); }
  std::size_t entry_count() const noexcept { return entry_count_; }
  std::uint64_t visited_states() const noexcept { return visited_states_; }
  /// The edges of a vertex, by entry; none for the terminal.
  std::span<const Edge> edges(std::size_t vertex) const {
    return vertex == 0
               ? std::span<const Edge>{}
               : std::span<const Edge>(edges_).subspan(edge_begin_[vertex - 1], edge_begin_[vertex] - edge_begin_[vertex - 1]);
  }
  /// Where `evaluate` keeps the value of a vertex: vertices whose values are not needed at the same time share a slot.
  std::uint32_t slot(std::size_t vertex) const { return slot_[vertex]; }
  std::size_t slot_count() const noexcept { return slot_count_; }

  const Order& order() const noexcept { return order_; }

 private:
  template <std::size_t Words>
  friend class Sweep;
  void refuse_explosion(const Pattern&, const class LineGraph&, const BuildOptions&);
  void allocate_slots();

  Order order_;
  std::size_t entry_count_ = 0;
  std::size_t slot_count_ = 0;
  std::uint64_t visited_states_ = 0;
  std::vector<Edge> edges_;
  std::vector<std::uint64_t> edge_begin_;  // end of the edges of vertex v; the terminal has none
  std::vector<std::uint32_t> slot_;
};

/// A commutative ring: a small object that knows how to calculate with its values.
/// It may also have `add_product(Value& sum, const Value& a, const Value& b)` and `subtract_product`, which are then used.
template <class R>
concept Ring = requires(const R& r, typename R::Value a, typename R::Value b) {
  { r.zero() } -> std::convertible_to<typename R::Value>;
  { r.one() } -> std::convertible_to<typename R::Value>;
  { r.add(a, b) } -> std::convertible_to<typename R::Value>;
  { r.multiply(a, b) } -> std::convertible_to<typename R::Value>;
  { r.negate(a) } -> std::convertible_to<typename R::Value>;
};

template <class R>
concept FusedRing = Ring<R> && requires(const R& r, typename R::Value& sum, typename R::Value a) {
  r.add_product(sum, a, a);
  r.subtract_product(sum, a, a);
};

namespace detail {

template <Ring R>
void accumulate(const R& ring, typename R::Value& sum, const typename R::Value& a, const typename R::Value& b, bool negative) {
  if constexpr (FusedRing<R>) {
    if (negative)
      ring.subtract_product(sum, a, b);
    else
      ring.add_product(sum, a, b);
  } else {
    typename R::Value product = ring.multiply(a, b);
    sum = ring.add(sum, negative ? ring.negate(product) : std::move(product));
  }
}

}  // namespace detail

/// The determinant in any commutative ring, one value for every entry of the pattern.
/// Holds `slot_count()` values. `one` for a 0×0 matrix, `zero` for a structurally singular one.
/// @throws std::invalid_argument  if the number of values is not the number of entries.
/// @note Costs a multiplication and an addition an edge.
template <Ring R>
typename R::Value evaluate(const DeterminantDiagram& diagram, const R& ring, std::span<const typename R::Value> entries) {
  using Value = typename R::Value;
  if (diagram.entry_count() != entries.size()) throw std::invalid_argument("evaluate: one value for every entry of the pattern");
  if (diagram.is_zero()) return ring.zero();
  std::vector<Value> values(diagram.slot_count(), ring.zero());
  values[diagram.slot(0)] = ring.one();
  for (std::size_t v = 1; v < diagram.vertex_count(); ++v) {
    Value& sum = values[diagram.slot(v)];  // none of its children's
    const auto edges = diagram.edges(v);
    const auto& first = edges.front();
    const auto& entry = entries[first.entry()];  // an entry is small, what stands below it may be large
    const Value& below = values[diagram.slot(first.child())];
    sum = first.negative() ? ring.multiply(ring.negate(entry), below) : ring.multiply(entry, below);
    for (const auto& edge : edges.subspan(1))
      detail::accumulate(ring, sum, entries[edge.entry()], values[diagram.slot(edge.child())], edge.negative());
  }
  return std::move(values[diagram.slot(diagram.vertex_count() - 1)]);
}

template <Ring R>
typename R::Value evaluate(const DeterminantDiagram& diagram, const R& ring, const std::vector<typename R::Value>& entries) {
  return evaluate(diagram, ring, std::span<const typename R::Value>(entries));
}

}  // namespace sfg::ddd
