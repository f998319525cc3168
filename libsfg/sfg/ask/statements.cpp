#include "sfg/ask/statements.hpp"

#include <filesystem>

#include "sfg/expr/parse.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/read/csv.hpp"

namespace sfg {

SymbolTable symbols_in_time(const SymbolTable& symbols, std::span<const std::string> settings) {
  SymbolTable table;
  for (const Symbol& symbol : symbols.all())
    if (symbol.name != "t" && symbol.kind == SymbolKind::parameter) table.add(symbol);
  for (const std::string& setting : settings) {
    const auto first = setting.find_first_not_of(" \t"), last = setting.find_last_not_of(" \t", setting.find('=') - 1);
    table.symbol(setting.substr(first, last - first + 1));
  }
  const GiNaC::exmap values = sfg::settings(settings, table);
  for (const std::string& name : table.names()) {
    Symbol& symbol = *table.find(name);
    if (const auto set = values.find(symbol.expr); set != values.end()) symbol.value = set->second;
  }
  table.symbol("t");
  return table;
}

GiNaC::ex stated_expression(const SimulationSettings::Entry& entry, const SymbolTable& symbols) {
  if (auto foreign = foreign_number(entry.text, entry.where)) {
    foreign->hint = "write the number alone, in the unit of '" + entry.name + "'; of a product write '*'";
    throw Error(std::move(*foreign));
  }
  try {
    return parse_number(entry.text);  // alone it may have a suffix
  } catch (const Error&) {
    return substituted(parse_known(entry.text, symbols, entry.where), symbols.values(), entry.where);
  }
}

SampledSignal stated_samples(const SimulationSettings::Entry& entry, const std::string& stated_in) {
  std::filesystem::path path = entry.text.substr(1);
  if (path.is_relative()) path = std::filesystem::path(stated_in).parent_path() / path;
  return read_csv(text_of_file(path.string()), path.string());
}

std::optional<double> stated_end(const Input& input) {
  const auto& until = input.simulation.until ? input.simulation.until : input.analyses.until;
  if (!until) return {};
  return parse_number(*until).to_double();
}

}  // namespace sfg
