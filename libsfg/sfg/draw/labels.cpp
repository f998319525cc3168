#include "sfg/draw/labels.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "sfg/expr/math_tree.hpp"

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
  std::map<std::string, Math> names;
  for (const Branch& branch : graph.branches()) {
    const GiNaC::ex& law = branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law;
    Math gain = math(law, branch.linear() ? graph.op.symbol() : std::string_view());
    Formula whole = typeset(gain, size);
    if (whole.width <= widest && whole.height() <= tallest_in_text_sizes * size) {
      made.gains.push_back({std::move(gain), std::move(whole), {}, false});
      continue;
    }
    const bool minus = gain.is_negative();
    const Math body = minus ? gain.parts[0] : gain;
    const auto [it, fresh] =
        names.try_emplace(write(body, Notation::text), Math::name(prefix + std::to_string(names.size() + 1)));
    if (fresh) made.legend.emplace_back(it->second, body);
    Math short_form = minus ? Math::negative(it->second) : it->second;
    Formula set = typeset(short_form, size);
    made.gains.push_back({std::move(short_form), std::move(set), {}, false});
  }
  return made;
}

Label name_label(const std::string& name, double size) {
  const Math signal = Math::signal(name);
  return {signal, typeset(signal, size), {}, false};
}

}  // namespace sfg
