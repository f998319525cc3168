// The inside of a block is what no terminal is: its rows and columns of the nodal equations. Which of them can be solved for is
// found by Gaussian elimination at a random point modulo a prime: as many as the rank there, a square part without a singular
// value. What this point finds to be regular is regular; that it missed something has the chance degree/2^61, and costs an
// unknown more among those that stay.
#include "sfg/derive/circuit_block.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sfg/derive/circuit.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {

namespace {

struct ModularRows {
  std::vector<std::map<std::size_t, std::uint64_t>> rows;
  ModularPoint point;
};

/// The nodal equations without sources of their own; every terminal has a row, whether something is connected to it or not.
EquationSystem nodal_equations(Circuit part, std::span<const std::string> terminals, const Budget& budget) {
  const GiNaC::symbol mark;
  for (Circuit::Element& element : part.elements)
    if (element.kind == Circuit::Kind::voltage_source || element.kind == Circuit::Kind::current_source) element.value = 0;
  for (const std::string& node : terminals) {
    Circuit::Element& element = part.elements.emplace_back();
    element.name = ":" + node;
    element.kind = Circuit::Kind::vccs;
    element.nodes = {node, ground, node, ground};
    element.value = mark;
  }
  part.inputs.clear();
  part.outputs.clear();
  EquationSystem system = circuit_equations(part, budget);
  for (EquationSystem::Equation& equation : system.equations) {
    for (auto& [column, value] : equation.left) value = value.subs(mark == 0);
    std::erase_if(equation.left, [](const auto& entry) { return entry.second.is_zero(); });
  }
  return system;
}

ModularRows values_at_random(const EquationSystem& system, const Budget& budget) {
  std::vector<GiNaC::ex> expressions;
  for (const auto& equation : system.equations)
    for (const auto& [column, value] : equation.left) expressions.push_back(value);
  const RandomPoints points(expressions);
  for (std::uint64_t seed = 1;; ++seed) {
    const ModularPoint point = points(seed, budget);
    std::vector<std::map<std::size_t, std::uint64_t>> rows(system.equations.size());
    bool lucky = true;
    for (std::size_t row = 0; row < rows.size() && lucky; ++row)
      for (const auto& [column, value] : system.equations[row].left) {
        const auto at = point(value);
        lucky = lucky && at;
        if (at && *at != 0) rows[row][column] = *at;
      }
    if (lucky) return {std::move(rows), point};
    budget.check("the inside of a block");
  }
}

/// Rows and columns of the inside that are solved for, and what is left of the others.
class InsideElimination {
 public:
  InsideElimination(const ModularRows& values, const std::vector<bool>& inside)
      : rows_(values.rows), inside_(inside), field_(values.point.prime()) {
    users_.resize(rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row)
      for (const auto& [column, value] : rows_[row]) users_[column].insert(row);
    while (const auto pivot = next()) eliminate(*pivot);
  }
  const std::map<std::size_t, std::uint64_t>& row(std::size_t index) const { return rows_[index]; }
  const std::map<std::size_t, std::size_t>& column_of() const { return column_of_; }

 private:
  using Pivot = std::pair<std::size_t, std::size_t>;

  /// The row with the fewest entries, in it the column with the fewest.
  std::optional<Pivot> next() const {
    std::optional<Pivot> best;
    std::size_t shortest = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (!inside_[row] || column_of_.contains(row) || (best && rows_[row].size() >= shortest)) continue;
      std::optional<std::size_t> column;
      for (const auto& [candidate, value] : rows_[row])
        if (inside_[candidate] && (!column || users_[candidate].size() < users_[*column].size())) column = candidate;
      if (!column) continue;
      best = {row, *column};
      shortest = rows_[row].size();
      if (shortest == 1) break;
    }
    return best;
  }

  void eliminate(Pivot pivot) {
    const auto [pivot_row, column] = pivot;
    column_of_.emplace(pivot_row, column);
    const auto row = rows_[pivot_row];
    for (const auto& [other, value] : row) users_[other].erase(pivot_row);
    const std::set<std::size_t> users = users_[column];
    for (const std::size_t user : users) {
      const std::uint64_t factor = field_.divide(rows_[user].at(column), row.at(column));
      for (const auto& [other, value] : row) {
        std::uint64_t& entry = rows_[user][other];
        entry = field_.subtract(entry, field_.multiply(factor, value));
        if (entry != 0) {
          users_[other].insert(user);
        } else {
          users_[other].erase(user);
          rows_[user].erase(other);
        }
      }
    }
  }

  std::vector<std::map<std::size_t, std::uint64_t>> rows_;
  const std::vector<bool>& inside_;
  ring::ModularRing field_;
  std::vector<std::set<std::size_t>> users_;  ///< of a column, among the rows that were no pivots
  std::map<std::size_t, std::size_t> column_of_;
};

/// The block in the rows and columns that stay and those that are solved for.
class BlockMatrix {
 public:
  BlockMatrix(const EquationSystem& nodal, const InsideElimination& eliminated, const ModularPoint& point)
      : nodal_(nodal),
        eliminated_(eliminated),
        block_{EquationSystem{.op = nodal.op, .symbols = nodal.symbols}, {}, 0, {}, point} {
    for (const auto& [row, column] : eliminated.column_of()) {
      unknown_.emplace(column, unknown_.size());
      block_.system.unknowns.push_back(nodal.unknowns[column]);
      block_.system.equations.push_back({nodal.equations[row].name, {}, {}, nodal.equations[row].where});
    }
    for (const auto& [row, column] : eliminated.column_of())
      for (const auto& [other, value] : nodal.equations[row].left)
        if (const auto known = unknown_.find(other); known != unknown_.end())
          block_.system.equations[unknown_.at(column)].left[known->second] = value;
  }

  CircuitBlock made(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
    block_.size = rows.size();
    std::map<std::size_t, std::vector<std::size_t>> drives;  // rows of the inside, by the column that stays
    for (const auto& [row, column] : eliminated_.column_of())
      for (const auto& [other, value] : nodal_.equations[row].left)
        if (!unknown_.contains(other)) drives[other].push_back(row);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const auto known = eliminated_.row(rows[i]).find(columns[j]);
        if (known == eliminated_.row(rows[i]).end()) continue;
        const auto& left = nodal_.equations[rows[i]].left;
        const auto direct = left.find(columns[j]);
        CircuitBlock::Entry entry{i, j, direct == left.end() ? GiNaC::ex(0) : direct->second, {}, known->second};
        for (const auto& [inside, value] : left) {
          if (!unknown_.contains(inside)) continue;
          for (const std::size_t driven : drives[columns[j]])
            entry.terms.push_back({-value * nodal_.equations[driven].left.at(columns[j]), response(driven, inside)});
        }
        block_.entries.push_back(std::move(entry));
      }
    return std::move(block_);
  }

 private:
  /// An unknown for 1 on the right of an equation of the inside.
  std::size_t response(std::size_t row, std::size_t column) {
    const auto [known, fresh] = responses_.emplace(std::pair(row, column), block_.responses.size());
    if (!fresh) return known->second;
    const auto [source, is_new] = source_.emplace(row, block_.system.sources.size());
    if (is_new) {
      block_.system.sources.push_back({"in:" + std::to_string(row), SourceKind::input, {}});
      block_.system.inputs.push_back(block_.system.sources.back().name);
      block_.system.equations[unknown_.at(eliminated_.column_of().at(row))].right[source->second] = 1;
    }
    block_.responses.push_back({block_.system.sources[source->second].name, nodal_.unknowns[column].name});
    return known->second;
  }

  const EquationSystem& nodal_;
  const InsideElimination& eliminated_;
  CircuitBlock block_;
  std::map<std::size_t, std::size_t> unknown_;  ///< of the inside, by its column
  std::map<std::size_t, std::size_t> source_;   ///< by the row that it drives
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> responses_;
};

}  // namespace

CircuitBlock circuit_block(const Circuit& part, std::span<const std::string> terminals, const Budget& budget) {
  const EquationSystem nodal = nodal_equations(part, terminals, budget);
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < nodal.unknowns.size(); ++i) number.emplace(nodal.unknowns[i].name, i);
  std::vector<bool> inside(nodal.unknowns.size(), true);
  std::vector<std::size_t> rows;  // that stay
  for (const std::string& node : terminals) rows.push_back(number.at("v(" + node + ")"));
  for (const std::size_t row : rows) inside[row] = false;
  std::vector<std::size_t> columns = rows;
  const ModularRows values = values_at_random(nodal, budget);
  const InsideElimination eliminated(values, inside);
  std::set<std::size_t> solved;
  for (const auto& [row, column] : eliminated.column_of()) solved.insert(column);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] && !eliminated.column_of().contains(i)) rows.push_back(i);
    if (inside[i] && !solved.contains(i)) columns.push_back(i);
  }
  return BlockMatrix(nodal, eliminated, values.point).made(rows, columns);
}

}  // namespace sfg
