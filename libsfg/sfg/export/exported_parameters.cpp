#include "sfg/export/exported_parameters.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "sfg/export/exported_motion.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using numeric::TapeBuilder;
using Value = TapeBuilder::Value;

std::vector<ExportedParameter> those(const std::vector<ExportedParameter>& parameters, bool follow) {
  std::vector<ExportedParameter> found;
  std::ranges::copy_if(parameters, std::back_inserter(found), [&](const ExportedParameter& p) { return p.follows == follow; });
  return found;
}

/// Every parameter in a builder whose inputs are the independent ones.
class Followed {
 public:
  Followed(TapeBuilder& builder, const std::vector<ExportedParameter>& parameters) : compile_(builder) {
    for (const ExportedParameter& parameter : independent(parameters)) builder.input(parameter.name);
    for (const ExportedParameter& parameter : by_dependence(derived(parameters)))
      compile_.define(parameter.symbol, parameter.stated);
  }
  Value operator()(const ExportedParameter& parameter) { return compile_(parameter.symbol); }

 private:
  ExpressionCompiler compile_;
};

}  // namespace

std::vector<ExportedParameter> exported_parameters(const SignalFlowGraph& graph) {
  std::vector<ExportedParameter> found;
  const GiNaC::exmap values = graph.symbols.values();  // a circle of values is refused here
  for (const Symbol& symbol : graph.symbols.all()) {
    if (symbol.kind != SymbolKind::parameter || symbol.name == graph.op.symbol()) continue;
    ExportedParameter parameter{.name = symbol.name, .symbol = symbol.expr, .unit = symbol.unit, .text = symbol.text};
    if (symbol.value) parameter.stated = *symbol.value;
    if (const auto value = values.find(symbol.expr); value != values.end())
      if (const auto number = rational_value(value->second)) {
        parameter.exact = print(value->second);
        parameter.value = number->to_double();
        parameter.follows = is_derived(symbol);
      }
    found.push_back(std::move(parameter));
  }
  return found;
}

std::vector<ExportedParameter> valued_parameters(const SignalFlowGraph& graph) {
  std::vector<ExportedParameter> parameters = exported_parameters(graph);
  std::set<std::string> missing;
  for (const ExportedParameter& parameter : parameters)
    if (parameter.exact.empty()) missing.insert(parameter.name);
  if (!missing.empty()) throw missing_values(missing, graph.symbols);
  return parameters;
}

std::vector<ExportedParameter> by_dependence(const std::vector<ExportedParameter>& parameters) {
  std::vector<ExportedParameter> ordered;
  std::set<std::string> placed;
  const auto ready = [&](const ExportedParameter& parameter) {
    return std::ranges::none_of(parameters, [&](const ExportedParameter& other) {
      return other.name != parameter.name && !placed.contains(other.name) && parameter.follows &&
             parameter.stated.has(other.symbol);
    });
  };
  while (ordered.size() < parameters.size())
    for (const ExportedParameter& parameter : parameters)
      if (!placed.contains(parameter.name) && ready(parameter)) {
        placed.insert(parameter.name);
        ordered.push_back(parameter);
        break;
      }
  return ordered;
}

std::vector<double> values_of(const std::vector<ExportedParameter>& parameters) {
  std::vector<double> values;
  for (const ExportedParameter& parameter : parameters) values.push_back(parameter.value);
  return values;
}

std::vector<ExportedParameter> independent(const std::vector<ExportedParameter>& all) { return those(all, false); }
std::vector<ExportedParameter> derived(const std::vector<ExportedParameter>& all) { return those(all, true); }

numeric::Tape of_independent(const numeric::Tape& tape, const std::vector<ExportedParameter>& parameters) {
  if (derived(parameters).empty()) return tape;
  TapeBuilder builder;
  Followed followed(builder, parameters);
  std::vector<Value> inputs;
  for (const ExportedParameter& parameter : parameters) inputs.push_back(followed(parameter));
  for (const std::string& name : tape.inputs().subspan(parameters.size())) inputs.push_back(builder.input(name));
  return builder.tape(inserted(builder, tape, inputs));
}

numeric::Tape derived_values(const std::vector<ExportedParameter>& parameters) {
  TapeBuilder builder;
  Followed followed(builder, parameters);
  std::vector<Value> values;
  for (const ExportedParameter& parameter : derived(parameters)) values.push_back(followed(parameter));
  return builder.tape(values);
}

}  // namespace sfg
