#include "sfg/read/stated_attributes.hpp"

#include <algorithm>
#include <utility>

#include "sfg/expr/tolerance.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/parameters.hpp"
#include "sfg/read/tables.hpp"

namespace sfg {

StatedAttributes::StatedAttributes(const SourceText& source, SignalFlowGraph& graph, Problems& problems, Lookup stated)
    : source_(source), graph_(graph), problems_(problems), stated_(std::move(stated)) {}

const std::vector<std::string>& StatedAttributes::names() {
  static const std::vector<std::string> names{"input",      "output",        "variable", "parameters",  "units",       "tables",
                                              "tolerances", "distributions", "texts",    "sample_time", "correlations"};
  return names;
}

bool StatedAttributes::contains(const std::string& name) { return std::ranges::find(names(), name) != names().end(); }

std::string StatedAttributes::meant_by(const std::string& name) {
  if (contains(name)) return {};
  std::vector<std::string> meant{"sample_time"};
  if (name.find('_') == std::string::npos)  // input_2 and the like are somebody's own
    meant.insert(meant.end(), names().begin(), names().end());
  return nearest(name, meant);
}

void StatedAttributes::before_nodes(const std::set<std::string>& nodes) {
  operator_symbol();
  parameters(nodes);
  if (const auto list = stated_("tables")) TableReading(source_, graph_.symbols, problems_).list(*list);
}

void StatedAttributes::after_branches(Laws& laws) {
  check_parameters(graph_.symbols, problems_);
  correlations();
  graph_.inputs = ends("input", laws);
  graph_.outputs = outputs(laws);
}

void StatedAttributes::operator_symbol() {
  if (const auto name = stated_("variable"))
    state_operator(graph_.symbols, graph_.op, *name, source_, problems_);
  else
    graph_.op.declare(graph_.symbols);
  if (const auto h = stated_("sample_time")) state_sample_time(graph_.op, *h, source_, problems_);
}

void StatedAttributes::parameters(const std::set<std::string>& nodes) {
  if (const auto list = stated_("parameters")) state_parameters(graph_.symbols, *list, source_, problems_);
  units(nodes);
  remarks("texts", [](Symbol& symbol, const std::string& text, const SourceSpan&) { symbol.text = text; });
  remarks("tolerances", [&](Symbol& symbol, const std::string& text, const SourceSpan& where) {
    problems_.attempt([&] { symbol.tolerance = parse_tolerance(text, where); });
  });
  remarks("distributions", [&](Symbol& symbol, const std::string& text, const SourceSpan& where) {
    problems_.attempt([&] { symbol.distribution = parse_distribution(text, where); });
  });
}

/// correlations="R1,R2=0.8; R2,R3=0.1"
void StatedAttributes::correlations() {
  const auto list = stated_("correlations");
  if (!list || list->trimmed().text.empty()) return;
  for (const Passage& entry : split(*list, ';')) {
    const std::size_t equals = entry.text.find('=');
    if (equals == std::string::npos)
      problems_.error(place(source_, entry.trimmed()), "the attribute 'correlations' lists pairs=number",
                      "write, for instance, correlations=\"R1,R2=0.8; R2,R3=0.1\"");
    else
      state_correlation(graph_.symbols, entry.part(0, equals).trimmed(), entry.part(equals + 1, std::string::npos).trimmed(),
                        source_, problems_);
  }
}

/// units="k=N/m, x=m": of parameters, and of signals, whose nodes keep them.
void StatedAttributes::units(const std::set<std::string>& nodes) {
  each_remark("units", [&](const Passage& name, const std::string& text, const SourceSpan&) {
    const Symbol* known = graph_.symbols.find(name.text);
    if (!known && nodes.contains(name.text)) {
      node_units_[name.text] = text;
      return;
    }
    graph_.symbols.symbol(name.text, place(source_, name));
    graph_.symbols.find(name.text)->unit = text;
  });
}

/// units="k=N/m, m=kg": what else is known of parameters. A backslash takes a comma into the text.
void StatedAttributes::remarks(std::string_view attribute,
                               const std::function<void(Symbol&, const std::string&, const SourceSpan&)>& apply) {
  each_remark(attribute, [&](const Passage& name, const std::string& text, const SourceSpan& where) {
    graph_.symbols.symbol(name.text, place(source_, name));
    apply(*graph_.symbols.find(name.text), text, where);
  });
}

void StatedAttributes::each_remark(std::string_view attribute,
                                   const std::function<void(const Passage&, const std::string&, const SourceSpan&)>& apply) {
  const auto list = stated_(attribute);
  if (!list || list->trimmed().text.empty()) return;
  for (const Passage& entry : split_list(*list)) {
    const std::size_t equals = entry.text.find('=');
    const Passage name = entry.part(0, std::min(equals, entry.text.size())).trimmed();
    if (equals == std::string::npos || !is_name(name.text)) {
      problems_.error(place(source_, entry.trimmed()), "the attribute '" + std::string(attribute) + "' lists name=text",
                      "write, for instance, k=N/m, m=kg");
      continue;
    }
    const Passage text = entry.part(equals + 1, std::string::npos);
    apply(name, unescaped(text), place(source_, text));
  }
}

/// input="a, b": names of nodes.
std::vector<NodeId> StatedAttributes::ends(const char* attribute, Laws& laws) {
  const auto list = stated_(attribute);
  if (!list || list->text.find_first_not_of(' ') == std::string::npos) return {};
  const std::vector<Passage> names = split_list(*list);
  const bool all_known =
      std::ranges::all_of(names, [&](const Passage& name) { return graph_.find(unescaped(name)).has_value(); });
  if (const auto whole = graph_.find(list->text); whole && !all_known) return {*whole};  // a name with a comma in it, alone
  return laws.nodes(names, attribute, graph_);
}

/// output="x, R - y, v(a,b)": nodes, and what is linear in them.
std::vector<NodeId> StatedAttributes::outputs(Laws& laws) {
  const auto list = stated_("output");
  if (!list) return {};
  std::vector<Passage> names = split_list(*list, Calls::whole);
  const auto is_plain = [&](const Passage& entry) {
    const std::string name = unescaped(entry);
    return graph_.find(name).has_value() || (is_name(name) && !name.starts_with('D'));
  };
  if (std::ranges::all_of(split_list(*list), is_plain) || graph_.find(list->text)) return ends("output", laws);
  std::erase_if(names, [&](const Passage& entry) {
    return !is_plain(entry) && !problems_.attempt([&] { output_signal(graph_, unescaped(entry), {}, place(source_, entry)); });
  });
  return laws.nodes(names, "output", graph_);
}

}  // namespace sfg
