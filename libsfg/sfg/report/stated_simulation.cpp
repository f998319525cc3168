#include "sfg/report/stated_simulation.hpp"

#include <filesystem>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/read/csv.hpp"

namespace sfg {

namespace {

/// The parameters, and the time.
SymbolTable symbols_in_time(const ReportWork& work) {
  SymbolTable table;
  for (const Symbol& symbol : work.symbols().all())
    if (symbol.name != "t" && symbol.kind == SymbolKind::parameter) table.add(symbol);
  table.symbol("t");
  return table;
}

GiNaC::ex expression_of(const SimulationSettings::Entry& entry, const SymbolTable& symbols) {
  GiNaC::ex result;
  try {
    result = parse_number(entry.text);  // alone it may have a suffix
  } catch (const Error&) {
    result = substituted(parse_known(entry.text, symbols, entry.where), symbols.values(), entry.where);
  }
  for (const std::string& name : symbol_names(result))
    if (name != "t") throw missing_values({name}, symbols);
  return result;
}

SampledSignal points_of(const ReportWork& work, const SimulationSettings::Entry& entry) {
  std::filesystem::path path = entry.text.substr(1);
  if (path.is_relative()) path = std::filesystem::path(work.subject().file).parent_path() / path;
  return read_csv(text_of_file(path.string()), path.string());
}

}  // namespace

StatedSimulation stated_simulation(const ReportWork& work) {
  const SimulationSettings& stated = work.subject().input.simulation;
  const SymbolTable symbols = symbols_in_time(work);
  StatedSimulation read;
  read.time = symbols.at("t").expr;
  for (const SimulationSettings::Entry& entry : stated.inputs)
    if (entry.text.starts_with('@'))
      read.inputs.push_back({entry.name, entry.text, points_of(work, entry)});
    else
      read.inputs.push_back({entry.name, entry.text, expression_of(entry, symbols)});
  for (const SimulationSettings::Entry& entry : stated.initial) {
    const auto value = double_value(expression_of(entry, symbols));
    if (!value) throw Error(entry.where, "the initial value of '" + entry.name + "' is no number", "write a number: 0.1, 1/3");
    read.initial.push_back({entry.name, *value});
  }
  const auto& until = stated.until ? stated.until : work.subject().input.analyses.until;
  if (until) read.until = parse_number(*until).to_double();
  return read;
}

Prose in_words(const StatedSimulation& simulation) {
  std::vector<Prose> parts;
  for (const StatedSimulation::Input& input : simulation.inputs) {
    Prose text{Math::signal(input.name), " = "};
    if (const auto* value = std::get_if<GiNaC::ex>(&input.signal))
      text.push_back(math(*value));
    else
      text.emplace_back("the points of " + input.text.substr(1));
    parts.push_back(std::move(text));
  }
  for (const InitialValue& initial : simulation.initial)
    parts.push_back({Math::signal(initial.name), " = " + print(initial.value) + " at the start"});
  return joined(parts, ", ");
}

}  // namespace sfg
