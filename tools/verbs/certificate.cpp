#include "sfg/transfer/certificate.hpp"

#include <algorithm>
#include <optional>

#include "sfg/control/poles.hpp"
#include "sfg/write/certificate.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/output.hpp"

namespace sfg::command {

namespace {

CertificateOptions certificate_options(const Task& task) {
  using Form = CertificateOptions::Form;
  CertificateOptions options{.seed = task.arguments.count("seed", 1), .budget = task.budget};
  const std::string form = task.arguments.text("form", "");
  if (!form.empty()) options.form = form == "rational" ? Form::fraction : Form::sequence;
  options.points = task.arguments.count("primes", options.points);
  if (options.points < 2 || options.points > 50)
    throw UsageError(
        "--primes " + task.arguments.text("primes") + ": a certificate has 2 to 50 points, each modulo a prime of its own",
        "write --primes 3, say");
  return options;
}

/// Of answers with numbers alone, all of them certified in lowest terms.
std::optional<Certificate::Matrix> matrix_of(const Certificate& certificate, const SignalFlowGraph& graph,
                                             std::span<const Question> questions, const Budget& budget) {
  const auto in_numbers = [](const Certificate::Answer& answer) { return answer.lowest_terms && answer.poles; };
  if (!std::ranges::all_of(certificate.answers, in_numbers)) return {};
  const auto parameter = [&](const FormulaLetter& letter) { return letter.name != certificate.op; };
  if (std::ranges::any_of(certificate.letters, parameter)) return {};
  const std::vector<ExactTransfer> transfers = exact_transfers(graph, questions, {.budget = budget});
  auto zeros = transmission_zeros(graph, questions, transfers, {.budget = budget});
  if (!zeros || !zeros->open.empty()) return {};
  return Certificate::Matrix{std::move(zeros->inputs), std::move(zeros->outputs), std::move(zeros->smith_mcmillan)};
}

int run_certificate(Task& task) {
  const CertificateOptions options = certificate_options(task);
  const std::string extension = extension_of(task.arguments.text("output"));
  if (!extension.empty() && extension != "json" && extension != "txt")
    throw UsageError("a certificate is not written as '" + task.arguments.text("output") + "'", "end the name in .json");
  Subject subject = subject_of(task);
  const SignalFlowGraph& graph = subject.regular_graph();
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  task.working("certifying");
  std::optional<LinearEquations> equations;
  if (subject.model() && !task.arguments.has("linearize")) equations = linear_equations(subject.equations(), graph, questions);
  if (!equations) equations = linear_equations(graph, questions);
  Certificate result = certificate(graph, questions, *equations, options);
  result.settings = task.arguments.list("set");
  result.matrix = matrix_of(result, graph, questions, options.budget);
  write_json(task.out, result);
  return 0;
}

}  // namespace

Verb certificate() {
  return {
      .name = "certificate",
      .summary = "transfer functions with what a third party needs to check them",
      .details =
          "JSON: the equations, the answers, and residues of both modulo large primes at random points. "
          "tools/check_certificate, a short Python program that knows nothing of sfg, checks it, and draws points of its own.",
      .options = {{"--form",
                   "FORM",
                   "of the answers: rational, one fraction in lowest terms, or sequence, short expressions that use each "
                   "other (default: rational, unless that is long)",
                   Option::Kind::choice,
                   {"rational", "sequence"}},
                  formerly("--points", {"--primes", "N", "how many points, each modulo a prime of its own (default 3)",
                                        Option::Kind::count})},
      .examples = {"sfg certificate graph.dot -o certificate.json && tools/check_certificate certificate.json",
                   "sfg certificate examples/vehicle.toml --from z1 --to Z -o vehicle.json"},
      .run = run_certificate};
}

}  // namespace sfg::command
