// A determinant diagram in algebras of one's own: numbers, and numbers that carry a derivative along.
#include <iostream>

#include "sfg/ddd/determinant_diagram.hpp"
#include "sfg/ring/integer.hpp"

/// A ring is a small object that knows how to calculate with its values.
struct Reals {
  using Value = double;
  Value zero() const { return 0; }
  Value one() const { return 1; }
  Value add(Value a, Value b) const { return a + b; }
  Value multiply(Value a, Value b) const { return a * b; }
  Value negate(Value a) const { return -a; }
};

/// value + ε·slope with ε² = 0, over any ring: a determinant and how it changes in one direction, which the slopes of the entries
/// choose.
template <class Base>
struct Duals {
  struct Value {
    typename Base::Value value, slope;
  };
  Base base = {};
  Value zero() const { return {base.zero(), base.zero()}; }
  Value one() const { return {base.one(), base.zero()}; }
  Value add(const Value& a, const Value& b) const { return {base.add(a.value, b.value), base.add(a.slope, b.slope)}; }
  Value multiply(const Value& a, const Value& b) const {
    return {base.multiply(a.value, b.value), base.add(base.multiply(a.value, b.slope), base.multiply(a.slope, b.value))};
  }
  Value negate(const Value& a) const { return {base.negate(a.value), base.negate(a.slope)}; }
};

int main() {
  using namespace sfg;
  const std::vector<ddd::Entry> places{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  const ddd::Pattern pattern(2, places);           // entries are numbered by rows
  const ddd::DeterminantDiagram diagram(pattern);  // finds an order, predicts, builds

  const std::vector<double> m{1, -0.5, -0.4, 1};
  std::cout << "determinant " << ddd::evaluate(diagram, Reals(), m) << "\n";
  std::cout << "products " << to_string(ddd::evaluate(diagram, ring::CountRing(), {1, 1, 1, 1})) << "\n";
  for (std::size_t e = 0; e < m.size(); ++e) {
    std::vector<Duals<Reals>::Value> entries;
    for (std::size_t k = 0; k < m.size(); ++k) entries.push_back({m[k], k == e ? 1.0 : 0.0});
    std::cout << "cofactor " << ddd::evaluate(diagram, Duals<Reals>(), entries).slope << "\n";
  }
}

/* prints
determinant 0.8
products 2
cofactor 1
cofactor 0.4
cofactor 0.5
cofactor 1
*/
