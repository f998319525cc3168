#include "sfg/write/forms/approximate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "sfg/expr/parallel.hpp"
#include "sfg/write/forms/form_parts.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

/// Rounded upwards: what is said holds.
std::string percent_upwards(double error) {
  constexpr double rounding = 1e-15;  // beside roots of 25 digits
  if (error < rounding) return "0";
  const double hundredths = std::ceil(error * 1e4 * (1 - 1e-9));
  return fmt::format("{:g}", hundredths / 100);
}

void add_formulas(AnswerPage& page, const ShortForm& form) {
  for (const ShortForm::Formula& each : form.formulas) {
    Prose text{Math::name(each.name)};
    if (each.name == "A_0") text = {"value at rest"};
    if (!each.means.empty()) text.push_back(", " + each.means + " at rest");
    text.push_back(each.found ? fmt::format(": {:.4g}, exactly {:.4g}; {} % off", each.value, each.exact,
                                            percent_upwards(each.relative_error))
                              : fmt::format(": no formula within {:g} % was found, this is its value{}", 100 * form.wanted,
                                            each.relative_error > 0 ? " to six digits" : ""));
    if (each.sensitivity_error)
      text.push_back(fmt::format("; among roots of like size, relative sensitivities up to {:.2g} off",
                                 std::ceil(*each.sensitivity_error * 100) / 100));
    page.remark(std::move(text));
  }
}

Prose left_out_pair(const ShortForm::Pair& pair, const std::string& variable, Combinations how) {
  Prose text{fmt::format("left out: pole {} beside zero {} rad/s", complex_numbers({pair.pole}), complex_numbers({pair.zero}))};
  if (!pair.formula) return text;
  text.push_back(", both near ");
  text.push_back(how == Combinations::parallel ? parallel_math(*pair.formula, variable) : math(*pair.formula, variable));
  text.push_back("; " + percent_upwards(pair.relative_error) + " % off");
  return text;
}

void add_left_out(AnswerPage& page, const ShortForm& form, Combinations how) {
  for (const auto& [left_out, standing] : form.same)
    page.remark({"of equal value, one written for the other: ", Math::name(left_out), " and ", Math::name(standing)});
  for (const ShortForm::Pair& pair : form.cancelling) page.remark(left_out_pair(pair, form.form.variable, how));
  if (form.more_poles + form.more_zeros > 0)
    page.remark({fmt::format("left out above: poles: {}, zeros: {}", form.more_poles, form.more_zeros)});
  page.remark({fmt::format("the whole: within {} from {:.4g} to {:.4g} rad/s{}", deviation_text(form.whole, {HUGE_VAL, HUGE_VAL}),
                           form.low, form.high, form.whole.bounded ? "" : ", densely sampled")});
}

Json complex_json(std::complex<double> value) { return {value.real(), value.imag()}; }

Json short_json(const SignalFlowGraph& graph, const ShortForm& form, Combinations how) {
  Json json = json_of_form(graph, form.form, how);
  json["formulas"] = Json::array();
  for (const ShortForm::Formula& each : form.formulas) {
    json["formulas"].push_back({{"name", each.name},
                                {"value", each.value},
                                {"exact", each.exact},
                                {"relative_error", each.relative_error},
                                {"letters", each.letters},
                                {"found", each.found},
                                {"means", each.means}});
    if (each.sensitivity_error) json["formulas"].back()["sensitivity_error"] = *each.sensitivity_error;
  }
  json["same"] = form.same;
  Json cancelling = Json::array();
  for (const ShortForm::Pair& pair : form.cancelling) {
    cancelling.push_back({{"pole", complex_json(pair.pole)}, {"zero", complex_json(pair.zero)}});
    if (!pair.formula) continue;
    cancelling.back()["formula"] = write(math(*pair.formula, form.form.variable), Notation::text);
    cancelling.back()["relative_error"] = pair.relative_error;
  }
  json["left_out"] = {{"cancelling", std::move(cancelling)}, {"poles", form.more_poles}, {"zeros", form.more_zeros}};
  json["wanted"] = {{"relative_error", form.wanted}};
  add_measured(json, form.whole, {form.low, form.high});
  add_checks(json, form.terms, form.verification);
  return json;
}

}  // namespace

Page page(const SignalFlowGraph& graph, std::span<const ShortForm> forms, Combinations how, Detail detail) {
  AnswerPage page(detail);
  for (const ShortForm& form : forms) {
    page.begin();
    add_form(page, graph, form.form, how);
    add_formulas(page, form);
    add_left_out(page, form, how);
    page.end(form.terms, form.verification);
  }
  return std::move(page).take();
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const ShortForm> forms, Combinations how) {
  Json list = Json::array();
  for (const ShortForm& form : forms) list.push_back(short_json(graph, form, how));
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
