#include "sfg/write/forms/approximate.hpp"

#include <fmt/format.h>

#include <ostream>

#include "sfg/expr/condition.hpp"
#include "sfg/expr/parallel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/write/forms/form_parts.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

Math written(const GiNaC::ex& value, const std::string& variable, Combinations how) {
  return how == Combinations::parallel ? parallel_math(value, variable) : math(value, variable);
}

/// A gain of more letters stands as A_0 in the text.
bool is_long(const GiNaC::ex& gain) {
  constexpr std::size_t few = 3;
  return symbol_names(gain).size() > few;
}

}  // namespace

void add_form(AnswerPage& page, const SignalFlowGraph& graph, const StandardTransfer& form, Combinations how) {
  Equations definitions{{}, form.variable, 1};
  const auto define = [&](const std::string& name, const GiNaC::ex& value) {
    definitions.rows.push_back({Math::name(name), {written(value, form.variable, how)}});
  };
  const bool apart = is_long(form.gain) && (!form.above.empty() || !form.below.empty()) && graph.symbols.find("A_0") == nullptr;
  const Math whole = form.expression(apart ? Math::name("A_0") : written(form.gain, form.variable, how));
  page.equation(graph, form.question, whole);
  if (apart) define("A_0", form.gain);
  for (const StandardTransfer::Definition& definition : form.definitions) define(definition.name, definition.value);
  if (!definitions.rows.empty()) page.add(std::move(definitions));
  for (const StandardTransfer::Definition& definition : form.definitions)
    if (definition.positive) page.remark({Math::name(definition.name), ": where ", positive_condition(*definition.positive)});
  if (!form.taken_as_positive.empty()) page.remark(joined({words("taken as positive: "), listed(form.taken_as_positive)}, ""));
}

nlohmann::ordered_json json_of_form(const SignalFlowGraph& graph, const StandardTransfer& form, Combinations how) {
  Json json = answer_json(graph, form.question, "standard");
  const auto text = [&](const GiNaC::ex& value, Combinations as) {
    return write(written(value, form.variable, as), Notation::text);
  };
  const auto whole = [&](Combinations as) {
    return write(form.expression(written(form.gain, form.variable, as)), Notation::text);
  };
  const auto definitions = [&](Combinations as) {
    Json list = Json::array();
    for (const StandardTransfer::Definition& each : form.definitions) list.push_back({each.name, text(each.value, as)});
    return list;
  };
  json["expression"] = whole(Combinations::fractions);
  json["gain"] = text(form.gain, Combinations::fractions);
  json["definitions"] = definitions(Combinations::fractions);
  if (how == Combinations::parallel) {
    json["parallel"] = whole(how);
    json["parallel_definitions"] = definitions(how);
  }
  for (const StandardTransfer::Definition& each : form.definitions)
    if (each.positive) json["conditions"][each.name] = write(positive_condition(*each.positive), Notation::text);
  if (!form.taken_as_positive.empty()) json["taken_as_positive"] = form.taken_as_positive;
  return json;
}

namespace {

void add_root_errors(AnswerPage& page, const StandardApproximation& approximation) {
  for (const StandardApproximation::Roots& roots : approximation.roots)
    page.remark(joined({listed(roots.names),
                        {fmt::format(": {} {} rad/s, exactly {}; {:.2g} % off", roots.zeros ? "zero" : "pole",
                                     complex_numbers(roots.values), complex_numbers(roots.exact), 100 * roots.relative_error)}},
                       ""));
}

Json roots_json(const StandardApproximation& approximation) {
  const auto list = [](const std::vector<std::complex<double>>& values) {
    Json result = Json::array();
    for (const std::complex<double> value : values) result.push_back({value.real(), value.imag()});
    return result;
  };
  Json result = Json::array();
  for (const StandardApproximation::Roots& roots : approximation.roots)
    result.push_back({{"definitions", roots.names},
                      {"of", roots.zeros ? "zeros" : "poles"},
                      {"values", list(roots.values)},
                      {"exact", list(roots.exact)},
                      {"relative_error", roots.relative_error}});
  return result;
}

}  // namespace

Page page(const SignalFlowGraph& graph, std::span<const StandardTransfer> forms, std::span<const TransferFunction> transfers,
          Combinations how, Detail detail) {
  AnswerPage page(detail);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    page.begin();
    add_form(page, graph, forms[i], how);
    if (!transfers[i].cancelled.is_one()) page.remark({"cancelled: ", math(transfers[i].cancelled)});
    page.end(transfers[i].terms, transfers[i].verification);
  }
  return std::move(page).take();
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const StandardTransfer> forms,
                std::span<const TransferFunction> transfers, Combinations how) {
  Json list = Json::array();
  for (std::size_t i = 0; i < forms.size(); ++i) {
    Json json = json_of_form(graph, forms[i], how);
    json["cancelled"] = print(transfers[i].cancelled);
    add_checks(json, transfers[i].terms, transfers[i].verification);
    list.push_back(std::move(json));
  }
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

Page page(const SignalFlowGraph& graph, std::span<const StandardApproximation> forms,
          std::span<const ApproximateTransfer> transfers, Combinations how, Detail detail) {
  AnswerPage page(detail);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    page.begin();
    add_form(page, graph, forms[i].form, how);
    add_root_errors(page, forms[i]);
    page.remark({error_text(forms[i].error, transfers[i])});
    page.end(transfers[i].terms, transfers[i].verification);
  }
  return std::move(page).take();
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const StandardApproximation> forms,
                std::span<const ApproximateTransfer> transfers, Combinations how) {
  Json list = Json::array();
  for (std::size_t i = 0; i < forms.size(); ++i) {
    Json json = json_of_form(graph, forms[i].form, how);
    json["roots"] = roots_json(forms[i]);
    add_error(json, forms[i].error, transfers[i]);
    add_checks(json, transfers[i].terms, transfers[i].verification);
    list.push_back(std::move(json));
  }
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
