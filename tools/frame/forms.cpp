#include "tools/frame/forms.hpp"

#include "sfg/approximate/approximate.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/transfer/factored.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/approximate.hpp"
#include "sfg/write/factored.hpp"
#include "sfg/write/sequence.hpp"
#include "sfg/write/transfer.hpp"
#include "sfg/write/zpk.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

TransferOptions options_of(const Task& task) { return {.budget = task.budget, .seed = task.arguments.count("seed", 1)}; }

void write_rational(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const auto transfers = transfer_functions(graph, questions, options_of(task));
  if (form_of(task.arguments) == Form::json)
    write_json(task.out, graph, transfers);
  else
    write_text(task.out, graph, transfers, notation_of(task.arguments));
}

/// Sums over paths and loops, with what the closed form says of them.
void write_by_paths(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const auto transfers = transfer_functions(graph, questions, options_of(task));
  task.working("listing paths and loops");
  std::vector<MasonListing> listings;
  for (const Question& question : questions) listings.push_back(mason(graph, question, {.budget = task.budget}));
  if (form_of(task.arguments) == Form::json)
    write_json(task.out, graph, listings, transfers);
  else
    write_text(task.out, graph, listings, transfers, notation_of(task.arguments));
}

/// Coefficients as they are derived from the symbols; where those are too many, from a graph with numbers.
void write_numeric(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  constexpr std::uint64_t few = 20'000;
  TransferOptions options = options_of(task);
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
  if (form_of(task.arguments) == Form::json)
    write_json(task.out, graph, numbers, transfers);
  else
    write_text(task.out, graph, numbers, transfers);
}

void write_sequences(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const auto sequences = transfer_sequences(graph, questions, {.budget = task.budget, .seed = task.arguments.count("seed", 1)});
  if (form_of(task.arguments) == Form::json)
    write_json(task.out, graph, sequences);
  else
    write_text(task.out, graph, sequences, notation_of(task.arguments));
}

void write_factored(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const auto transfers = transfer_functions(graph, questions, options_of(task));
  task.working("factoring");
  std::vector<FactoredTransfer> factors;
  const PositiveLetters letters{.values = graph.symbols.values(), .all = task.arguments.has("positive")};
  for (const TransferFunction& transfer : transfers) factors.push_back(factored(transfer, letters, task.budget));
  if (form_of(task.arguments) == Form::json)
    write_json(task.out, graph, factors, transfers);
  else
    write_text(task.out, graph, factors, transfers, notation_of(task.arguments));
}

void write_roots(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  constexpr std::size_t digits = 25;  // so that the coefficients of pairs are rounded once
  std::vector<PolesZeros> all;
  for (const ExactTransfer& transfer : exact_transfers(graph, questions, options_of(task)))
    all.push_back(poles_zeros(transfer, digits));
  if (form_of(task.arguments) == Form::json)
    write_zpk_json(task.out, all);
  else
    write_zpk_text(task.out, all);
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

void write_approximate(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  ApproximateOptions options{.limit = limit_of(task.arguments),
                             .range = range_of(task.arguments),
                             .budget = task.budget,
                             .seed = task.arguments.count("seed", 1)};
  const auto transfers = approximate_transfers(graph, questions, options);
  if (form_of(task.arguments) == Form::json)
    write_json(task.out, graph, transfers);
  else
    write_text(task.out, graph, transfers, notation_of(task.arguments));
}

}  // namespace

void check_form(const Arguments& arguments) {
  const std::string form = arguments.text("form", "rational");
  const bool numbers = form == "zpk" || form == "numeric";
  if (form_of(arguments) != Form::json && numbers && notation_of(arguments) == Notation::latex)
    throw UsageError("the form " + form + " is not written as LaTeX", "ask for .json or .txt, or another form");
  for (const char* option : {"within", "freq"})
    if (arguments.has(option) && form != "approximate")
      throw UsageError(std::string("--") + option + " is of the approximate form", "add --form approximate, or leave it out");
  if (arguments.has("positive") && form != "factored")
    throw UsageError("--positive is of the factored form", "add --form factored, or leave it out");
  if (form == "zpk" && arguments.has("notation"))
    throw UsageError("--notation is of expressions, and zeros, poles and gain are numbers", "leave it out");
}

void write_in_form(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const std::string form = task.arguments.text("form", "rational");
  task.working("finding transfer functions");
  if (form == "sequence")
    write_sequences(task, graph, questions);
  else if (form == "factored")
    write_factored(task, graph, questions);
  else if (form == "zpk")
    write_roots(task, graph, questions);
  else if (form == "approximate")
    write_approximate(task, graph, questions);
  else if (form == "numeric")
    write_numeric(task, graph, questions);
  else if (form == "mason")
    write_by_paths(task, graph, questions);
  else
    write_rational(task, graph, questions);
}

std::vector<Option> form_options() {
  return {{"--form",
           "FORM",
           "rational: one fraction in lowest terms (default); mason: sums over paths and loops; factored: by factors, "
           "with ω_n, ζ and "
           "Q; sequence: the compact form of large graphs; zpk: zeros, poles, gain; numeric: coefficients; approximate: "
           "the dominant terms at the stated values",
           Option::Kind::choice,
           {"rational", "mason", "factored", "sequence", "zpk", "numeric", "approximate"}},
          {"--within", "DB[,DEG]", "largest error of the approximate form, dB and degrees (default 1,5)"},
          {"--freq", "LO:HI",
           "range of the approximate form, rad/s (default: around poles and zeros, where it passes a thousandth of its peak)"},
          {"--positive", "", "take names without a value as positive, so that the factored form has w rather than sqrt(w^2)"},
          notation_option()};
}

}  // namespace sfg::command
