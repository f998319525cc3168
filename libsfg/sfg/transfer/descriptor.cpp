// Idea: a row without derivatives is solved for one unknown, which is put into all others; where that unknown has a derivative
// elsewhere, derivatives of the inputs appear on the right. When no such row is left, rows are combined until one
// appears or E is the unit matrix (the shuffle algorithm of Luenberger, 1978, on exact numbers). At last w = z + B_d u⁽ᵈ⁻¹⁾
// removes the derivatives of the inputs one order after the other.
#include "sfg/transfer/descriptor.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "sfg/error.hpp"
#include "sfg/transfer/descriptor_rows.hpp"

namespace sfg {

namespace {

using Entries = Descriptor::Entries;
using Row = Descriptor::Row;

std::size_t size(const RationalFunction& x) { return x.numerator().term_count() + x.denominator().term_count(); }
bool is_number(const RationalFunction& x) { return x.numerator().is_constant() && x.denominator().is_constant(); }

[[noreturn]] void refuse_singular() {
  throw NoAnswer("the graph is singular: its determinant vanishes, so that its signals are not determined",
                 "open a loop of gain 1, or give the gains other names");
}

struct Pivot {
  std::size_t row;
  std::size_t unknown;
};

/// A row without derivatives and what to solve it for: best an unknown without derivatives anywhere, the row's own, by a number.
std::optional<Pivot> algebraic_pivot(const Descriptor& system) {
  std::vector<bool> has_derivative(system.names.size(), false);
  for (const Row& row : system.rows)
    for (const auto& [column, value] : row.E) has_derivative[column] = true;
  std::optional<std::tuple<bool, bool, bool, std::size_t, std::size_t, std::size_t>> best;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const Row& row = system.rows[i];
    if (!row.E.empty()) continue;
    if (row.F.empty()) refuse_singular();
    for (const auto& [column, value] : row.F) {
      const std::tuple rank(bool{has_derivative[column]}, column != row.own, !is_number(value), size(value), i, column);
      if (!best || rank < *best) best = rank;
    }
    if (best && !std::get<0>(*best) && !std::get<1>(*best) && !std::get<2>(*best)) break;
  }
  if (!best) return std::nullopt;
  return Pivot{std::get<4>(*best), std::get<5>(*best)};
}

/// Puts the solution of the pivot's row into everything and drops both.
void eliminate(Descriptor& system, const Pivot& pivot) {
  Row solved = std::move(system.rows[pivot.row]);
  system.rows.erase(system.rows.begin() + static_cast<std::ptrdiff_t>(pivot.row));
  const std::size_t j = pivot.unknown;
  const RationalFunction f = solved.F.at(j);
  solved.F.erase(j);
  for (Row& row : system.rows) {
    if (const auto entry = row.F.find(j); entry != row.F.end()) {
      const RationalFunction factor = -entry->second / f;
      row.F.erase(entry);
      add_multiple(row.F, factor, solved.F);
      add_multiple(row.G, factor, solved.G);
    }
    if (const auto entry = row.E.find(j); entry != row.E.end()) {
      const RationalFunction factor = -entry->second / f;
      row.E.erase(entry);
      add_multiple(row.E, factor, solved.F);
      add_multiple(row.G, -factor, solved.G, 1);
    }
  }
  for (Descriptor::Output& output : system.outputs) {
    const auto entry = output.C.find(j);
    if (entry == output.C.end()) continue;
    const RationalFunction factor = -entry->second / f;
    output.C.erase(entry);
    add_multiple(output.C, factor, solved.F);
    add_multiple(output.D, factor, solved.G);
  }
}

/// Gauss–Jordan on E. Stops with true at a row whose E vanished; false: E is the unit matrix, rows in the order of `states`.
bool combine_rows(Descriptor& system) {
  std::vector<bool> done(system.rows.size(), false);
  std::vector<std::pair<std::size_t, Row>> solved;
  for (std::size_t step = 0; step < system.rows.size(); ++step) {
    std::optional<std::tuple<bool, bool, std::size_t, std::size_t, std::size_t>> best;
    for (std::size_t i = 0; i < system.rows.size(); ++i) {
      if (done[i]) continue;
      if (system.rows[i].E.empty()) return true;
      for (const auto& [column, value] : system.rows[i].E) {
        const std::tuple rank(!is_number(value), column != system.rows[i].own, system.rows[i].E.size() + size(value), i, column);
        if (!best || rank < *best) best = rank;
      }
    }
    const std::size_t pivot = std::get<3>(*best);
    const std::size_t column = std::get<4>(*best);
    done[pivot] = true;
    scale(system.rows[pivot], constant(system.space, 1) / system.rows[pivot].E.at(column));
    system.rows[pivot].own = column;
    for (std::size_t i = 0; i < system.rows.size(); ++i) {
      const auto entry = system.rows[i].E.find(column);
      if (i == pivot || entry == system.rows[i].E.end()) continue;
      const RationalFunction factor = -entry->second;
      add_multiple(system.rows[i].E, factor, system.rows[pivot].E);
      add_multiple(system.rows[i].F, factor, system.rows[pivot].F);
      add_multiple(system.rows[i].G, factor, system.rows[pivot].G);
    }
  }
  std::sort(system.rows.begin(), system.rows.end(), [](const Row& a, const Row& b) { return a.own < b.own; });
  for (const Row& row : system.rows) system.states.push_back(row.own);
  return false;
}

}  // namespace

Descriptor state_space_form(Descriptor system, const Budget& budget) {
  do {
    while (const auto pivot = algebraic_pivot(system)) {
      budget.check("the state-space form");
      eliminate(system, *pivot);
    }
  } while (combine_rows(system));
  remove_derivatives(system);
  return system;
}

}  // namespace sfg
