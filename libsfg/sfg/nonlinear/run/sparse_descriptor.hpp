#pragma once
#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"

// Not installed.
namespace sfg {

/// E ẇ = F w + Σ G_d u⁽ᵈ⁾, y = C w + Σ D_d u⁽ᵈ⁾ with exact numbers, sparse: transfer/descriptor for thousands of unknowns.
class SparseDescriptor {
 public:
  using Entries = boost::container::flat_map<std::size_t, exact::Rational>;  ///< by column, none of them 0
  struct Row {
    Entries E, F;
    std::vector<Entries> G;  ///< by derivative of u
    std::size_t own = 0;     ///< the unknown it is the equation of
  };
  struct Output {
    Entries C;
    std::vector<Entries> D;
  };

  std::vector<std::string> names;  ///< of the unknowns
  std::vector<Row> rows;           ///< as many as unknowns; afterwards those of the states, E the unit matrix
  std::vector<Output> outputs;
  std::vector<Entries> shifts;  ///< afterwards, by row: the inputs in the unknown beside its state

  /// The state-space form (Luenberger 1978, the shuffle algorithm on exact numbers).
  /// @throws NoAnswer when the pencil s E − F is singular.
  void solve(const Budget&);

 private:
  struct Solved {
    std::size_t unknown;
    Row row;  ///< 0 = F w + G u, solved for the unknown: its F does not have it
  };
  using Rows = boost::container::flat_set<std::size_t>;
  using Index = std::vector<Rows>;  ///< of every column the rows that have it

  void index_rows();
  void eliminate_algebraic(const Budget&);
  void eliminate(std::size_t row);
  bool harmless(std::size_t row) const;
  void put_in(Row&, const Solved&);
  bool combine_rows(const Budget&);
  void note(std::size_t row);
  void forget(std::size_t row);

  Index in_E_, in_F_;
  std::vector<bool> gone_;
  std::set<std::size_t> algebraic_, untried_;  ///< rows without derivatives; those among them that may be harmless
  std::vector<Solved> solved_;
};

}  // namespace sfg
