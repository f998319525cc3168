// Idea: as in transfer/descriptor.cpp, with numbers only and with lists of the rows that have a column, so that eliminating an
// unknown costs what it touches.
#include "sfg/nonlinear/run/sparse_descriptor.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/transfer/descriptor_rows.hpp"

namespace sfg {

namespace {

using exact::Rational;
using Entries = SparseDescriptor::Entries;
using Row = SparseDescriptor::Row;

}  // namespace

void SparseDescriptor::note(std::size_t row) {
  for (const auto& [column, value] : rows[row].E) in_E_[column].insert(row);
  for (const auto& [column, value] : rows[row].F) in_F_[column].insert(row);
  if (!rows[row].E.empty()) return;
  algebraic_.insert(row);
  untried_.insert(row);
}

void SparseDescriptor::forget(std::size_t row) {
  for (const auto& [column, value] : rows[row].F) in_F_[column].erase(row);
  for (const auto& [column, value] : rows[row].E) {
    in_E_[column].erase(row);
    if (!in_E_[column].empty()) continue;
    for (const std::size_t other : in_F_[column])
      if (rows[other].E.empty()) untried_.insert(other);
  }
  algebraic_.erase(row);
  untried_.erase(row);
}

void SparseDescriptor::index_rows() {
  in_E_.assign(names.size(), {});
  in_F_.assign(names.size(), {});
  gone_.assign(rows.size(), false);
  for (std::size_t i = 0; i < rows.size(); ++i) note(i);
}

void SparseDescriptor::put_in(Row& row, const Solved& solved) {
  if (const auto entry = row.F.find(solved.unknown); entry != row.F.end()) {
    const Rational factor = entry->second;
    row.F.erase(entry);
    add_multiple(row.F, factor, solved.row.F);
    add_multiple(row.G, factor, solved.row.G);
  }
  if (const auto entry = row.E.find(solved.unknown); entry != row.E.end()) {
    const Rational factor = entry->second;
    row.E.erase(entry);
    add_multiple(row.E, factor, solved.row.F);
    add_multiple(row.G, -factor, solved.row.G, 1);
  }
}

/// Solves an algebraic row for what is cheapest: best an unknown without derivatives anywhere, else one that has none of its own,
/// so that what is a state by itself stays one; in few rows; its own.
void SparseDescriptor::eliminate(std::size_t row) {
  std::optional<std::tuple<bool, bool, std::size_t, bool, std::size_t>> best;
  for (const auto& [column, value] : rows[row].F) {
    const Rows& moved = in_E_[column];
    const bool state = std::ranges::any_of(moved, [&, at = column](std::size_t i) { return rows[i].own == at; });
    const std::tuple rank(!moved.empty(), state, in_F_[column].size(), column != rows[row].own, column);
    if (!best || rank < *best) best = rank;
  }
  if (!best)
    throw NoAnswer("the graph is singular: its determinant vanishes, so that its signals are not determined",
                   "open a loop of gain 1, or give the gains other values");
  forget(row);
  gone_[row] = true;
  Solved solved{std::get<4>(*best), std::move(rows[row])};
  scale(solved.row, -(Rational(1) / solved.row.F.at(solved.unknown)));
  solved.row.F.erase(solved.unknown);
  Rows touched = in_E_[solved.unknown];
  touched.insert(in_F_[solved.unknown].begin(), in_F_[solved.unknown].end());
  for (const std::size_t other : touched) {
    forget(other);
    put_in(rows[other], solved);
    note(other);
  }
  solved_.push_back(std::move(solved));
}

/// It can be solved for an unknown without a derivative.
bool SparseDescriptor::harmless(std::size_t row) const {
  return std::ranges::any_of(rows[row].F, [&](const auto& entry) { return in_E_[entry.first].empty(); });
}

void SparseDescriptor::eliminate_algebraic(const Budget& budget) {
  while (!algebraic_.empty()) {
    budget.check("the state-space form");
    // First those that make no derivatives of inputs; one that is not harmless is tried again when it, or a derivative, is gone.
    while (!untried_.empty() && !harmless(*untried_.begin())) untried_.erase(untried_.begin());
    eliminate(untried_.empty() ? *algebraic_.begin() : *untried_.begin());
  }
}

/// Gauss–Jordan on E. True: a row lost its derivatives; false: E is the unit matrix.
bool SparseDescriptor::combine_rows(const Budget& budget) {
  std::vector<bool> done(rows.size(), false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (gone_[i]) continue;
    budget.check("the state-space form");
    if (rows[i].E.empty()) return true;
    const auto own = rows[i].E.find(rows[i].own);
    const std::size_t column = own != rows[i].E.end() ? own->first : rows[i].E.begin()->first;
    forget(i);
    scale(rows[i], Rational(1) / rows[i].E.at(column));
    rows[i].own = column;
    note(i);
    const Rows touched = in_E_[column];
    for (const std::size_t other : touched) {
      if (other == i) continue;
      forget(other);
      const Rational factor = -rows[other].E.at(column);
      add_multiple(rows[other].E, factor, rows[i].E);
      add_multiple(rows[other].F, factor, rows[i].F);
      add_multiple(rows[other].G, factor, rows[i].G);
      note(other);
    }
  }
  return !algebraic_.empty();
}

void SparseDescriptor::solve(const Budget& budget) {
  index_rows();
  do eliminate_algebraic(budget);
  while (combine_rows(budget));
  std::vector<Row> left;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!gone_[i]) left.push_back(std::move(rows[i]));
  rows = std::move(left);
  std::ranges::sort(rows, {}, &Row::own);
  for (Output& output : outputs) {
    Row as_row{{}, std::move(output.C), std::move(output.D), 0};
    for (const Solved& solved : solved_) put_in(as_row, solved);
    output = {std::move(as_row.F), std::move(as_row.G)};
  }
  for (const Row& row : rows) outputs.push_back({{{row.own, Rational(1)}}, {}});
  remove_derivatives(*this);
  for (auto own = outputs.end() - static_cast<std::ptrdiff_t>(rows.size()); own != outputs.end(); ++own)
    shifts.push_back(own->D.empty() ? Entries() : std::move(own->D.front()));
  outputs.resize(outputs.size() - rows.size());
}

}  // namespace sfg
