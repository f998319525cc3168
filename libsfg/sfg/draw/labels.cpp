#include "sfg/draw/labels.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "sfg/draw/math_tree.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

constexpr double tallest_in_text_sizes = 3.7;

/// A letter for the names of gains that no name of the graph begins with.
std::string free_prefix(const SignalFlowGraph& graph) {
  std::set<std::string> taken;
  for (const Symbol& symbol : graph.symbols.all()) taken.insert(symbol.name);
  for (const Node& node : graph.nodes()) taken.insert(node.name);
  for (const std::string_view prefix : std::array<std::string_view, 4>{"g", "w", "q", "G"})
    if (std::ranges::none_of(taken, [&](const std::string& name) { return name.starts_with(prefix); }))
      return std::string(prefix);
  return "gain";
}

}  // namespace

GainLabels gain_labels(const SignalFlowGraph& graph, double size, double widest) {
  const std::string prefix = free_prefix(graph);
  GainLabels made;
  std::map<std::string, std::string> names;
  for (const Branch& branch : graph.branches()) {
    const GiNaC::ex& law = branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law;
    const std::string latex = print(law, Notation::latex, graph.op.symbol());
    Formula whole = typeset(latex, size);
    if (whole.width <= widest && whole.height() <= tallest_in_text_sizes * size) {
      made.gains.push_back({latex, false, std::move(whole), {}, false});
      continue;
    }
    const bool minus = latex.starts_with("-") && summands(latex).size() == 1;
    const std::string body = minus ? latex.substr(1) : latex;
    const auto [it, fresh] = names.try_emplace(body, print_name(prefix + std::to_string(names.size() + 1), Notation::latex));
    if (fresh) made.legend.emplace_back(it->second, body);
    const std::string short_form = (minus ? "-" : "") + it->second;
    made.gains.push_back({short_form, false, typeset(short_form, size), {}, false});
  }
  return made;
}

Label name_label(const std::string& name, double size) {
  if (!is_name(name)) return {name, true, typeset_plain(name, size), {}, false};
  const std::string latex = print_name(name, Notation::latex);
  return {latex, false, typeset(latex, size), {}, false};
}

}  // namespace sfg
