#include "sfg/write/study/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "sfg/expr/print.hpp"
#include "sfg/expr/tables.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

bool is_plain_integer(const std::string& text) {
  constexpr std::size_t digits_of_64_bits = 18;
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::string_view digits = std::string_view(text).substr(sign);
  return !digits.empty() && digits.size() <= digits_of_64_bits &&
         std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool is_stated(const Symbol& symbol) {
  return symbol.kind == SymbolKind::parameter &&
         (symbol.value || !symbol.unit.empty() || !symbol.text.empty() || symbol.tolerance || symbol.distribution);
}

Attributes statements(const Symbol& symbol) {
  Attributes list;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) list.emplace_back(name, text);
  };
  if (symbol.value) list.emplace_back("value", print(*symbol.value));
  add("unit", symbol.unit);
  add("text", symbol.text);
  if (symbol.tolerance) add("tolerance", to_string(*symbol.tolerance));
  if (symbol.distribution) add("distribution", to_string(*symbol.distribution));
  return list;
}

Attributes correlation_statements(const SymbolTable& symbols) {
  Attributes list;
  for (const Correlation& c : symbols.correlations)
    if (symbols.find(c.first) && symbols.find(c.second)) list.emplace_back(c.first + "," + c.second, fmt::format("{}", c.value));
  return list;
}

std::string list_entry(std::string_view text) {
  std::string entry;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool outer_blank = text[i] == ' ' && (i == 0 || i + 1 == text.size());
    if (text[i] == ',' || text[i] == '\\' || outer_blank) entry += '\\';
    entry += text[i];
  }
  return entry;
}

Attributes parameter_lists(const SymbolTable& symbols) {
  std::string units, tolerances, distributions, texts, correlations;
  const auto remark = [](std::string& list, const Symbol& symbol, const std::string& text) {
    if (!text.empty()) list += (list.empty() ? "" : ", ") + symbol.name + '=' + list_entry(text);
  };
  for (const Symbol& symbol : symbols.all()) {
    if (symbol.kind != SymbolKind::parameter) continue;
    remark(units, symbol, symbol.unit);
    if (symbol.tolerance) remark(tolerances, symbol, to_string(*symbol.tolerance));
    if (symbol.distribution) remark(distributions, symbol, to_string(*symbol.distribution));
    remark(texts, symbol, symbol.text);
  }
  for (const auto& [pair, number] : correlation_statements(symbols))
    correlations += (correlations.empty() ? "" : "; ") + pair + '=' + number;
  return {{"units", units},
          {"tolerances", tolerances},
          {"distributions", distributions},
          {"texts", texts},
          {"correlations", correlations}};
}

namespace {

/// The named tables of a model by their points, so that what is written needs no other file.
std::string tables_text(const SignalFlowGraph& graph) {
  std::string text;
  for (const auto& [name, number] : graph.symbols.tables()) {
    const numeric::LookupTable& table = numeric::table_of_number(number);
    if (table.name() != name) continue;  // of a file that a law names: it stands there with its points
    text += (text.empty() ? "" : "; ") + name + "=";
    for (const std::string& point : table_points(number)) text += point + " ";
    text += numeric::name(table.interpolation());
  }
  return text;
}

}  // namespace

Attributes stated_attributes(const SignalFlowGraph& graph) {
  const auto& h = graph.op.sample_time();
  const std::string tables = tables_text(graph);
  Attributes list;
  if (h) list.emplace_back("sample_time", h->text());
  if (!tables.empty()) list.emplace_back("tables", tables);
  for (const auto& attribute : graph.attributes)
    if ((attribute.first != "sample_time" || !h) && (attribute.first != "tables" || tables.empty())) list.push_back(attribute);
  return list;
}

std::vector<std::string> argument_entries(const SignalFlowGraph& graph, const Branch& branch) {
  std::vector<std::string> entries;
  if (branch.linear()) return entries;
  for (const auto& argument : std::get<Nonlinearity>(branch.law).arguments) {
    const std::string symbol = print(argument.signal), node = graph[argument.node].name;
    entries.push_back(symbol == node ? node : symbol + "=" + node);
  }
  return entries;
}

std::string toml_value(const std::string& name, const std::string& text) {
  return name == "value" && is_plain_integer(text) ? text : toml_string(text);
}

void write_toml_list(std::ostream& out, const std::string& key, const std::vector<std::string>& list) {
  out << key << " = [";
  const char* before = "";
  for (const std::string& text : list) out << std::exchange(before, ", ") << toml_string(text);
  out << "]\n";
}

void write_toml_matrix(std::ostream& out, const std::string& key, const std::vector<std::vector<GiNaC::ex>>& matrix) {
  out << key << " = [" << (matrix.empty() ? "" : "\n");
  for (const auto& row : matrix) {
    const char* before = "";
    out << "  [";
    for (const GiNaC::ex& entry : row) out << std::exchange(before, ", ") << toml_string(print(entry));
    out << "],\n";
  }
  out << "]\n";
}

void write_toml_head(std::ostream& out, const std::string& title, const std::string& variable) {
  if (!title.empty()) out << "title = " << toml_string(title) << '\n';
  out << "variable = " << toml_string(variable) << '\n';
}

void write_toml_parameters(std::ostream& out, const SymbolTable& symbols) {
  if (std::ranges::any_of(symbols.all(), is_stated)) out << "\n[parameters]\n";
  for (const Symbol& symbol : symbols.all()) {
    if (!is_stated(symbol)) continue;
    const Attributes list = statements(symbol);
    out << toml_key(symbol.name) << " = ";
    if (list.size() == 1 && symbol.value) {
      out << toml_value("value", list.front().second) << '\n';
      continue;
    }
    const char* before = "{ ";
    for (const auto& [name, text] : list) out << std::exchange(before, ", ") << name << " = " << toml_value(name, text);
    out << " }\n";
  }
  const Attributes correlations = correlation_statements(symbols);
  if (!correlations.empty()) out << "\n[correlations]\n";
  for (const auto& [pair, number] : correlations) out << toml_string(pair) << " = " << number << '\n';
}

}  // namespace sfg
