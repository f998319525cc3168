#include <algorithm>

#include "sfg/expr/print.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/text/unit_text.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/study/parameters.hpp"

namespace sfg {

namespace {

std::string kind_of(const ReportWork& work) {
  struct Kind {
    std::string operator()(const EquationSystem&) const { return "linear equations D x = B u"; }
    std::string operator()(const Lagrangian&) const { return "a mechanical system by its energies (Lagrange's equations)"; }
    std::string operator()(const Circuit&) const { return "an electrical circuit"; }
    std::string operator()(const PolarNetwork&) const { return "a network of two-terminal elements (polar graph)"; }
    std::string operator()(const Multibody&) const { return "a mechanism of bodies and joints"; }
    std::string operator()(const Joined&) const { return "models joined by branches"; }
  };
  if (const Model* model = work.model()) return std::visit(Kind{}, *model);
  return work.linear() ? "a signal-flow graph" : "a signal-flow graph with nonlinear branches";
}

std::string operator_words(const Operator& op) {
  if (!op.discrete()) return op.symbol() + " (stands for d/dt)";
  return op.symbol() + " (one sample ahead), " +
         (op.sample_time() ? "sample time " + print(op.sample_time()->to_double()) + " s" : "sample time not stated: 1");
}

std::vector<std::string> names_of(const ReportWork& work, NodeId Question::*node) {
  std::vector<std::string> names;
  for (const Question& question : work.subject().questions) {
    const std::string& name = work.graph()[question.*node].name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

/// x, y in m
Prose signals(const ReportWork& work, const std::vector<std::string>& names) {
  std::vector<Prose> parts;
  for (const std::string& name : names) {
    parts.push_back({Math::signal(name)});
    if (const std::string unit = work.unit(name); !unit.empty()) parts.back().emplace_back(" in " + unit_text(unit));
  }
  return parts.empty() ? words("none") : joined(parts, ", ");
}

Table about(const ReportWork& work) {
  std::vector<std::vector<Prose>> rows{{words("what it is"), words(kind_of(work))},
                                       {words("operator"), words(operator_words(work.graph().op))},
                                       {words("inputs"), signals(work, names_of(work, &Question::input))},
                                       {words("outputs"), signals(work, names_of(work, &Question::output))}};
  const std::vector<Question>& questions = work.subject().questions;
  if (!questions.empty() && questions.front().mode == Question::Mode::ratio)
    rows.push_back({words("driven by"), {Math::signal(work.graph()[*questions.front().reference].name)}});
  if (!questions.empty() && questions.front().mode == Question::Mode::inject)
    rows.push_back({words("excitation"), words("a unit signal added at each input, which has entering branches")});
  return summary(std::move(rows));
}

/// A number as people write it; 1/3 stays.
Math value_math(const GiNaC::ex& value) {
  if (GiNaC::is_a<GiNaC::numeric>(value)) {
    const auto& number = GiNaC::ex_to<GiNaC::numeric>(value);
    if (const auto decimal = finite_decimal(number); decimal && decimal->size() < 24)
      return decimal->starts_with('-') ? Math::negative(Math::number(decimal->substr(1))) : Math::number(*decimal);
  }
  return math(value);
}

/// One column of the table of parameters: left out where no parameter has it.
struct Column {
  const char* head;
  Prose (*cell)(const Symbol&);
  bool right = false;
};

constexpr Column parameter_columns[]{
    {"parameter", [](const Symbol& s) { return Prose{Math::name(s.name)}; }},
    {"value", [](const Symbol& s) { return s.value ? Prose{value_math(*s.value)} : Prose{}; }, true},
    {"unit", [](const Symbol& s) { return s.unit.empty() ? Prose{} : words(unit_text(s.unit)); }},
    {"tolerance", [](const Symbol& s) { return s.tolerance ? words(to_string(*s.tolerance)) : Prose{}; }, true},
    {"distribution", [](const Symbol& s) { return s.distribution ? words(to_string(*s.distribution)) : Prose{}; }},
    {"meaning", [](const Symbol& s) { return s.text.empty() ? Prose{} : words(s.text); }}};

bool is_parameter(const ReportWork& work, const Symbol& symbol) {
  return symbol.kind == SymbolKind::parameter && symbol.name != work.graph().op.symbol();
}

void add_parameters(Page& page, const ReportWork& work) {
  std::vector<const Symbol*> parameters;
  for (const Symbol& symbol : work.symbols().all())
    if (is_parameter(work, symbol)) parameters.push_back(&symbol);
  if (parameters.empty()) return page.add(Paragraph{{"There are no parameters: every gain is a number."}});
  page.add(Heading{words("Parameters")});
  Table table;
  std::vector<const Column*> columns;
  for (const Column& column : parameter_columns)
    if (std::ranges::any_of(parameters, [&](const Symbol* symbol) { return !column.cell(*symbol).empty(); })) {
      columns.push_back(&column);
      table.columns.push_back({.head = words(column.head), .right = column.right});
    }
  for (const Symbol* symbol : parameters) {
    std::vector<Prose> row;
    for (const Column* column : columns) row.push_back(column->cell(*symbol));
    table.rows.push_back(std::move(row));
  }
  page.add(std::move(table));
  const auto without = std::ranges::count_if(parameters, [](const Symbol* symbol) { return !symbol->value; });
  if (without > 0)
    page.add(Paragraph{{without == std::ssize(parameters)
                            ? "No parameter has a value: answers are in symbols."
                            : "Parameters without a value stay symbols; answers in numbers need values for them."}});
  for (const auto& [pair, value] : correlation_statements(work.symbols()))
    page.add(Paragraph{{"Correlation of " + pair + ": " + value + "."}});
}

}  // namespace

std::vector<ReportPart> model_section(ReportWork& work) {
  Page page;
  page.add(about(work));
  if (work.subject().questions.empty())
    page.add(Paragraph{{"Nothing is asked of it: without both an input and an output there are no transfer functions."}});
  page.add(Heading{words("The input as written")});
  page.add(Listing{work.subject().text});
  add_parameters(page, work);
  std::string set;
  const std::vector<std::string>& asked = work.subject().words;
  for (std::size_t i = 0; i + 1 < asked.size(); ++i)
    if (asked[i] == "--set") set += (set.empty() ? "" : ", ") + asked[i + 1];
  if (!set.empty()) page.add(Paragraph{{"This report starts from " + set + ", in place of what the input states."}});
  std::vector<Diagnostic> said;
  for (const Diagnostic& note : work.subject().notes)
    if (note.severity != Severity::note) said.push_back(note);
  if (!said.empty()) {
    page.add(Heading{words("What is to be said of it")});
    add_notes(page, said);
  }
  return {{{}, std::move(page)}};
}

}  // namespace sfg
