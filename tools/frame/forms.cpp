#include "tools/frame/forms.hpp"

#include <algorithm>
#include <sstream>

#include "sfg/approximate/approximate.hpp"
#include "sfg/approximate/short_form.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/expr/parallel.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/transfer/standard.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/forms/approximate.hpp"
#include "sfg/write/forms/transfer.hpp"
#include "tools/frame/decimals.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/show.hpp"

namespace sfg::command {

namespace {

TransferOptions transfer_options(const Task& task) { return {.budget = task.budget, .seed = task.arguments.count("seed", 1)}; }

/// A page, or JSON where that is asked for.
template <class... Results>
FormAnswer answer(const Task& task, const SignalFlowGraph& graph, const Results&... results) {
  if (form_of(task.arguments) != Form::json) return page(graph, results..., detail_of(task.arguments));
  std::ostringstream out;
  write_json(out, graph, results...);
  return std::move(out).str();
}

Combinations combinations_of(const Task& task) {
  return task.arguments.has("parallel") ? Combinations::parallel : Combinations::fractions;
}

/// Where no sum of fractions is a parallel combination.
void note_none(Task& task, bool any) {
  if (!any)
    task.notes.push_back(
        {{}, "--parallel makes no difference: there is no parallel combination", "leave it out", Severity::remark});
}

FormAnswer with_parallel(Task& task, const SignalFlowGraph& graph, const std::vector<TransferFunction>& transfers) {
  note_none(task, std::ranges::any_of(transfers, [](const auto& each) { return parallel_form(each.value).has_value(); }));
  if (form_of(task.arguments) != Form::json) return parallel_page(graph, transfers, detail_of(task.arguments));
  std::ostringstream out;
  write_parallel_json(out, graph, transfers);
  return std::move(out).str();
}

FormAnswer rational(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const auto transfers = transfer_functions(graph, questions, transfer_options(task));
  if (task.arguments.has("parallel")) return with_parallel(task, graph, transfers);
  if (form_of(task.arguments) == Form::json) return answer(task, graph, transfers);
  return page(graph, transfers, detail_of(task.arguments), digits_of(task));
}

FormAnswer over_one_denominator(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const auto transfers = transfer_functions(graph, questions, transfer_options(task));
  return answer(task, graph, transfer_table(transfers, task.budget), transfers);
}

/// Sums over paths and loops, with what the closed form says of them.
FormAnswer by_paths(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const auto transfers = transfer_functions(graph, questions, transfer_options(task));
  task.working("listing paths and loops");
  std::vector<MasonListing> listings;
  for (const Question& question : questions) listings.push_back(mason(graph, question, {.budget = task.budget}));
  return answer(task, graph, listings, transfers);
}

/// Coefficients as they are derived from the symbols; where those are too many, from a graph with numbers.
FormAnswer numeric(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  constexpr std::uint64_t few = 20'000;
  TransferOptions options = transfer_options(task);
  std::vector<TransferFunction> transfers;
  try {
    options.budget = task.budget.with_terms(few);
    transfers = transfer_functions(graph, questions, options);
  } catch (const LimitReached&) {
    task.budget.check("the transfer functions");
    options.budget = task.budget;
    transfers = transfer_functions(graph.substituted(graph.parameter_values()), questions, options);
  }
  std::vector<NumericTransfer> numbers;
  for (const TransferFunction& transfer : transfers) numbers.push_back(numeric_transfer(transfer, graph.symbols));
  return answer(task, graph, numbers, transfers);
}

FormAnswer by_sequences(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const auto sequences = transfer_sequences(graph, questions, {.budget = task.budget, .seed = task.arguments.count("seed", 1)});
  const auto layout = text_layout(task.arguments);
  if (form_of(task.arguments) != Form::json && layout && sequences.size() == 1)
    return page(graph, sequences.front(), detail_of(task.arguments), *layout);
  return answer(task, graph, sequences);
}

PositiveLetters letters_of(const Task& task, const SignalFlowGraph& graph) {
  return {.values = graph.symbols.values(), .all = task.arguments.has("positive")};
}

FormAnswer in_factors(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const auto transfers = transfer_functions(graph, questions, transfer_options(task));
  task.working("factoring");
  std::vector<FactoredTransfer> factors;
  const PositiveLetters letters = letters_of(task, graph);
  for (const TransferFunction& transfer : transfers) factors.push_back(factored(transfer, letters, task.budget));
  if (letters.all && std::ranges::all_of(factors, [](const FactoredTransfer& each) { return each.taken_as_positive.empty(); }))
    task.notes.push_back({{}, "--positive makes no difference: no root becomes shorter by it", "leave it out", Severity::remark});
  return answer(task, graph, factors, transfers);
}

FormAnswer by_roots(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  constexpr std::size_t digits = 25;  // so that the coefficients of pairs are rounded once
  std::vector<PolesZeros> all;
  for (const ExactTransfer& transfer : exact_transfers(graph, questions, transfer_options(task)))
    all.push_back(poles_zeros(transfer, digits));
  if (form_of(task.arguments) != Form::json) return zpk_page(all);
  std::ostringstream out;
  write_zpk_json(out, all);
  return std::move(out).str();
}

/// --within DB or DB,DEGREES.
ErrorLimit limit_of(const Arguments& arguments) {
  ErrorLimit limit;
  if (!arguments.has("within")) return limit;
  const std::string text = arguments.text("within");
  const std::size_t comma = text.find(',');
  limit.magnitude_db = value_of("--within", text.substr(0, comma));
  limit.phase_deg = comma == std::string::npos ? 5 * limit.magnitude_db : value_of("--within", text.substr(comma + 1));
  if (limit.magnitude_db <= 0 || limit.phase_deg <= 0)
    throw UsageError("option --within needs positive numbers, not '" + text + "'", "write --within 1 or --within 1,5");
  return limit;
}

/// --error 10% or 0.1.
double error_of(const Arguments& arguments) {
  std::string text = arguments.text("error");
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  const double error = value_of("--error", text) / (percent ? 100 : 1);
  if (!(error > 0 && error < 1))
    throw UsageError("option --error needs a part between 0 and 1, not '" + arguments.text("error") + "'",
                     "write --error 10% or --error 0.1");
  return error;
}

bool shows_parallel_combination(const StandardTransfer& form) {
  const auto shows = [](const GiNaC::ex& value) { return shows_parallel(parallel_math(value)); };
  return shows(form.gain) || std::ranges::any_of(form.definitions, shows, &StandardTransfer::Definition::value);
}
bool shows_parallel_combination(const StandardApproximation& approximation) {
  return shows_parallel_combination(approximation.form);
}

/// In standard form: of transfer functions or of approximations.
template <class Forms, class Transfers>
FormAnswer standard_answer(Task& task, const SignalFlowGraph& graph, const Forms& forms, const Transfers& transfers) {
  if (task.arguments.has("parallel"))
    note_none(task, std::ranges::any_of(forms, [](const auto& form) { return shows_parallel_combination(form); }));
  if (form_of(task.arguments) != Form::json)
    return page(graph, forms, transfers, combinations_of(task), detail_of(task.arguments));
  std::ostringstream out;
  write_json(out, graph, forms, transfers, combinations_of(task));
  return std::move(out).str();
}

FormAnswer in_standard(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const auto transfers = transfer_functions(graph, questions, transfer_options(task));
  task.working("factoring");
  const PositiveLetters letters = letters_of(task, graph);
  std::vector<StandardTransfer> forms;
  for (const TransferFunction& transfer : transfers)
    forms.push_back(
        standard(factored(transfer, letters, task.budget), transfer.value.space(), letters.values, graph.symbols.names()));
  return standard_answer(task, graph, forms, transfers);
}

/// --error PERCENT: every formula on its own.
FormAnswer by_short_formulas(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const ShortOptions options{.error = error_of(task.arguments),
                             .range = range_of(task.arguments),
                             .budget = task.budget,
                             .seed = task.arguments.count("seed", 1)};
  std::vector<ShortForm> forms;
  for (const Question& question : questions) forms.push_back(short_form(graph, question, options));
  if (task.arguments.has("parallel"))
    note_none(task, std::ranges::any_of(forms, [](const ShortForm& each) { return shows_parallel_combination(each.form); }));
  if (form_of(task.arguments) != Form::json) return page(graph, forms, combinations_of(task), detail_of(task.arguments));
  std::ostringstream out;
  write_json(out, graph, forms, combinations_of(task));
  return std::move(out).str();
}

FormAnswer approximate(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions, bool standard) {
  if (task.arguments.has("error")) return by_short_formulas(task, graph, questions);
  ApproximateOptions options{.limit = limit_of(task.arguments),
                             .range = range_of(task.arguments),
                             .budget = task.budget,
                             .seed = task.arguments.count("seed", 1)};
  const auto transfers = approximate_transfers(graph, questions, options);
  if (!standard) return answer(task, graph, transfers);
  std::vector<StandardApproximation> forms;
  for (const ApproximateTransfer& transfer : transfers)
    forms.push_back(standard_form(transfer, graph, letters_of(task, graph), task.budget));
  return standard_answer(task, graph, forms, transfers);
}

bool in_standard_form(const Arguments& arguments) {
  return arguments.text("form", "rational") == "standard" || arguments.text("as", "rational") == "standard";
}

}  // namespace

void check_form(const Arguments& arguments) {
  const std::string form = arguments.text("form", "rational");
  if (arguments.has("approximate") && form != "standard")
    throw UsageError("--approximate is of the standard form", "write --form standard --approximate, or leave it out");
  for (const char* option : {"within", "freq", "hz"})
    if (arguments.has(option) && form != "approximate" && !arguments.has("approximate"))
      throw UsageError(std::string("--") + option + " is of the approximate form", "add --form approximate, or leave it out");
  if (arguments.has("error") && !(in_standard_form(arguments) && (form == "approximate" || arguments.has("approximate"))))
    throw UsageError("--error is of an approximation in standard form", "add --form standard --approximate, or leave it out");
  if (arguments.has("error") && arguments.has("within"))
    throw UsageError("--error is of each formula, --within of the whole", "leave one of them out");
  refuse_idle_hertz(arguments);
  for (const char* option : {"digits", "exact"})
    if (arguments.has(option) && form != "rational")
      throw UsageError(std::string("--") + option + " is of the rational form", "leave --form out, or this");
  if (arguments.has("positive") && form != "factored" && !in_standard_form(arguments))
    throw UsageError("--positive is of the factored and the standard form", "add --form factored, or leave it out");
  if (arguments.has("parallel") && form != "rational" && !in_standard_form(arguments))
    throw UsageError("--parallel is of the rational and the standard form", "leave --form out, or write --form standard");
  if (arguments.has("parallel") && (arguments.has("digits") || arguments.has("exact")))
    throw UsageError("--parallel keeps the names: there are no digits to round", "leave --digits and --exact out");
}

FormAnswer in_form(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const std::string form = task.arguments.text("form", "rational");
  if (form == "blocks")
    throw UsageError("--form blocks is of the transfer functions of the whole", "write 'sfg tf', or another form");
  task.working("finding transfer functions");
  if (form == "sequence") return by_sequences(task, graph, questions);
  if (form == "factored") return in_factors(task, graph, questions);
  if (form == "zpk") return by_roots(task, graph, questions);
  if (form == "approximate" || task.arguments.has("approximate"))
    return approximate(task, graph, questions, in_standard_form(task.arguments));
  if (form == "standard") return in_standard(task, graph, questions);
  if (form == "numeric") return numeric(task, graph, questions);
  if (form == "mason") return by_paths(task, graph, questions);
  if (form == "table") return over_one_denominator(task, graph, questions);
  return rational(task, graph, questions);
}

std::vector<Option> form_options() {
  return {{"--form",
           "FORM",
           "rational: one fraction in lowest terms (default); mason: sums over paths and loops; factored: by factors, "
           "with ω_n, ζ and Q, in z with radius and angle; sequence: the compact form of large graphs; zpk: zeros, poles, gain; "
           "numeric: coefficients; approximate: "
           "the dominant terms at the stated values; standard: T(0)·(1 + s/ω_z)/((1 + s/ω_p)(1 + s/(Q·ω_0) + (s/ω_0)²)); "
           "table: several over one denominator, N/Δ; blocks: in the functions of subcircuits and clusters, which stay closed",
           Option::Kind::choice,
           {"rational", "mason", "factored", "sequence", "zpk", "numeric", "approximate", "standard", "table", "blocks"}},
          {"--approximate", "", "the standard form of the dominant terms, each root with its error"},
          {"--parallel", "", "sums of fractions as parallel combinations: R1 parallel to R2 in place of R1*R2/(R1 + R2)"},
          {"--within", "DB[,DEG]", "largest error of the approximate form, dB and degrees (default 1,5)"},
          {"--error", "PART",
           "with --approximate: short formulas, each by itself as near as this to the exact value, 10% say: of the value at rest, "
           "of the first two poles and the first zero, or of all up to HI of --freq"},
          {"--freq", "LO:HI",
           "range of the approximate form, rad/s (default: around poles and zeros, where it passes a thousandth of its peak)"},
          {"--hz", "", "frequencies in Hz in --freq"},
          {"--positive", "", "take names without a value as positive, so that the factored form has w rather than sqrt(w^2)"},
          digits_option(),
          exact_option(),
          notation_option(),
          width_option()};
}

}  // namespace sfg::command
