#include <algorithm>
#include <cmath>

#include "sfg/expr/print.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/study/local/response_sensitivity.hpp"
#include "sfg/study/local/sensitivity.hpp"
#include "sfg/study/samples/monte_carlo.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/study/monte_carlo.hpp"
#include "sfg/write/study/sensitivity.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_pairs = 6;

bool has_parameters(const SignalFlowGraph& graph) {
  return std::ranges::any_of(graph.branches(), [&](const Branch& branch) {
    return std::ranges::any_of(symbol_names(branch.gain()), [&](const std::string& name) { return name != graph.op.symbol(); });
  });
}

/// Terms of a transfer function that is differentiated for a page.
constexpr std::size_t differentiated = 80;

/// (k/T) ∂T/∂k as far as a page has room for it.
ReportPart closed_forms(ReportWork& work, const TransferFunction& transfer) {
  constexpr std::size_t printed = 60;
  const std::string label = transfer_label(work.graph(), transfer.question);
  if (transfer.value.numerator().is_zero()) return remark(label + " is 0, whatever the parameters are.", label);
  if (terms_of(transfer.value) > differentiated)
    return remark(
        "The closed forms for " + label + " are too long for a page: the command of this section prints them as a sequence.",
        label);
  Page page;
  Equations equations{{}, work.graph().op.symbol()};
  std::vector<std::string> without, long_ones;
  for (const Sensitivity& sensitivity : sensitivities(transfer, work.graph(), work.share(3))) {
    if (sensitivity.derivative.numerator().is_zero())
      without.push_back(sensitivity.name);
    else if (terms_of(sensitivity.bode) > printed)
      long_ones.push_back(sensitivity.name);
    else
      equations.rows.push_back({relative_name(sensitivity.name), {sensitivity.bode}});
  }
  if (!equations.rows.empty()) page.add(std::move(equations));
  const auto add = [&](const std::vector<std::string>& names, const char* what) {
    if (names.empty()) return;
    Prose text = listed(names);
    text.insert(text.begin(), what);
    page.add(Paragraph{std::move(text)});
  };
  add(long_ones, "Longer than a page has room for: ");
  add(without, "Without influence: ");
  return fitting(std::move(page), label);
}

/// Where each parameter matters most.
Table greatest(const std::vector<SensitivityValue>& values) {
  struct Most {
    double size = -1, frequency = 0;
  };
  std::vector<std::pair<std::string, Most>> most;
  for (const SensitivityValue& value : values) {
    auto at = std::ranges::find(most, value.parameter, &std::pair<std::string, Most>::first);
    if (at == most.end()) at = most.insert(most.end(), {value.parameter, {}});
    const double size = std::abs(value.relative);
    if (std::isfinite(size) && size > at->second.size) at->second = {size, value.frequency};
  }
  std::ranges::stable_sort(most, [](const auto& a, const auto& b) { return a.second.size > b.second.size; });
  Table table;
  table.columns = {{.head = words("parameter")},
                   {.head = words("greatest |S|"), .right = true},
                   {.head = words("at ω, rad/s"), .right = true}};
  for (const auto& [name, found] : most)
    if (found.size >= 0)
      table.rows.push_back({{Math::name(name)}, {number_math(found.size, 4)}, {number_math(found.frequency, 4)}});
  return table;
}

void add_slopes(std::vector<ReportPart>& parts, ReportWork& work, std::size_t pair) {
  const Question& question = work.subject().questions[pair];
  const ExactTransfer& transfer = work.exact()[pair];
  if (transfer.numerator.parts.empty()) return;
  constexpr std::size_t points = 40;
  const std::vector<double> range = frequency_range(std::span(&transfer, 1), points);
  const std::vector<double> frequency = logarithmic(range.front(), range.back(), points);
  const auto values = sensitivity_values(work.graph(), question, frequency, {.budget = work.share(3), .seed = work.seed()});
  const std::string label = transfer_label(work.graph(), question);
  parts.push_back({label, sensitivity_figure(transfer_caption(transfer.input, transfer.output), values)});
  Page page;
  page.add(Paragraph{{"S is (k/T) ∂T/∂k: by how many percent the transfer function changes where k changes by one."}});
  page.add(greatest(values));
  parts.push_back({label, std::move(page)});
  work.gives({.verb = "sens",
              .options = {"--freq", print(range.front()) + ":" + print(range.back()) + ":" + std::to_string(points)},
              .values = ReportCommand::Values::numbers,
              .ends = ReportCommand::Ends::one,
              .question = question});
}

/// Numbers that most readers ask for, as far as they exist at the stated values; those of the step response where a thousand of
/// them are found in no time.
std::vector<Measure> usual_measures(const MeasuredSystem& system, const ExactTransfer& transfer, const Variation& variation,
                                    const Budget& budget) {
  constexpr double quickly_followed = 40;
  std::vector<Measure> all;
  for (const char* name : {"dc", "peak", "bandwidth", "abscissa"}) all.push_back(measure_of(name, system.graph.symbols));
  if (transfer.rational() && oscillations(transfer, step_range(transfer)) <= quickly_followed)
    for (const char* name : {"rise", "settling", "overshoot"}) all.push_back(measure_of(name, system.graph.symbols));
  const MeasureProgram program(system, all, variation.names(), budget);
  std::vector<double> values(all.size());
  program.evaluate(1, program.nominal(), values);
  std::vector<Measure> present;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::isfinite(values[i])) present.push_back(all[i]);
  return present;
}

/// What the stated tolerances do.
void add_tolerances(std::vector<ReportPart>& parts, ReportWork& work, std::size_t pair, const Variation& variation) {
  constexpr std::uint64_t samples = 1000;
  const Question& question = work.subject().questions[pair];
  if (work.exact()[pair].numerator.parts.empty()) return;
  const std::string label = transfer_label(work.graph(), question);
  const MeasuredSystem system{.graph = work.graph(), .question = question};
  const std::vector<Measure> measures = usual_measures(system, work.exact()[pair], variation, work.share(2));
  if (measures.empty()) return;
  const MonteCarlo found = monte_carlo(system, variation, {.measures = measures},
                                       {.samples = samples, .seed = work.seed(), .threads = 1, .budget = work.share(3)});
  parts.push_back(heading({"Tolerances: ", gain_name(work.input(question), work.output(question))}, label));
  parts.push_back({label, page(found)});
  ReportCommand command{.verb = "sens",
                        .options = {"--monte-carlo", std::to_string(samples)},
                        .values = ReportCommand::Values::numbers,
                        .ends = ReportCommand::Ends::one,
                        .question = question};
  for (const Measure& measure : measures) {
    command.options.emplace_back("--measure");
    command.options.push_back(measure.text);
  }
  work.gives(std::move(command));
}

/// A study of one pair that has no answer leaves those of the others.
template <class Add>
void attempt(std::vector<ReportPart>& parts, ReportWork& work, const std::string& label, const char* what, Add add) {
  try {
    add();
  } catch (const Failure& failure) {
    work.budget().check("the sensitivities");
    parts.push_back(remark(label + ": no " + what + ", for " + failure.what() + ".", label));
  }
}

}  // namespace

std::vector<ReportPart> sensitivity_section(ReportWork& work) {
  if (!work.answerable() || !has_parameters(work.graph())) return {};
  const std::vector<Question>& questions = work.subject().questions;
  const std::size_t pairs = std::min(most_pairs, questions.size());
  const bool known = work.known();
  std::vector<ReportPart> parts;
  const Variation variation = variation_of(work.graph().symbols);
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::string label = transfer_label(work.graph(), questions[i]);
    parts.push_back(heading({gain_name(work.input(questions[i]), work.output(questions[i]))}, label));
    attempt(parts, work, label, "closed forms", [&] {
      parts.push_back(closed_forms(work, work.transfers()[i]));
      const bool is_long = terms_of(work.transfers()[i].value) > differentiated;
      work.gives({.verb = "sens",
                  .options = is_long ? std::vector<std::string>{"--form", "sequence"} : std::vector<std::string>{},
                  .ends = ReportCommand::Ends::one,
                  .question = questions[i]});
    });
    if (!known) continue;
    attempt(parts, work, label, "values over frequency", [&] { add_slopes(parts, work, i); });
    if (!variation.parameters.empty())
      attempt(parts, work, label, "study of tolerances", [&] { add_tolerances(parts, work, i, variation); });
  }
  if (pairs < questions.size())
    parts.push_back(remark("Shown are the first " + std::to_string(pairs) + " of " + std::to_string(questions.size()) +
                           " transfer functions; the same commands answer for the others."));
  return parts;
}

}  // namespace sfg
