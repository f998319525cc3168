#include "sfg/graph/rest_inputs.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

constexpr const char *lasting = "dc", *beginning = "at_rest";

bool is_rest(const Attributes::value_type& attribute) { return attribute.first == lasting || attribute.first == beginning; }

exact::Rational number(const Node& node, const RestValue& rest, const SymbolTable& symbols) {
  const GiNaC::ex value = rest.value.subs(symbols.values(), GiNaC::subs_options::no_pattern);
  if (const auto number = rational_value(value)) return *number;
  throw Error(node.where, "what '" + node.name + "' is at rest is no number: " + print(value), "give its parameters values");
}

/// No expression can contain these names.
std::string entry(const std::string& source, bool lasts) { return (lasts ? "dc of " : "beginning of ") + source; }

}  // namespace

void keep_rest(Node& source, const RestValue& rest) {
  source.attributes.emplace_back(rest.lasts ? lasting : beginning, print(rest.value));
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

std::optional<RestValue> kept_rest(const Node& source, const SymbolTable& known) {
  const auto stated = std::ranges::find_if(source.attributes, is_rest);
  if (stated == source.attributes.end()) return {};
  SymbolTable symbols = known;
  return RestValue{parse_value(stated->second, symbols, source.where), stated->first == lasting};
}

std::map<NodeId, RestInput> rest_inputs(const SignalFlowGraph& graph) {
  std::map<NodeId, RestInput> found;
  for (const NodeId source : graph.sources())
    if (const auto rest = kept_rest(graph[source], graph.symbols))
      found.emplace(source, RestInput{number(graph[source], *rest, graph.symbols), rest->lasts});
  return found;
}

void state_rest(SymbolTable& symbols, const std::string& source, const RestValue& rest, const SourceSpan& where) {
  symbols.add({.name = entry(source, rest.lasts), .kind = SymbolKind::input, .value = rest.value, .where = where});
}

std::optional<RestValue> stated_rest(const SymbolTable& symbols, const std::string& source) {
  for (const bool lasts : {true, false})
    if (const Symbol* symbol = symbols.find(entry(source, lasts)); symbol && symbol->value)
      return RestValue{*symbol->value, lasts};
  return {};
}

}  // namespace sfg
