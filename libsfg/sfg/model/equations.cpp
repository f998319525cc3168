// Which equation is solved for which unknown. The natural choice, equation i for unknown i, is kept whenever it is possible.
// Otherwise: a perfect matching of least cost in the bipartite graph of the nonzero d_ij, by successive shortest augmenting
// paths with potentials (Jonker and Volgenant, Computing 38, 1987, on a sparse matrix: O(n E log n)). The cost of an entry is
// a tuple compared lexicographically — tuples form an ordered group, all that Dijkstra's argument needs — so that no
// scale factors have to be chosen.
#include "sfg/model/equations.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <optional>
#include <queue>
#include <stdexcept>

#include "sfg/expr/derivative.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/dependence.hpp"

namespace sfg {

GiNaC::ex EquationSystem::D(std::size_t row, std::size_t unknown) const {
  const auto& left = equations.at(row).left;
  const auto entry = left.find(unknown);
  return entry == left.end() ? GiNaC::ex(0) : entry->second;
}

GiNaC::ex EquationSystem::B(std::size_t row, std::size_t source) const {
  const auto& right = equations.at(row).right;
  const auto entry = right.find(source);
  return entry == right.end() ? GiNaC::ex(0) : entry->second;
}

namespace {

/// What the choice of a pivot depends on. Degrees are those of the numerator less those of the denominator.
struct Entry {
  std::size_t column = 0;
  long degree = 0;
  long size = 0;
  bool lost = false;  ///< zero with the values that are stated: 1 − F1 where F1 = 1
};

struct Row {
  std::vector<Entry> entries;  ///< nonzero ones, by column
  long degree = 0;             ///< the greatest of the row
  bool sum = false;            ///< stated for its own unknown
  const Entry* at(std::size_t column) const {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.column == column; });
    return found == entries.end() ? nullptr : &*found;
  }
};

long relative_degree(const GiNaC::ex& value, const GiNaC::ex& p) {
  if (const auto coefficients = polynomial_coefficients(value, p)) return static_cast<long>(coefficients->size()) - 1;
  const auto [numerator, denominator] = fraction(value, p);
  return numerator.degree(p) - denominator.degree(p);
}

long node_count(const GiNaC::ex& value) {
  long nodes = 0;
  for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node) ++nodes;
  return nodes;
}

/// Whether a coefficient is zero with the values: what is divided by it would have none.
bool is_lost(const GiNaC::ex& coefficient, const GiNaC::exmap& values) {
  if (values.empty()) return false;
  try {
    const GiNaC::ex number = coefficient.subs(values, symbols_alone);
    return !number.is_equal(coefficient) && vanishes(number);
  } catch (const std::exception&) {  // a pole: no zero, and whoever puts the values in says so
    return false;
  }
}

std::vector<Row> rows_of(const EquationSystem& system) {
  const GiNaC::ex p = system.op.in(system.symbols);
  GiNaC::exmap values = system.symbols.values();
  values.erase(p);
  std::vector<Row> rows;
  for (const EquationSystem::Equation& equation : system.equations) {
    Row row;
    row.sum = equation.sum;
    for (const auto& [column, value] : equation.left) {
      if (vanishes(value)) continue;
      row.entries.push_back({column, relative_degree(value, p), node_count(value), is_lost(value, values)});
      row.degree = row.entries.size() == 1 ? row.entries.back().degree : std::max(row.degree, row.entries.back().degree);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// In this order: the pivot is zero with the stated values or not the one that is stated, the branches into the unknown are
/// improper (its pivot has not the degree of the row), by how much, not the natural unknown, length.
using Cost = std::array<long, 5>;

Cost operator+(Cost a, const Cost& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

Cost operator-(Cost a, const Cost& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

Cost cost(const Row& row, std::size_t index, const Entry& entry) {
  const long deficit = row.degree - entry.degree;
  const bool natural = entry.column == index;
  return {entry.lost || (row.sum && !natural) ? 1 : 0, deficit == 0 ? 0 : 1, deficit, natural ? 0 : 1, entry.size};
}

class Matching {
 public:
  explicit Matching(const std::vector<Row>& rows)
      : rows_(rows), row_potential_(rows.size()), column_potential_(rows.size()), row_of_(rows.size()) {}

  /// Matches one more row; else the rows that share too few columns (a Hall violator).
  std::optional<std::vector<std::size_t>> add(std::size_t row) {
    search(row);
    if (!end_) return violator(row);
    const Cost far = distance_[*end_].value();
    row_potential_[row] = row_potential_[row] + far;
    for (const std::size_t column : settled_) {
      const Cost gained = far - distance_[column].value();
      column_potential_[column] = column_potential_[column] - gained;
      row_potential_[row_of_[column].value()] = row_potential_[row_of_[column].value()] + gained;
    }
    for (std::optional<std::size_t> column = end_; column;) {
      const std::size_t from = entered_from_[*column];
      std::optional<std::size_t> given_up;
      for (const Entry& entry : rows_[from].entries)
        if (row_of_[entry.column] == from) given_up = entry.column;
      row_of_[*column] = from;
      column = from == row ? std::nullopt : given_up;
    }
    return std::nullopt;
  }

  std::vector<std::size_t> unknown_of() const {
    std::vector<std::size_t> result(rows_.size());
    for (std::size_t column = 0; column < row_of_.size(); ++column) result[row_of_[column].value()] = column;
    return result;
  }

 private:
  using Step = std::pair<Cost, std::size_t>;
  using Queue = std::priority_queue<Step, std::vector<Step>, std::greater<>>;

  void search(std::size_t row) {
    distance_.assign(rows_.size(), std::nullopt);
    entered_from_.assign(rows_.size(), 0);
    settled_.clear();
    end_.reset();
    Queue queue;
    relax(row, Cost{}, queue);
    while (!queue.empty()) {
      const auto [distance, column] = queue.top();
      queue.pop();
      if (distance != distance_[column]) continue;
      if (!row_of_[column]) {
        end_ = column;
        return;
      }
      settled_.push_back(column);
      relax(*row_of_[column], distance, queue);
    }
  }

  void relax(std::size_t row, const Cost& base, Queue& queue) {
    for (const Entry& entry : rows_[row].entries) {
      const Cost distance = base + cost(rows_[row], row, entry) - row_potential_[row] - column_potential_[entry.column];
      std::optional<Cost>& known = distance_[entry.column];
      if (known && *known <= distance) continue;
      known = distance;
      entered_from_[entry.column] = row;
      queue.push({distance, entry.column});
    }
  }

  std::vector<std::size_t> violator(std::size_t row) const {
    std::vector<std::size_t> rows{row};
    for (const std::size_t column : settled_) rows.push_back(row_of_[column].value());
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  const std::vector<Row>& rows_;
  std::vector<Cost> row_potential_, column_potential_;
  std::vector<std::optional<std::size_t>> row_of_;  // by column
  std::vector<std::optional<Cost>> distance_;
  std::vector<std::size_t> entered_from_;
  std::vector<std::size_t> settled_;
  std::optional<std::size_t> end_;
};

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " and " : ", ";
    text += "'" + names[i] + "'";
  }
  return text;
}

[[noreturn]] void refuse(const EquationSystem& system, const std::vector<Row>& rows, const std::vector<std::size_t>& violator) {
  std::vector<std::string> equations;
  std::vector<bool> occurs(system.unknowns.size());
  for (const std::size_t row : violator) {
    equations.push_back(system.equations[row].name);
    for (const Entry& entry : rows[row].entries) occurs[entry.column] = true;
  }
  std::vector<std::string> unknowns;
  for (std::size_t i = 0; i < occurs.size(); ++i)
    if (occurs[i]) unknowns.push_back(system.unknowns[i].name);
  const SourceSpan where = system.equations[violator.front()].where;
  if (unknowns.empty())
    throw NoAnswer("the equation " + listed(equations) + " contains no unknown: the equations have no unique solution",
                   "give its coordinate a mass, a spring or a damper, or leave it out", where);
  throw NoAnswer("the equations " + listed(equations) + " are dependent: together they contain only the unknown" +
                     (unknowns.size() == 1 ? " " : "s ") + listed(unknowns),
                 "add what is missing to one of them, or leave an equation and an unknown out", where);
}

std::string degree_text(long degree) { return "degree " + std::to_string(degree); }

/// Improper branches are right in algebra and no use for a simulation: worth knowing.
void note_improper(const EquationSystem& system, const std::vector<Row>& rows, Assignment& result) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (system.equations[i].sum) continue;  // stated branch by branch
    const std::size_t own = result.unknown_of[i];
    const long pivot = rows[i].at(own)->degree;
    if (pivot == rows[i].degree) continue;
    const auto steepest = std::find_if(rows[i].entries.begin(), rows[i].entries.end(),
                                       [&](const Entry& entry) { return entry.degree == rows[i].degree; });
    const std::string& unknown = system.unknowns[own].name;
    const std::string& other = system.unknowns[steepest->column].name;
    result.notes.push_back({system.equations[i].where,
                            "the branch from '" + other + "' to '" + unknown + "' is improper: in the equation '" +
                                system.equations[i].name + "' the coefficient of '" + other + "' has " +
                                degree_text(rows[i].degree) + ", that of '" + unknown + "' " + degree_text(pivot),
                            "transfer functions are not affected; simulate from the matrices, not branch by branch",
                            Severity::note});
  }
}

/// A matching of the entries does not make the equations independent: det D may vanish all the same.
void note_dependence(const EquationSystem& system, Assignment& result) {
  const std::vector<std::size_t> dependent = dependent_equations(system);
  if (dependent.empty()) return;
  std::vector<std::string> names;
  for (const std::size_t row : dependent) names.push_back(system.equations[row].name);
  result.notes.push_back({system.equations[dependent.front()].where,
                          "the equations " + listed(names) + " are dependent: det D = 0, there is no unique solution",
                          "hold what can move without any force, or leave an equation and an unknown out", Severity::warning});
}

}  // namespace

Assignment assignment(const EquationSystem& system) {
  const std::size_t n = system.unknowns.size();
  if (system.equations.size() != n) throw std::invalid_argument("assignment: there are not as many equations as unknowns");
  const std::vector<Row> rows = rows_of(system);
  Assignment result;
  result.unknown_of.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    result.unknown_of[i] = i;
    if (const Entry* pivot = rows[i].at(i); pivot == nullptr || pivot->lost) result.natural = false;
  }
  if (!result.natural) {
    Matching matching(rows);
    for (std::size_t i = 0; i < n; ++i)
      if (const auto violator = matching.add(i)) refuse(system, rows, *violator);
    result.unknown_of = matching.unknown_of();
    for (std::size_t i = 0; i < n; ++i) {
      if (result.unknown_of[i] == i) continue;
      const Entry* natural = rows[i].at(i);
      const std::string name = "'" + system.unknowns[i].name + "'";
      const std::string why = natural == nullptr ? "it does not contain " + name
                              : natural->lost    ? "the coefficient of " + name + " is zero with the stated values"
                                                 : name + " is needed elsewhere";
      result.notes.push_back({system.equations[i].where,
                              "the equation '" + system.equations[i].name + "' is solved for '" +
                                  system.unknowns[result.unknown_of[i]].name + "': " + why,
                              "", Severity::note});
    }
  }
  note_improper(system, rows, result);
  note_dependence(system, result);
  return result;
}

void refuse_laws(const EquationSystem& system, std::string_view consequence) {
  std::vector<Diagnostic> found;
  for (const EquationSystem::Law& law : system.laws)
    found.push_back({law.where, "the law of '" + system.sources.at(law.source).name + "' is nonlinear" + std::string(consequence),
                     "linearise it first"});
  if (!found.empty()) throw Error(std::move(found));
}

}  // namespace sfg
