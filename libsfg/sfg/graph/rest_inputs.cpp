#include "sfg/graph/rest_inputs.hpp"

#include <ginac/ginac.h>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

constexpr const char *constant = "dc", *beginning = "at_rest";

bool is_rest(const Attributes::value_type& attribute) { return attribute.first == constant || attribute.first == beginning; }

exact::Rational number(const Node& node, const std::string& attribute, const std::string& text, const SignalFlowGraph& graph) {
  try {
    SymbolTable symbols = graph.symbols;
    const GiNaC::ex value = parse_value(text, symbols, node.where).subs(symbols.values(), GiNaC::subs_options::no_pattern);
    if (const auto number = rational_value(value)) return *number;
    throw missing_values(value, symbols);
  } catch (const Error& error) {
    throw Error(node.where, "the attribute '" + attribute + "' of '" + node.name + "': " + error.diagnostics().front().message,
                "write a number, or parameters that have values");
  }
}

}  // namespace

void keep_rest(Node& source, const RestValue& rest) {
  source.attributes.emplace_back(rest.lasts ? constant : beginning, print(rest.value));
}

void drop_rest(Node& node) { std::erase_if(node.attributes, is_rest); }

void put_into_rest(Node& node, const SymbolTable& known, const GiNaC::exmap& values) {
  for (auto& attribute : node.attributes) {
    if (!is_rest(attribute)) continue;
    try {
      SymbolTable symbols = known;
      attribute.second = print(parse_value(attribute.second, symbols, node.where).subs(values, GiNaC::subs_options::no_pattern));
    } catch (const Error&) {  // said where its number is needed
    }
  }
}

std::map<NodeId, RestInput> rest_inputs(const SignalFlowGraph& graph) {
  std::map<NodeId, RestInput> found;
  for (const NodeId source : graph.sources())
    for (const auto& attribute : graph[source].attributes)
      if (is_rest(attribute))
        found.insert_or_assign(
            source, RestInput{number(graph[source], attribute.first, attribute.second, graph), attribute.first == constant});
  return found;
}

}  // namespace sfg
