#include "sfg/study/sweep.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/model/settings.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_sets = 1'000'000;

void require_range(const exact::Rational& low, const exact::Rational& high, std::size_t count) {
  const std::string range = exact::decimal(low, 6) + " to " + exact::decimal(high, 6);
  if (count == 0) throw Error({}, "the range from " + range + " has no values", "ask for at least 2");
  if (count == 1 && low != high) throw Error({}, "one value cannot have the two ends " + range, "ask for at least 2");
  if (low > high) throw Error({}, "the range from " + range + " is empty", "name the lower end first");
  if (count > most_sets) throw LimitReached("the range has more than a million values", "ask for fewer");
}

/// Six digits where they tell the values apart, else as many as it takes.
std::vector<std::string> texts_of(const std::vector<exact::Rational>& values) {
  constexpr std::size_t few = 6, all = 17;
  const std::set<exact::Rational> distinct(values.begin(), values.end());
  std::vector<std::string> texts;
  for (std::size_t digits = few; digits <= all; ++digits) {
    texts.clear();
    for (const exact::Rational& value : values) texts.push_back(exact::decimal(value, digits));
    if (std::set<std::string>(texts.begin(), texts.end()).size() == distinct.size()) break;
  }
  return texts;
}

}  // namespace

std::vector<exact::Rational> even_values(const exact::Rational& low, const exact::Rational& high, std::size_t count) {
  require_range(low, high, count);
  std::vector<exact::Rational> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(count == 1 ? low : low + (high - low) * i / (count - 1));
  return values;
}

std::vector<exact::Rational> logarithmic_values(const exact::Rational& low, const exact::Rational& high, std::size_t count) {
  require_range(low, high, count);
  if (low.sign() * high.sign() <= 0)
    throw Error({}, "a logarithmic range cannot reach or pass 0", "take ends of the same sign, or an even range");
  std::vector<exact::Rational> values;
  const double ratio = std::log((high / low).to_double());
  constexpr std::size_t digits = 15;
  for (std::size_t i = 0; i < count; ++i) {
    const double part = std::exp(ratio * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(count, 2) - 1));
    values.push_back(i == 0 ? low : i + 1 == count ? high : exact::rounded(exact::Rational::of(low.to_double() * part), digits));
  }
  return values;
}

std::string SweepSet::text(const std::string& equals) const {
  std::string result;
  for (const Value& entry : values) result += (result.empty() ? "" : ", ") + entry.name + equals + entry.text;
  return result;
}

Sweep::Sweep(std::vector<SweptParameter> parameters) : parameters_(std::move(parameters)) {
  std::size_t sets = 1;
  std::set<std::string> names;
  for (const SweptParameter& parameter : parameters_) {
    if (!names.insert(parameter.name).second)
      throw Error({}, "parameter '" + parameter.name + "' is swept twice", "state all its values at once");
    if (parameter.values.empty())
      throw Error({}, "parameter '" + parameter.name + "' is swept over no values", "state at least one");
    if (parameter.values.size() > most_sets / sets)
      throw LimitReached("the sweep has more than a million combinations", "take fewer values");
    sets *= parameter.values.size();
    texts_.push_back(texts_of(parameter.values));
  }
}

std::size_t Sweep::size() const noexcept {
  std::size_t sets = 1;
  for (const SweptParameter& parameter : parameters_) sets *= parameter.values.size();
  return sets;
}

SweepSet Sweep::operator[](std::size_t index) const {
  SweepSet set;
  set.values.resize(parameters_.size());
  for (std::size_t k = parameters_.size(); k-- > 0;) {
    const std::size_t count = parameters_[k].values.size(), at = index % count;
    set.values[k] = {parameters_[k].name, parameters_[k].values[at], texts_[k][at]};
    index /= count;
  }
  return set;
}

std::vector<SweepSet> Sweep::sets() const {
  std::vector<SweepSet> all;
  for (std::size_t i = 0; i < size(); ++i) all.push_back((*this)[i]);
  return all;
}

namespace {

constexpr const char* written = "write NAME=V1,V2, NAME=LO:HI:N or NAME=LO:HI:N:log";

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

exact::Rational number_in(const std::string& word, const std::string& text) {
  try {
    return exact_value(parse_number(word));
  } catch (const Error& error) {
    const Diagnostic& problem = error.diagnostics().front();
    throw Error({}, "sweep '" + text + "': " + problem.message,
                problem.hint.empty() ? Remedy(written) : Remedy(written) | problem.hint);
  }
}

std::vector<exact::Rational> range_in(const std::vector<std::string>& parts, const std::string& text) {
  const bool logarithmic = parts.size() == 4 && parts[3] == "log";
  if (parts.size() != 3 && !logarithmic) throw Error({}, "sweep '" + text + "': not a range", written);
  const exact::Rational low = number_in(parts[0], text), high = number_in(parts[1], text);
  const auto count = number_in(parts[2], text).to_integer();
  if (!count || *count < 0) throw Error({}, "sweep '" + text + "': '" + parts[2] + "' is no number of values", written);
  return (logarithmic ? logarithmic_values : even_values)(low, high, static_cast<std::size_t>(*count));
}

SweptParameter parameter_in(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error({}, "sweep '" + text + "' lacks a name or its values", written);
  SweptParameter parameter{text.substr(0, equals), {}};
  const std::string values = text.substr(equals + 1);
  if (const auto parts = split(values, ':'); parts.size() > 1) {
    parameter.values = range_in(parts, text);
    return parameter;
  }
  for (const std::string& word : split(values, ',')) parameter.values.push_back(number_in(word, text));
  return parameter;
}

const Symbol& parameter_named(const SymbolTable& symbols, const std::string& name) {
  const Symbol* found = symbols.find(name);
  if (found && found->kind == SymbolKind::parameter) return *found;
  if (found) throw Error({}, "name '" + name + "' is a signal or the operator, not a parameter", "sweep parameters only");
  std::vector<std::string> names;
  std::string hint;
  for (const Symbol& symbol : symbols.all())
    if (symbol.kind == SymbolKind::parameter) {
      hint += (hint.empty() ? "the parameters are " : ", ") + symbol.name;
      names.push_back(symbol.name);
    }
  const std::string near = nearest(name, names);
  throw Error({}, "there is no parameter '" + name + "' to sweep",
              near.empty() ? hint.empty() ? "the input has no parameters" : hint : "did you mean '" + near + "'?");
}

}  // namespace

Sweep sweep_of(std::span<const std::string> texts) {
  std::vector<SweptParameter> parameters;
  for (const std::string& text : texts) parameters.push_back(parameter_in(text));
  return Sweep(std::move(parameters));
}

GiNaC::exmap values_in(const SymbolTable& symbols, const SweepSet& set) {
  GiNaC::exmap values;
  for (const SweepSet::Value& entry : set.values) {
    const Symbol& symbol = parameter_named(symbols, entry.name);
    std::string bases;
    for (const std::string& name : bases_of(symbols, symbol)) bases += (bases.empty() ? "'" : ", '") + name + "'";
    if (!bases.empty())
      throw Error(symbol.where, "parameter '" + entry.name + "' is derived: " + entry.name + " = " + print(*symbol.value),
                  Remedy("sweep " + bases) | Remedy(Advice::substitute, entry.name));
    values[symbol.expr] = numeric_value(entry.value);
  }
  return values;
}

GiNaC::exmap values_in(const SignalFlowGraph& graph, const SweepSet& set) {
  for (const SweepSet::Value& entry : set.values)  // in a graph built by a program the operator may be a name like any other
    if (entry.name == graph.op.symbol()) throw Error({}, "name '" + entry.name + "' is the operator", "sweep parameters only");
  return values_in(graph.symbols, set);
}

SignalFlowGraph at(const SignalFlowGraph& graph, const SweepSet& set) {
  if (set.values.empty()) return graph;
  const GiNaC::exmap values = values_in(graph, set);
  SignalFlowGraph result = graph.substituted(values);
  result.symbols = without(graph.symbols, values);
  return result;
}

Model at(const Model& model, const SweepSet& set) {
  if (set.values.empty()) return model;
  const SymbolTable& symbols = std::visit([](const auto& kind) -> const SymbolTable& { return kind.symbols; }, model);
  return substituted(model, values_in(symbols, set));
}

namespace {

/// Whether an expression has the parameter or what is derived from it.
class Dependence {
 public:
  Dependence(const SymbolTable& symbols, const std::string& name) {
    const Symbol* parameter = symbols.find(name);
    if (!parameter) return;
    moved_.push_back(parameter->expr);
    for (const auto& [derived, definition] : definitions(symbols))
      if (definition.has(parameter->expr)) moved_.push_back(derived);
  }
  bool operator()(const GiNaC::ex& e) const {
    return std::ranges::any_of(moved_, [&](const GiNaC::ex& symbol) { return e.has(symbol); });
  }

  bool operator()(const EquationSystem& system) const {
    for (const auto& equation : system.equations)
      for (const auto* side : {&equation.left, &equation.right})
        for (const auto& [column, entry] : *side)
          if ((*this)(entry)) return true;
    return std::ranges::any_of(system.laws, [&](const auto& law) { return (*this)(law.law); });
  }
  bool operator()(const Lagrangian& model) const {
    for (const auto* energies : {&model.T, &model.Pi, &model.Phi})
      for (const auto& energy : *energies)
        if ((*this)(energy.value)) return true;
    for (const auto& auxiliary : model.auxiliaries)
      if ((*this)(auxiliary.value)) return true;
    for (const auto& [name, force] : model.static_forces)
      if ((*this)(force)) return true;
    if (!model.equilibrium) return false;
    return std::ranges::any_of(model.equilibrium->values, [&](const auto& entry) { return (*this)(entry.second); });
  }
  bool operator()(const Circuit& circuit) const {
    const auto at_rest = [&](const Circuit::Element& element) {
      const auto rest = stated_rest(circuit.symbols, element.name);
      return rest && (*this)(rest->value);
    };
    return std::ranges::any_of(circuit.elements, [&](const auto& element) { return (*this)(element.value) || at_rest(element); });
  }
  bool operator()(const PolarNetwork& network) const {
    return std::ranges::any_of(
        network.elements, [&](const auto& element) { return (*this)(element.value) || (element.law && (*this)(*element.law)); });
  }
  bool operator()(Multibody model) const {
    bool found = false;
    model.visit_expressions([&](GiNaC::ex& value, const SourceSpan&) { found = found || (*this)(value); });
    return found;
  }
  bool operator()(const Joined& model) const {
    return std::ranges::any_of(model.branches, [&](const auto& branch) { return (*this)(branch.gain); }) ||
           std::ranges::any_of(model.parts, [&](const auto& part) { return std::visit(*this, part); });
  }

 private:
  std::vector<GiNaC::ex> moved_;
};

}  // namespace

bool depends_on(const SignalFlowGraph& graph, const std::string& parameter) {
  const Dependence depends(graph.symbols, parameter);
  return std::ranges::any_of(graph.branches(), [&](const Branch& branch) {
    return depends(branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law);
  });
}

bool depends_on(const Model& model, const std::string& parameter) {
  return std::visit([&](const auto& kind) { return Dependence(kind.symbols, parameter)(kind); }, model);
}

}  // namespace sfg
