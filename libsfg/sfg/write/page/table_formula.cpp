#include "sfg/write/page/table_formula.hpp"

#include <array>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/numeric/lookup_table.hpp"

namespace sfg {

namespace {

/// Value and three derivatives at a point.
using Jet = std::array<double, 4>;

Jet jet_of(const numeric::LookupTable& table, double at) {
  return {table.value(at), table.value(at, 1), table.value(at, 2), table.value(at, 3)};
}

/// Of the cubic with that jet, further right.
Jet carried(const Jet& jet, double by) {
  return {jet[0] + by * (jet[1] + by * (jet[2] / 2 + by * jet[3] / 6)), jet[1] + by * (jet[2] + by * jet[3] / 2),
          jet[2] + by * jet[3], jet[3]};
}

std::string signed_term(double factor, const std::string& of) {
  return (factor < 0 ? " - " : " + ") + print(factor < 0 ? -factor : factor) + "*" + of;
}

}  // namespace

std::string table_formula(std::uint32_t code, const std::string& argument,
                          const std::function<std::string(const std::string& difference)>& ramp) {
  constexpr std::uint32_t orders = numeric::derivative_orders + 1;
  if (code % orders != 0) throw NoAnswer("the derivative of a table has no formula in this target", "the target c has it");
  const numeric::LookupTable& table = numeric::table_of_number(code / orders);
  const auto above = [&](double knot) {
    return "(" + argument + (knot < 0 ? " + " : " - ") + print(knot < 0 ? -knot : knot) + ")";
  };
  Jet left = jet_of(table, table.x().front());
  left[2] = left[3] = 0;  // straight before the first knot
  std::string text = "(" + print(left[0]) + signed_term(left[1], above(table.x().front()));
  double last = table.x().front();
  for (const double knot : table.x()) {
    left = carried(left, knot - last);
    const Jet right = jet_of(table, knot);
    const std::string bend = ramp(above(knot));
    std::string power = bend;
    double factorial = 1;
    for (std::size_t order = 1; order < 4; ++order, power += "*" + bend) {
      factorial *= static_cast<double>(order);
      if (right[order] != left[order]) text += signed_term((right[order] - left[order]) / factorial, power);
    }
    left = right;
    last = knot;
  }
  return text + ")";
}

}  // namespace sfg
