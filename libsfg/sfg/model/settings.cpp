#include "sfg/model/settings.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sfg/expr/kernel.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

struct Setting {
  std::string name;
  std::string value;
  std::string text;  ///< as given, for messages
};

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

Setting split(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos) throw Error({}, "setting '" + text + "' sets nothing", "write name=value");
  Setting setting{trimmed(std::string_view(text).substr(0, sign)), trimmed(std::string_view(text).substr(sign + 1)), text};
  if (setting.name.empty()) throw Error({}, "setting '" + text + "' has no name", "write name=value");
  if (setting.value.empty()) throw Error({}, "setting '" + text + "' has no value", "write " + setting.name + "=1, say");
  return setting;
}

void check_parameter(const std::string& name, const SymbolTable& symbols) {
  const Symbol* found = symbols.find(name);
  if (found && found->kind == SymbolKind::parameter) return;
  if (found) throw Error({}, "name '" + name + "' is a signal or the operator, not a parameter", "set parameters only");
  std::vector<std::string> parameters;
  for (const Symbol& symbol : symbols.all())
    if (symbol.kind == SymbolKind::parameter) parameters.push_back(symbol.name);
  const std::string near = nearest(name, parameters);
  std::string hint;
  for (const std::string& parameter : parameters) hint += (hint.empty() ? "the parameters are " : ", ") + parameter;
  if (parameters.empty()) hint = "the input has no parameters";
  throw Error({}, "there is no parameter '" + name + "'", near.empty() ? hint : "did you mean '" + near + "'?");
}

/// "2.2k" is a number; "2.2*k" is an expression.
GiNaC::ex value_of(const Setting& setting, SymbolTable& symbols) {
  if (const auto foreign = foreign_number(setting.value))
    throw Error({}, "setting '" + setting.text + "': " + foreign->message, foreign->hint);
  try {
    return parse_number(setting.value);
  } catch (const Error&) {
  }
  try {
    return parse(setting.value, symbols);
  } catch (const Error& error) {
    const Diagnostic& problem = error.diagnostics().front();
    const std::string column =
        problem.where.column ? ", character " + std::to_string(problem.where.column) + " of the value" : "";
    throw Error({}, "setting '" + setting.text + "': " + problem.message + column, problem.hint);
  }
}

bool uses_a_key(const GiNaC::ex& expression, const GiNaC::exmap& values) {
  return std::any_of(values.begin(), values.end(), [&](const auto& entry) { return expression.has(entry.first); });
}

}  // namespace

GiNaC::exmap settings(std::span<const std::string> texts, SymbolTable& symbols) {
  std::vector<std::pair<Setting, GiNaC::ex>> stated;
  for (const std::string& text : texts) {
    Setting setting = split(text);
    const GiNaC::ex value = value_of(setting, symbols);  // its names may be set too, before it or after it
    stated.emplace_back(std::move(setting), value);
  }
  GiNaC::exmap values;
  std::vector<std::string> names;
  for (const auto& [setting, value] : stated) {
    check_parameter(setting.name, symbols);
    if (std::find(names.begin(), names.end(), setting.name) != names.end())
      throw Error({}, "parameter '" + setting.name + "' is set twice", "set it once");
    names.push_back(setting.name);
    values[symbols.at(setting.name).expr] = value;
  }
  // Each round resolves at least one name unless names refer to each other in a circle.
  for (std::size_t round = 0; round < names.size(); ++round)
    for (const std::string& name : names) {
      GiNaC::ex& value = values[symbols.at(name).expr];
      value = substituted(value, values, {});
    }
  for (const std::string& name : names)
    if (uses_a_key(values[symbols.at(name).expr], values))
      throw Error({}, "parameter '" + name + "' is set by itself", "use names on the right that are not set");
  return values;
}

SymbolTable without(const SymbolTable& symbols, const GiNaC::exmap& values) {
  SymbolTable remaining;
  remaining.correlations = symbols.correlations;
  for (const Symbol& symbol : symbols.all()) {
    const bool at_rest = symbol.kind == SymbolKind::input && symbol.value;  // of a source, which stays
    if (values.count(symbol.expr) != 0 && !at_rest) continue;
    Symbol kept = symbol;
    if (kept.value) kept.value = substituted(*kept.value, values, kept.where);
    remaining.add(std::move(kept));
  }
  return remaining;
}

namespace {

/// Nothing when a denominator becomes 0.
std::optional<GiNaC::ex> with_values(const GiNaC::ex& expression, const GiNaC::exmap& values) {
  try {
    return expression.subs(values, GiNaC::subs_options::no_pattern);
  } catch (const GiNaC::pole_error&) {
    return std::nullopt;
  } catch (const std::overflow_error&) {  // what GiNaC's numbers throw instead
    return std::nullopt;
  }
}

/// Arguments of functions and what is under roots, too: both are single letters to the normal form of the whole.
GiNaC::ex in_lowest_terms(const GiNaC::ex& expression) {
  struct Inside : GiNaC::map_function {
    GiNaC::ex operator()(const GiNaC::ex& e) override {
      if (GiNaC::is_a<GiNaC::function>(e)) {
        GiNaC::exvector arguments;
        for (const GiNaC::ex& argument : e) arguments.push_back(in_lowest_terms(argument));
        return GiNaC::function(GiNaC::ex_to<GiNaC::function>(e).get_serial(), arguments);
      }
      if (is_root(e)) return GiNaC::power(in_lowest_terms(e.op(0)), e.op(1));
      return e.map(*this);
    }
  } inside;
  return normal_form(inside(expression));
}

}  // namespace

GiNaC::ex substituted(const GiNaC::ex& expression, const GiNaC::exmap& values, const SourceSpan& where) {
  if (const auto value = with_values(expression, values)) return *value;
  if (const auto value = with_values(in_lowest_terms(expression), values)) return *value;  // 0/0 that can be cancelled
  throw Error(where, "with these values a denominator becomes zero", "choose other values");
}

namespace {

bool divides_by(const GiNaC::ex& gain, const GiNaC::ex& op) {
  for (auto part = gain.preorder_begin(); part != gain.preorder_end(); ++part)
    if (GiNaC::is_a<GiNaC::power>(*part) && part->op(1).info(GiNaC::info_flags::negative) && part->op(0).has(op)) return true;
  return false;
}

/// Each value a step of its own away, so that nothing cancels for its sake: one letter more, however many parameters there are.
GiNaC::exmap beside(const GiNaC::exmap& values, const GiNaC::ex& gain, const GiNaC::ex& step) {
  GiNaC::exmap result;
  std::int64_t size = 1009;
  for (const auto& [symbol, value] : values) {
    size = size * 48271 % 2147483647;  // sizes that no gain knows (Park and Miller 1988)
    if (gain.has(symbol)) result[symbol] = value + GiNaC::numeric(static_cast<long>(size)) * step;
  }
  return result;
}

}  // namespace

GiNaC::ex lost_modes(const GiNaC::ex& gain, const GiNaC::ex& valued, const GiNaC::exmap& values, const GiNaC::ex& op) {
  if (gain.is_equal(valued) || !divides_by(gain, op)) return 1;
  const GiNaC::symbol step("step beside the values");
  const auto near = with_values(gain, beside(values, gain, step));
  const auto stated = near ? with_values(fraction(*near, op).second, {{step, 0}}) : std::nullopt;
  if (!stated || vanishes(*stated)) return 1;
  const GiNaC::ex lost = fraction(*stated / fraction(valued, op).second, op).first;
  return lost.has(op) ? lost : GiNaC::ex(1);
}

Lagrangian substituted(const Lagrangian& model, const GiNaC::exmap& values) {
  Lagrangian result = model;
  result.symbols = without(model.symbols, values);
  for (auto* energies : {&result.T, &result.Pi, &result.Phi})
    for (Lagrangian::Energy& energy : *energies) energy.value = substituted(energy.value, values, energy.where);
  for (Lagrangian::Auxiliary& auxiliary : result.auxiliaries) {
    auxiliary.value = substituted(auxiliary.value, values, auxiliary.where);
    if (auxiliary.rate) auxiliary.rate = substituted(*auxiliary.rate, values, auxiliary.rate_where);
  }
  if (result.equilibrium)
    for (auto& [name, value] : result.equilibrium->values) value = substituted(value, values, result.equilibrium->where);
  for (auto& [name, force] : result.static_forces) force = substituted(force, values, model.where);
  return result;
}

EquationSystem substituted(const EquationSystem& equations, const GiNaC::exmap& values) {
  EquationSystem result = equations;
  result.symbols = without(equations.symbols, values);
  for (EquationSystem::Equation& equation : result.equations)
    for (auto* side : {&equation.left, &equation.right}) {
      for (auto& [column, entry] : *side) entry = substituted(entry, values, equation.where);
      std::erase_if(*side, [](const auto& entry) { return entry.second.is_zero(); });
    }
  for (EquationSystem::Definition& definition : result.definitions)
    for (auto& [signal, coefficient] : definition.terms) coefficient = substituted(coefficient, values, {});
  for (EquationSystem::Law& law : result.laws) law.law = substituted(law.law, values, law.where);
  return result;
}

Circuit substituted(const Circuit& circuit, const GiNaC::exmap& values) {
  Circuit result = circuit;
  result.symbols = without(circuit.symbols, values);
  for (Circuit::Element& element : result.elements) {
    element.value = substituted(element.value, values, element.where);
    element.noise = substituted(element.noise, values, element.where);
  }
  return result;
}

PolarNetwork substituted(const PolarNetwork& network, const GiNaC::exmap& values) {
  PolarNetwork result = network;
  result.symbols = without(network.symbols, values);
  for (PolarNetwork::Element& element : result.elements) {
    element.value = substituted(element.value, values, element.value_where);
    if (element.law) element.law = substituted(*element.law, values, element.value_where);
  }
  return result;
}

Multibody substituted(const Multibody& model, const GiNaC::exmap& values) {
  Multibody result = model;
  result.symbols = without(model.symbols, values);
  result.visit_expressions([&](GiNaC::ex& value, const SourceSpan& where) { value = substituted(value, values, where); });
  return result;
}

namespace {

/// Modes that the gain loses stay between its ends, on two ways that cancel: a way that is not there would have no modes.
void put_in(Joined& model, const Joined& original, const Joined::Branch& stated, const GiNaC::exmap& values) {
  Joined::Branch branch = stated;
  branch.gain = substituted(stated.gain, values, stated.where);
  const Symbol* op = model.symbols.find(model.op.symbol());
  const GiNaC::ex lost = op ? lost_modes(stated.gain, branch.gain, values, op->expr) : GiNaC::ex(1);
  model.branches.push_back(branch);
  if (lost.is_equal(1)) return;
  std::string idle = "idle";
  for (const GiNaC::ex& gain : {1 / lost, -1 / lost}) {
    const auto ends_there = [&](const Joined::Branch& other) { return other.from == idle || other.to == idle; };
    while (std::ranges::any_of(original.branches, ends_there) || std::ranges::any_of(model.branches, ends_there)) idle += '_';
    branch.from = stated.from;
    branch.to = idle;
    branch.gain = 1;
    model.branches.push_back(branch);
    branch.from = idle;
    branch.to = stated.to;
    branch.gain = gain;
    model.branches.push_back(branch);
  }
}

}  // namespace

Joined substituted(const Joined& model, const GiNaC::exmap& values) {
  Joined result = model;
  result.branches.clear();
  result.symbols = without(model.symbols, values);
  for (Joined::Part& part : result.parts) std::visit([&](auto& kind) { kind = substituted(kind, values); }, part);
  for (const Joined::Branch& stated : model.branches) put_in(result, model, stated, values);
  return result;
}

Model substituted(const Model& model, const GiNaC::exmap& values) {
  return std::visit([&](const auto& kind) { return Model(substituted(kind, values)); }, model);
}

}  // namespace sfg
