#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sfg/ddd/determinant_diagram.hpp"

namespace sfg::ring {

// The largest products of a determinant at a design point, which the approximate form of a transfer function keeps
// (approximate/dominant_terms). A determinant diagram holds them all, so that none is expanded that is not asked for.

/// The semiring (max, ×) in logarithms: the magnitude of the largest product. A sign counts for nothing. Evaluating a diagram in
/// it gives every vertex its best product in one sweep: the bound that the search below is led by.
struct MaxTimesRing {
  using Value = double;  ///< natural logarithm of a magnitude
  Value zero() const { return -std::numeric_limits<double>::infinity(); }
  Value one() const { return 0; }
  Value add(Value a, Value b) const { return std::max(a, b); }
  Value multiply(Value a, Value b) const { return a == zero() || b == zero() ? zero() : a + b; }
  Value negate(Value a) const { return a; }
};

/// One product of a determinant: from every row and column one addend of one entry.
struct DominantTerm {
  struct Factor {
    std::uint32_t entry;   ///< of the pattern
    std::uint32_t addend;  ///< of the entry
    friend auto operator<=>(const Factor&, const Factor&) = default;
  };
  /// As many as the determinant has rows, sorted by entry. Two products are the same just when these lists are.
  std::vector<Factor> factors;
  bool negative = false;     ///< sign of the permutation
  double log_magnitude = 0;  ///< Σ of those of the factors
};

/// The products of a determinant one after the other, the largest first, without expanding the others: each further one costs
/// little more than its length. Works by lazy merging of the ordered products of the minors (the k best derivations of a
/// hypergraph: Huang and Chiang 2005, algorithm 3): the products of a vertex are those of its edges times the products of their
/// children, and of each edge only the next candidate waits in a heap. Equal magnitudes come in a fixed order, so that the same
/// graph gives the same answer on every machine. Products that cancel each other are given both: whoever adds them up sees it.
class DominantTerms {
 public:
  /// @param log_magnitudes  for every entry the natural logarithms of the magnitudes of its addends; −∞ for 0
  /// @throws std::invalid_argument  unless there is one list for every entry.
  /// @note The diagram must outlive this.
  DominantTerms(const ddd::DeterminantDiagram&, std::span<const std::vector<double>> log_magnitudes);
  /// The next product, not larger than the one before; nothing when all have been given. Products of magnitude 0 are not given.
  /// Memory grows with what has been given, by about the number of rows for each.
  std::optional<DominantTerm> next();

 private:
  // A way to make a product of a minor: an edge, the rank of an addend of its entry, the rank of a product of its child.
  struct Candidate {
    double log_magnitude;
    std::uint32_t edge, addend, rank;
    bool operator<(const Candidate& other) const;  // for a heap with the largest on top
  };
  struct Vertex {
    std::vector<Candidate> found;  // in order
    std::vector<Candidate> heap;
    bool opened = false;
  };
  struct Addend {
    double log_magnitude;
    std::uint32_t number;
  };

  bool ensure(std::uint32_t vertex, std::uint32_t rank);
  void open(std::uint32_t vertex);
  void push(std::uint32_t vertex, std::uint32_t edge, std::uint32_t addend, std::uint32_t rank);

  const ddd::DeterminantDiagram& diagram_;
  std::vector<std::vector<Addend>> addends_;  // of every entry, the largest first
  std::vector<double> best_;                  // largest product of every vertex
  std::vector<Vertex> vertices_;
  std::uint32_t given_ = 0;
};

}  // namespace sfg::ring
