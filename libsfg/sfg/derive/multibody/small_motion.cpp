#include "sfg/derive/multibody/small_motion.hpp"

#include <algorithm>

#include "sfg/derive/multibody/first_order.hpp"
#include "sfg/derive/multibody/rest_search.hpp"
#include "sfg/derive/multibody/vanishing_entries.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/model/small_rotation.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using Definition = EquationsOfMotion::Definition;

/// The expression with the names in it put in.
ex put_in(ex expression, const std::vector<Definition>& definitions) {
  for (auto definition = definitions.rbegin(); definition != definitions.rend(); ++definition)
    if (expression.has(definition->symbol))
      expression = expression.subs(definition->symbol == definition->value, GiNaC::subs_options::no_pattern);
  return expression;
}

/// ∂φ/∂q N.
std::vector<ex> row_of(const ex& constraint, const SmallMotion& small) {
  std::vector<ex> row(small.size());
  const ex explicit_constraint = put_in(constraint, small.equations.definitions);
  for (std::size_t j = 0; j < small.motion.coordinates.size(); ++j) {
    const ex slope = explicit_constraint.diff(ex_to<GiNaC::symbol>(small.motion.coordinates[j].q));
    if (slope.is_zero()) continue;
    for (std::size_t k = 0; k < row.size(); ++k) row[k] += slope * small.N[j][k];
  }
  return row;
}

/// Entries of J that rounding alone keeps from being 0 are 0; of parameters without values with any.
void leave_out_vanishing(SmallMotion& small) {
  std::vector<ex> outputs, inputs;
  for (const auto& row : small.J) outputs.insert(outputs.end(), row.begin(), row.end());
  if (outputs.empty()) return;
  const auto definitions = in_order(small.definitions, outputs);
  for (const auto& coordinate : small.motion.coordinates) inputs.push_back(coordinate.q);
  GiNaC::exset known(inputs.begin(), inputs.end());
  const GiNaC::exmap values = small.motion.symbols.values();
  for (const auto& [symbol, value] : values) known.insert(symbol);
  for (const auto& [symbol, value] : definitions) known.insert(symbol);
  const auto add = [&](const ex& expression) {
    for (const ex& symbol : symbols_of(expression))
      if (known.insert(symbol).second) inputs.push_back(symbol);
  };
  for (const ex& output : outputs) add(output);
  for (const auto& [symbol, value] : definitions) add(value);
  const std::vector<bool> vanishing =
      vanishing_outputs(compile(outputs, inputs, values, definitions), small.equations.quaternions);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (vanishing[i]) small.J[i / small.size()][i % small.size()] = 0;
}

}  // namespace

SmallMotion::SmallMotion(const Multibody& stated, const MultibodyEquations& derived)
    : model(stated), equations(derived), motion(derived.motion), definitions(derived.definitions), coordinate_of(size()) {
  std::vector<std::string> taken;
  for (std::size_t j = 0; j < motion.coordinates.size(); ++j) {
    const auto& coordinate = motion.coordinates[j];
    taken.push_back(coordinate.name);
    std::vector<ex>& row = N.emplace_back(size());
    for (std::size_t k = 0; k < size(); ++k) {
      row[k] = coordinate.rate.diff(ex_to<GiNaC::symbol>(motion.speeds[k].symbol));
      if (coordinate.rate.is_equal(motion.speeds[k].symbol)) coordinate_of[k] = j;
    }
  }
  for (const auto& quaternion : equations.quaternions) {
    std::array<std::size_t, 3>& speeds = speeds_of.emplace_back();
    std::size_t found = 0;
    for (std::size_t k = 0; k < size() && found < 3; ++k)
      if (!N[quaternion[0]][k].is_zero()) speeds[found++] = k;
  }
  for (const auto& constraint : motion.constraints)
    J.push_back(constraint.row.empty() ? row_of(constraint.value, *this) : constraint.row);
  leave_out_vanishing(*this);
  for (const std::string& name : model.input_names)
    if (const auto law = model.control.find(name); law != model.control.end())
      if (const Symbol* symbol = motion.symbols.find(name)) laws.push_back({name, symbol->expr, law->second});
  for (std::size_t k = 0; k < size(); ++k) {
    displacement_names.push_back(coordinate_of[k] ? motion.coordinates[*coordinate_of[k]].name
                                                  : small_rotation_name(motion.speeds[k].name, taken, motion.symbols));
    taken.push_back(displacement_names.back());
  }
}

SmallMotion::Matrix SmallMotion::turning(const GiNaC::exmap& values) const {
  Matrix W(size(), std::vector<ex>(size()));
  for (const auto& speeds : speeds_of)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t next = (i + 1) % 3, last = (i + 2) % 3;
      W[speeds[i]][speeds[last]] = values.at(motion.speeds[speeds[next]].symbol);
      W[speeds[i]][speeds[next]] = -values.at(motion.speeds[speeds[last]].symbol);
    }
  return W;
}

bool SmallMotion::depends_on_time() const {
  std::vector<ex> needed = motion.F;
  for (const auto& constraint : motion.constraints) needed.push_back(constraint.stated());
  for (const auto& row : motion.M) needed.insert(needed.end(), row.begin(), row.end());
  for (const auto& [symbol, value] : in_order(definitions, needed)) needed.push_back(value);
  return std::ranges::any_of(motion.symbols.all(), [&](const Symbol& symbol) {
    return symbol.kind == SymbolKind::time && !symbol.value &&
           std::ranges::any_of(needed, [&](const ex& value) { return value.has(symbol.expr); });
  });
}

}  // namespace sfg
