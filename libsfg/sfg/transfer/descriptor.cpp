// Idea: a row without derivatives is solved for one unknown, which is put into all others; where that unknown has a derivative
// elsewhere, derivatives of the inputs appear on the right. When no such row is left, rows are combined until one
// appears or E is the unit matrix (the shuffle algorithm of Luenberger, 1978, on exact numbers). At last w = z + B_d u⁽ᵈ⁻¹⁾
// removes the derivatives of the inputs one order after the other.
#include "sfg/transfer/descriptor.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "sfg/error.hpp"

namespace sfg {

namespace {

using Entries = Descriptor::Entries;
using Row = Descriptor::Row;

void add_to(Entries& row, std::size_t column, const RationalFunction& value) {
  const auto [entry, is_new] = row.emplace(column, value);
  if (!is_new) entry->second = entry->second + value;
  if (is_zero(entry->second)) row.erase(entry);
}

/// row += factor · other, the column `but` left out.
void add_multiple(Entries& row, const RationalFunction& factor, const Entries& other, std::optional<std::size_t> but = {}) {
  for (const auto& [column, value] : other)
    if (column != but) add_to(row, column, factor * value);
}

/// The same for the derivatives of u, `shift` orders higher.
void add_multiple(std::vector<Entries>& orders, const RationalFunction& factor, const std::vector<Entries>& other,
                  std::size_t shift = 0) {
  if (orders.size() < other.size() + shift) orders.resize(other.size() + shift);
  for (std::size_t d = 0; d < other.size(); ++d) add_multiple(orders[d + shift], factor, other[d]);
}

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
  const Row solved = std::move(system.rows[pivot.row]);
  system.rows.erase(system.rows.begin() + static_cast<std::ptrdiff_t>(pivot.row));
  const std::size_t j = pivot.unknown;
  const RationalFunction f = solved.F.at(j);
  for (Row& row : system.rows) {
    if (const auto entry = row.F.find(j); entry != row.F.end()) {
      const RationalFunction factor = -entry->second / f;
      row.F.erase(entry);
      add_multiple(row.F, factor, solved.F, j);
      add_multiple(row.G, factor, solved.G);
    }
    if (const auto entry = row.E.find(j); entry != row.E.end()) {
      const RationalFunction factor = -entry->second / f;
      row.E.erase(entry);
      add_multiple(row.E, factor, solved.F, j);
      add_multiple(row.G, -factor, solved.G, 1);
    }
  }
  for (Descriptor::Output& output : system.outputs) {
    const auto entry = output.C.find(j);
    if (entry == output.C.end()) continue;
    const RationalFunction factor = -entry->second / f;
    output.C.erase(entry);
    add_multiple(output.C, factor, solved.F, j);
    add_multiple(output.D, factor, solved.G);
  }
}

void scale(Row& row, const RationalFunction& factor) {
  auto each = [&](Entries& entries) {
    for (auto& [column, value] : entries) value = value * factor;
  };
  each(row.E);
  each(row.F);
  for (Entries& entries : row.G) each(entries);
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

void drop_empty_orders(std::vector<Entries>& orders) {
  while (!orders.empty() && orders.back().empty()) orders.pop_back();
}

/// The highest derivative of u in the state equations goes into the states and the outputs.
void shift_states(Descriptor& system, std::size_t order) {
  std::map<std::size_t, Entries> by_unknown;  // rows of B_d
  for (Row& row : system.rows)
    if (row.G.size() > order && !row.G[order].empty()) {
      by_unknown.emplace(row.own, std::move(row.G[order]));
      if (!system.names[row.own].starts_with("z_")) system.names[row.own] = "z_" + system.names[row.own];
    }
  auto add_product = [&](const Entries& from, std::vector<Entries>& orders) {
    for (const auto& [unknown, value] : from)
      if (const auto b = by_unknown.find(unknown); b != by_unknown.end()) {
        if (orders.size() < order) orders.resize(order);
        add_multiple(orders[order - 1], value, b->second);
      }
  };
  for (Row& row : system.rows) {
    if (row.G.size() > order) row.G.resize(order);
    add_product(row.F, row.G);
  }
  for (Descriptor::Output& output : system.outputs) add_product(output.C, output.D);
}

}  // namespace

Descriptor state_space_form(Descriptor system, const Budget& budget) {
  do {
    while (const auto pivot = algebraic_pivot(system)) {
      budget.check("the state-space form");
      eliminate(system, *pivot);
    }
  } while (combine_rows(system));
  for (;;) {
    std::size_t orders = 0;
    for (Row& row : system.rows) {
      drop_empty_orders(row.G);
      orders = std::max(orders, row.G.size());
    }
    if (orders <= 1) break;
    shift_states(system, orders - 1);
  }
  for (Descriptor::Output& output : system.outputs) drop_empty_orders(output.D);
  return system;
}

}  // namespace sfg
