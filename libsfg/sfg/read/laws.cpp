#include "sfg/read/laws.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>

#include "sfg/read/tables.hpp"

namespace sfg {

namespace {

struct LawName {
  const char* name;
  SymbolKind kind;
  const char* meaning;
};
constexpr std::array<LawName, 3> law_names{{{"u", SymbolKind::signal, "the signal at the tail of the branch"},
                                            {"v", SymbolKind::signal, "the rate of the signal at the tail of the branch"},
                                            {"t", SymbolKind::time, "the time"}}};

/// Gains worth remembering are short, and not too many.
constexpr std::size_t longest_remembered = 40;
constexpr std::size_t most_remembered = 10'000;

}  // namespace

Laws::Laws(const SourceText& source, SymbolTable& symbols, Problems& problems)
    : source_(source), symbols_(symbols), problems_(problems) {}

GiNaC::ex Laws::gain(const Passage& text) {
  if (const auto known = known_.find(text.text); known != known_.end()) return known->second;
  GiNaC::ex gain = 1;
  if (text.trimmed().text.empty()) {
    problems_.error(place(source_, text), "the gain is empty",
                    "write the transmittance of the branch, or leave the gain away where it is 1");
    return gain;
  }
  if (!problems_.attempt([&] { gain = parse(text, source_, symbols_); })) return 1;
  if (text.text.size() <= longest_remembered && known_.size() < most_remembered) known_.emplace(text.text, gain);
  if (text.text.find_first_of("uvt") != std::string::npos) gains_with_law_names_.emplace_back(gain, place(source_, text));
  return gain;
}

Nonlinearity Laws::nonlinear(const Passage& text, const SourceSpan& branch) {
  Nonlinearity law{0};
  if (text.trimmed().text.empty()) {
    problems_.error(place(source_, text), "the nonlinear law is empty",
                    "write it in terms of u, the signal at the tail, v, its rate, and t, the time");
    return law;
  }
  if (!TableReading(source_, symbols_, problems_).files_of(text)) return law;
  problems_.attempt([&] {
    law.law = parse(text, source_, symbols_);
    laws_.emplace_back(law.law, branch);
  });
  return law;
}

GiNaC::ex Laws::argument_symbol(const std::string& name, const SourceSpan& where) {
  const GiNaC::ex expr = symbols_.symbol(name, where);
  Symbol& symbol = *symbols_.find(name);
  if (symbol.value || (symbol.kind != SymbolKind::parameter && symbol.kind != SymbolKind::signal))
    problems_.error(where, "name " + in_quotes(name) + " is a parameter of this graph, and a signal in this law",
                    "name the signal otherwise: y=" + name);
  else
    symbol.kind = SymbolKind::signal;
  arguments_.emplace_back(expr, where);
  return expr;
}

void Laws::arguments(const std::vector<Passage>& entries, Nonlinearity& law, const SignalFlowGraph& graph) {
  for (const Passage& entry : entries) {
    const std::size_t equals = entry.text.find('=');
    const bool named = equals != std::string::npos && is_name(entry.part(0, equals).trimmed().text);
    const Passage symbol = named ? entry.part(0, equals).trimmed() : entry;
    const Passage node = named ? entry.part(equals + 1, std::string::npos).trimmed() : entry;
    const SourceSpan where = place(source_, symbol);
    if (!is_name(symbol.text) || symbol.text == "u" || symbol.text == "v" || symbol.text == "t") {
      problems_.error(where, "an argument " + in_quotes(symbol.text) + " cannot stand in a law by this name",
                      "name it: y=" + node.text + " is the signal '" + node.text + "' as y");
      continue;
    }
    const std::vector<NodeId> found = nodes({node}, "argument", graph);
    if (found.empty()) continue;
    const GiNaC::ex signal = argument_symbol(symbol.text, where), rate = argument_symbol("D" + symbol.text, where);
    if (!law.law.has(signal) && !law.law.has(rate))
      problems_.remark(where, "the argument " + in_quotes(symbol.text) + " does not occur in the law");
    law.arguments.push_back({signal, rate, found.front()});
  }
}

void Laws::doubt_arguments(const SourceSpan& where) {
  problems_.warn(where, "arguments are those of a nonlinear law, and the branch has none",
                 "state the law as nonlinear, or leave them out");
}

std::vector<NodeId> Laws::nodes(const std::vector<Passage>& names, const char* role, const SignalFlowGraph& graph) {
  std::vector<NodeId> ids;
  for (const Passage& entry : names) {
    const std::string name = unescaped(entry);
    const auto id = graph.find(name);
    if (!id) {
      std::vector<std::string> candidates;
      for (const Node& node : graph.nodes()) candidates.push_back(node.name);
      problems_.error(place(source_, entry), std::string("the ") + role + " " + in_quotes(name) + " is no node of the graph",
                      suggestion(name, candidates));
    } else if (std::ranges::find(ids, *id) != ids.end()) {
      problems_.remark(place(source_, entry), std::string("the ") + role + " " + in_quotes(name) + " is listed twice");
    } else {
      ids.push_back(*id);
    }
  }
  return ids;
}

void Laws::finish() {
  for (const auto& [symbol, where] : arguments_) {
    const auto uses = [&, name = symbol](const auto& entry) { return entry.second.has(name); };
    if (std::ranges::any_of(known_, uses))
      problems_.error(
          where, "name '" + GiNaC::ex_to<GiNaC::symbol>(symbol).get_name() + "' is a signal in this law, and stands in a gain",
          "name the signal otherwise");
  }
  if (laws_.empty()) return;
  for (const LawName& law_name : law_names) {
    Symbol* symbol = symbols_.find(law_name.name);
    if (!symbol) {
      symbols_.symbol(law_name.name);
      symbol = symbols_.find(law_name.name);
    }
    const auto uses = [&](const auto& entry) { return entry.first.has(symbol->expr); };
    const bool in_law = std::ranges::any_of(laws_, uses);
    const auto in_gain = std::ranges::find_if(gains_with_law_names_, uses);
    const bool elsewhere = symbol->value || symbol->kind != SymbolKind::parameter || in_gain != gains_with_law_names_.end();
    if (in_law && elsewhere) {
      const SourceSpan where = in_gain != gains_with_law_names_.end() ? in_gain->second : symbol->where;
      problems_.error(
          where,
          std::string("name '") + law_name.name + "' is taken in this graph, and in its nonlinear laws it is " + law_name.meaning,
          "give the other one another name");
    }
    if (!elsewhere) symbol->kind = law_name.kind;
  }
}

std::vector<Passage> split_list(const Passage& list, Calls calls) {
  std::vector<Passage> entries;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    while (begin < end && list.text[begin] == ' ') ++begin;
    const auto escaped = [&](std::size_t at) {
      std::size_t backslashes = 0;
      while (at > begin + backslashes && list.text[at - 1 - backslashes] == '\\') ++backslashes;
      return backslashes % 2 == 1;
    };
    while (end > begin && list.text[end - 1] == ' ' && !escaped(end - 1)) --end;
    entries.push_back(list.part(begin, end - begin));
  };
  std::size_t depth = 0;
  for (std::size_t i = 0; i < list.text.size(); ++i) {
    if (calls == Calls::whole && list.text[i] == '(') ++depth;
    if (list.text[i] == ')' && depth > 0) --depth;
    if (list.text[i] == '\\') {
      ++i;
    } else if (list.text[i] == ',' && depth == 0) {
      add(i);
      begin = i + 1;
    }
  }
  add(list.text.size());
  return entries;
}

std::string unescaped(const Passage& entry) {
  std::string text;
  for (std::size_t i = 0; i < entry.text.size(); ++i) {
    const bool escapes = entry.text[i] == '\\' && i + 1 < entry.text.size() &&
                         std::string_view(", \\").find(entry.text[i + 1]) != std::string_view::npos;
    text += entry.text[escapes ? ++i : i];
  }
  return text;
}

}  // namespace sfg
