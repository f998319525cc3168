#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

// Not installed. Rows of E ẇ = F w + Σ G_d u⁽ᵈ⁾, y = C w + Σ D_d u⁽ᵈ⁾ and their derivatives of u, of numbers as of functions.
namespace sfg {

/// row += factor · other
template <class Entries, class Value>
void add_multiple(Entries& row, const Value& factor, const std::type_identity_t<Entries>& other) requires requires {
  typename Entries::mapped_type;
}
{
  const auto vanished = [](const Value& x) {
    if constexpr (requires { x.is_zero(); })
      return x.is_zero();
    else
      return is_zero(x);
  };
  for (const auto& [column, value] : other) {
    const Value product = factor * value;
    const auto [entry, is_new] = row.emplace(column, product);
    if (!is_new) entry->second = entry->second + product;
    if (vanished(entry->second)) row.erase(entry);
  }
}

/// The same for the derivatives of u, `shift` orders higher.
template <class Entries, class Value>
void add_multiple(std::vector<Entries>& orders, const Value& factor, const std::vector<Entries>& other, std::size_t shift = 0) {
  if (orders.size() < other.size() + shift) orders.resize(other.size() + shift);
  for (std::size_t d = 0; d < other.size(); ++d) add_multiple(orders[d + shift], factor, other[d]);
}

template <class Row, class Value>
void scale(Row& row, const Value& factor) requires requires {
  row.G;
}
{
  const auto each = [&](auto& entries) {
    for (auto& [column, value] : entries) value = value * factor;
  };
  each(row.E);
  each(row.F);
  for (auto& entries : row.G) each(entries);
}

/// The highest derivative of u in the state equations goes into the states and the outputs: w = z + B_d u⁽ᵈ⁻¹⁾.
template <class System>
void shift_states(System& system, std::size_t order) {
  using Entries = typename System::Entries;
  std::map<std::size_t, Entries> by_unknown;  // rows of B_d
  for (auto& row : system.rows)
    if (row.G.size() > order && !row.G[order].empty()) {
      by_unknown.emplace(row.own, std::move(row.G[order]));
      if (!system.names[row.own].starts_with("z_")) system.names[row.own] = "z_" + system.names[row.own];
    }
  const auto add_product = [&](const Entries& from, std::vector<Entries>& orders) {
    for (const auto& [unknown, value] : from)
      if (const auto b = by_unknown.find(unknown); b != by_unknown.end()) {
        if (orders.size() < order) orders.resize(order);
        add_multiple(orders[order - 1], value, b->second);
      }
  };
  for (auto& row : system.rows) {
    if (row.G.size() > order) row.G.resize(order);
    add_product(row.F, row.G);
  }
  for (auto& output : system.outputs) add_product(output.C, output.D);
}

/// Where E is the unit matrix: no row has a derivative of u afterwards.
template <class System>
void remove_derivatives(System& system) {
  const auto drop_empty_orders = [](auto& orders) {
    while (!orders.empty() && orders.back().empty()) orders.pop_back();
  };
  for (;;) {
    std::size_t orders = 0;
    for (auto& row : system.rows) {
      drop_empty_orders(row.G);
      orders = std::max(orders, row.G.size());
    }
    if (orders <= 1) break;
    shift_states(system, orders - 1);
  }
  for (auto& output : system.outputs) drop_empty_orders(output.D);
}

}  // namespace sfg
