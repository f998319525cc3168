#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "sfg/ddd/determinant_diagram.hpp"

/// Patterns of I − Aᵀ for families of signal-flow graphs; the source is left out.
namespace sfg::ddd::families {

inline Pattern from_branches(std::uint32_t nodes, const std::vector<Entry>& branches) {
  std::vector<Entry> entries = branches;
  for (std::uint32_t i = 0; i < nodes; ++i) entries.push_back({i, i});
  return Pattern(nodes, entries);
}

/// A ladder network of so many sections: voltages and currents alternate, each coupled to the next both ways.
inline Pattern ladder(std::uint32_t sections) {
  std::vector<Entry> branches;
  for (std::uint32_t i = 1; i < 2 * sections; ++i) branches.insert(branches.end(), {{i, i - 1}, {i - 1, i}});
  return from_branches(2 * sections, branches);
}

inline Pattern complete(std::uint32_t nodes) {
  std::vector<Entry> branches;
  for (std::uint32_t i = 0; i < nodes; ++i)
    for (std::uint32_t j = 0; j < nodes; ++j) branches.push_back({i, j});
  return from_branches(nodes, branches);
}

/// Neighbours of a square grid, both ways.
inline Pattern grid(std::uint32_t side) {
  std::vector<Entry> branches;
  const auto couple = [&](std::uint32_t a, std::uint32_t b) { branches.insert(branches.end(), {{a, b}, {b, a}}); };
  for (std::uint32_t r = 0; r < side; ++r) {
    for (std::uint32_t c = 0; c < side; ++c) {
      if (c + 1 < side) couple(r * side + c, r * side + c + 1);
      if (r + 1 < side) couple(r * side + c, (r + 1) * side + c);
    }
  }
  return from_branches(side * side, branches);
}

/// One hub coupled both ways to every other node.
inline Pattern star(std::uint32_t nodes) {
  std::vector<Entry> branches;
  for (std::uint32_t i = 1; i < nodes; ++i) branches.insert(branches.end(), {{0, i}, {i, 0}});
  return from_branches(nodes, branches);
}

/// Every node has so many leaving branches to random other nodes.
inline Pattern random_graph(std::uint32_t nodes, std::uint32_t branches_per_node, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Entry> branches;
  for (std::uint32_t i = 0; i < nodes; ++i)
    for (std::uint32_t k = 0; k < branches_per_node; ++k) branches.push_back({static_cast<std::uint32_t>(random() % nodes), i});
  return from_branches(nodes, branches);
}

}  // namespace sfg::ddd::families
