// Idea: with A = max |a_j| ≥ R, every argument is A b_j, b on a face of the unit cube. Where some equation at rest keeps its sign
// for all A, in every part of every face, there is no state of rest beyond R.
#include "sfg/nonlinear/rest/rest_reach.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "sfg/expr/compile.hpp"
#include "sfg/nonlinear/rest/far_bounds.hpp"

namespace sfg {

namespace {

using exact::Rational;
using ring::Bounds;
using Sum = RestEquations::Sum;
using Part = std::map<std::size_t, Rational> Sum::*;

void add(Sum& to, const Rational& factor, const Sum& what) {
  for (const Part part : {&Sum::arguments, &Sum::laws, &Sum::sources})
    for (const auto& [i, value] : what.*part) {
      Rational& sum = (to.*part)[i];
      sum += factor * value;
      if (sum.is_zero()) (to.*part).erase(i);
    }
}

/// Gauss–Jordan elimination of one kind of columns, then of the other in what is left without the first.
std::vector<Sum> reduced(std::vector<Sum> rows, Part first, Part second) {
  std::set<std::size_t> done;
  for (const Part part : {first, second}) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (done.contains(r) || (rows[r].*part).empty() || (part == second && !(rows[r].*first).empty())) continue;
      done.insert(r);
      const auto [column, value] = *(rows[r].*part).begin();
      for (std::size_t other = 0; other < rows.size(); ++other) {
        if (other == r) continue;
        const auto entry = (rows[other].*part).find(column);
        if (entry != (rows[other].*part).end()) add(rows[other], Rational(-1) * entry->second / value, rows[r]);
      }
    }
  }
  return rows;
}

/// With the first of laws that are equal, or equal but for the sign, in place of the others: a force and its reaction.
std::vector<Sum> with_equal_laws_once(std::vector<Sum> rows, const PrincipalForm& form) {
  for (std::size_t i = 0; i < form.laws.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const int sign = form.laws[i].law.is_equal(form.laws[j].law) ? 1 : form.laws[i].law.is_equal(-form.laws[j].law) ? -1 : 0;
      if (sign == 0) continue;
      for (Sum& row : rows)
        if (const auto entry = row.laws.find(i); entry != row.laws.end()) {
          const Sum instead{{}, {{j, Rational(sign) * entry->second}}, {}};
          row.laws.erase(entry);
          add(row, Rational(1), instead);
        }
      break;
    }
  return rows;
}

/// Whether no state of rest lies beyond a reach.
class Beyond {
 public:
  Beyond(const RestEquations& equations, const numeric::Tape& laws, RestBox& sides, const std::vector<double>& inputs,
         const Budget& budget)
      : tape_(laws), sides_(sides), budget_(budget) {
    for (const Sum& equation : equations.equations) {
      Row row;
      for (const auto& [i, value] : equation.arguments) row.arguments.emplace_back(i, bounds_of(value));
      for (const auto& [i, value] : equation.laws) row.laws.emplace_back(i, bounds_of(value));
      for (const auto& [i, value] : equation.sources) row.constant = row.constant + bounds_of(value) * Bounds::exactly(inputs[i]);
      if (row.laws.empty() && row.arguments.size() == 1) {
        const auto& [j, factor] = row.arguments.front();
        if (is_open(j)) sides_[j] = -row.constant / factor;
      }
      rows_.push_back(std::move(row));
    }
  }

  bool operator()(double reach) {
    const FarArithmetic far(reach);
    far_ = &far;
    constexpr double work = 2e6;
    left_ = static_cast<int>(std::clamp(work / static_cast<double>(rows_.size() * sides_.size()), 50.0, 4e3));
    for (std::size_t j = 0; j < sides_.size(); ++j)
      for (const double sign : {-1.0, 1.0}) {
        if (!is_open(j)) continue;
        RestBox face(sides_.size(), Bounds{-1, 1});
        face[j] = Bounds::exactly(sign);
        if (!is_empty(face)) return false;
      }
    return true;
  }

 private:
  struct Row {
    std::vector<std::pair<std::size_t, Bounds>> arguments, laws;
    Bounds constant{};
  };

  bool is_open(std::size_t j) const { return std::isinf(sides_[j].low) || std::isinf(sides_[j].high); }

  /// Whether the equations exclude a part of a face, or all parts of it.
  bool is_empty(const RestBox& face) {
    budget_.check("how far away states of rest may be");
    if (left_-- == 0) return false;
    if (is_excluded(face)) return true;
    std::size_t widest = 0;
    for (std::size_t j = 0; j < face.size(); ++j)
      if (is_open(j) && (!is_open(widest) || face[j].width() > face[widest].width())) widest = j;
    if (face[widest].width() < 1e-3) return false;
    RestBox low = face, high = face;
    low[widest].high = high[widest].low = face[widest].low + face[widest].width() * 0.4876543;
    return is_empty(low) && is_empty(high);
  }

  bool is_excluded(const RestBox& face) const {
    const FarArithmetic& far = *far_;
    std::vector<FarBounds> arguments;
    for (std::size_t j = 0; j < face.size(); ++j) {
      // Of an argument whose other side is stated, half of the face is no place.
      if (is_open(j) && ((sides_[j].low >= 0 && face[j].high < 0) || (sides_[j].high <= 0 && face[j].low > 0))) return true;
      arguments.push_back(is_open(j) ? FarBounds{1, face[j]} : FarBounds{0, sides_[j]});
    }
    std::vector<FarBounds> inputs = arguments;
    inputs.push_back({});  // the time
    const auto laws = far(tape_, inputs);
    return !laws || std::ranges::any_of(rows_, [&](const Row& row) {
      FarBounds sum{0, row.constant};
      for (const auto& [j, factor] : row.arguments) sum = far.sum(sum, {arguments[j].power, arguments[j].factor * factor});
      for (const auto& [i, factor] : row.laws) sum = far.sum(sum, {(*laws)[i].power, (*laws)[i].factor * factor});
      return sum.factor.low > 0 || sum.factor.high < 0;
    });
  }

  const numeric::Tape& tape_;
  RestBox& sides_;
  const Budget& budget_;
  std::vector<Row> rows_;
  const FarArithmetic* far_ = nullptr;
  int left_ = 0;
};

}  // namespace

numeric::Tape far_laws(const PrincipalForm& form, const GiNaC::exmap& stated) {
  numeric::TapeBuilder builder(numeric::TapeBuilder::Folding::exact);
  GiNaC::exmap renamed, values = stated;  // a signal may be called like a parameter
  const auto input = [&](const GiNaC::ex& symbol) {
    const std::string name = "#" + std::to_string(renamed.size());
    renamed[symbol] = GiNaC::symbol(name);
    values.erase(symbol);
    builder.input(name);
  };
  for (const auto& argument : form.arguments) input(argument.symbol);
  input(form.time);
  ExpressionCompiler compiler(builder, values);
  std::vector<numeric::TapeBuilder::Value> laws;
  for (const auto& law : form.laws) laws.push_back(compiler(law.law.subs(renamed, GiNaC::subs_options::no_pattern)));
  return builder.tape(laws);
}

RestEquations with_combinations(const RestEquations& equations, const PrincipalForm& form) {
  constexpr std::size_t most = 60;  // beyond, the eliminations take longer than they spare
  RestEquations result = equations;
  if (equations.equations.size() > most) return result;
  for (const auto& [first, second] : {std::pair<Part, Part>(&Sum::laws, &Sum::arguments), {&Sum::arguments, &Sum::laws}})
    for (Sum& row : reduced(with_equal_laws_once(equations.equations, form), first, second))
      result.equations.push_back(std::move(row));
  return result;
}

std::optional<double> rest_reach(const RestEquations& equations, const PrincipalForm& form, const numeric::Tape& laws,
                                 const std::vector<double>& inputs, RestBox& sides, const Budget& budget) {
  Beyond none(with_combinations(equations, form), laws, sides, inputs, budget);
  std::optional<double> reach;
  for (double r = 1e6; r >= 1 && none(r); r /= 10) reach = r;
  for (double r = 1e8; !reach && r <= 1e18; r *= 100)
    if (none(r)) reach = r;
  return reach;
}

}  // namespace sfg
