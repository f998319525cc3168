#include "sfg/graph/graph_names.hpp"

#include "sfg/model/lagrangian.hpp"

namespace sfg {

namespace {

bool moves(const Symbol* symbol) {
  return symbol != nullptr &&
         (symbol->kind == SymbolKind::coordinate || symbol->kind == SymbolKind::input || symbol->kind == SymbolKind::signal);
}

}  // namespace

void add_names(NameTable& names, const SymbolTable& symbols) {
  for (const Symbol& symbol : symbols.all()) {
    names.add(symbol.name);
    const std::string rate = rate_name(symbol.name);
    if (!moves(&symbol) || !moves(symbols.find(rate))) continue;
    names.add_rate(rate, symbol.name, 1);
    if (!moves(symbols.find(rate_name(rate)))) names.add_rate(rate_name(rate), symbol.name, 2);
  }
}

NameTable names_of(const SignalFlowGraph& graph) {
  NameTable names;
  add_names(names, graph.symbols);
  for (const Node& node : graph.nodes()) names.add(node.name);
  const auto state = [](const SourceSpan& where, const auto& apply) {
    try {
      apply();
    } catch (const NameLatexError& error) {
      throw wrong_latex(error, where);
    }
  };
  for (const auto& [name, value] : graph.attributes)
    if (name == "latex") state(graph.where, [&, &text = value] { add_stated(names, text); });
  for (const Node& node : graph.nodes())
    for (const auto& [name, value] : node.attributes)
      if (name == "latex") state(node.where, [&, &text = value] { names.set(node.name, name_from_latex(text)); });
  return names;
}

Error wrong_latex(const NameLatexError& error, SourceSpan where) {
  return Error(std::move(where), "latex of a name: " + error.message,
               "write, for instance, K_p^{*}, \\hat{a}_0 or \\dot{\\varphi}_x");
}

}  // namespace sfg
