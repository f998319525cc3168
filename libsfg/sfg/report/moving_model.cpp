#include "sfg/report/report.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_numbers.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/report/tape_script.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/study/measures/delayed_coefficients.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

using numeric::TapeBuilder;

/// A tape whose first inputs are the parameters, and whose other inputs are numbers that no double holds.
class ParameterTape {
 public:
  explicit ParameterTape(const std::vector<MovingParameter>& parameters)
      : parameters_(parameters.size()), builder_(TapeBuilder::Folding::exact) {
    for (const MovingParameter& parameter : parameters) builder_.input(parameter.name);
  }

  TapeBuilder& builder() { return builder_; }
  TapeBuilder::Value operator()(const GiNaC::ex& e) { return compiler_(exact_(e)); }
  TapeBuilder::Value number(const exact::Rational& x) { return compiler_(exact_.number(x)); }

  std::string script(std::span<const TapeBuilder::Value> outputs, const SymbolTable& symbols) {
    constexpr std::size_t most_operations = 60'000;  // some 30 ms a move
    const numeric::Tape tape = builder_.tape(outputs);
    if (tape.operation_count() > most_operations)
      throw LimitReached("the coefficients take more than 60,000 operations", Advice::reduce_graph);
    const auto others = tape.inputs().subspan(parameters_);
    std::set<std::string> missing(others.begin(), others.end());
    std::erase_if(missing, [](const std::string& name) { return name.starts_with('#'); });
    if (!missing.empty()) throw missing_values(missing, symbols);
    return tape_script(tape, parameters_, exact_.found());
  }

 private:
  std::size_t parameters_;
  TapeBuilder builder_;
  ExactNumbers exact_;
  ExpressionCompiler compiler_{builder_};
};

std::vector<MovingParameter> moving_parameters(const SignalFlowGraph& graph) {
  std::vector<MovingParameter> found;
  const GiNaC::exmap values = graph.symbols.values();
  for (const Symbol& symbol : graph.symbols.all()) {
    if (symbol.kind != SymbolKind::parameter || !symbol.value || symbol.name == graph.op.symbol()) continue;
    const auto value = values.find(symbol.expr);
    const auto start = value == values.end() ? std::nullopt : rational_value(value->second);
    if (!start) continue;
    found.push_back({.name = symbol.name,
                     .start = *start,
                     .unit = symbol.unit,
                     .text = symbol.text,
                     .follows = is_derived(symbol) ? print(*symbol.value) : std::string()});
  }
  return found;
}

/// Powers of two keep whole coefficients exact.
exact::Rational power_of_two_near(const exact::Rational& x) {
  const double size = x.to_double();
  if (!std::isfinite(size)) return x;
  const int exponent = std::ilogb(size);
  const exact::Rational power = exact::Rational(2).power(std::abs(exponent));
  return exponent < 0 ? exact::Rational(1) / power : power;
}

/// The factor that was cancelled, as far as it is one of the operator.
DelayedCoefficients hidden_modes(const TransferFunction& T, const GiNaC::ex& s) {
  const std::vector<DelayedCoefficients> parts = delayed_coefficients(T.value.space(), T.cancelled, s);
  return parts.size() == 1 && parts.front().size() > 1 ? parts.front() : DelayedCoefficients();
}

/// The coefficients of one side, one polynomial a dead time, each followed by that where it is not 0; how they are to be read.
std::string side_script(const std::vector<DelayedCoefficients>& side, CoefficientWriter& write, ParameterTape& tape,
                        std::vector<TapeBuilder::Value>& outputs) {
  std::string shape;
  for (const DelayedCoefficients& part : side) {
    write.append(part, outputs);
    const GiNaC::ex delay = part.delay.expand();
    if (!delay.is_zero()) outputs.push_back(tape(delay));
    shape += (shape.empty() ? "" : ",") + fmt::format("[{},{}]", part.size(), delay.is_zero() ? 0 : 1);
  }
  return "[" + shape + "]";
}

struct CoefficientScript {
  std::string text;
  bool delayed_loop = false;  ///< a denominator with several dead times
};

/// {above: [[size, delayed] …], below: [[size, delayed] …], hidden: size}: how the outputs of the program are to be read, one
/// after the other.
CoefficientScript coefficients_script(const SignalFlowGraph& graph, std::span<const Question> questions,
                                      const std::vector<MovingParameter>& parameters, const Budget& budget) {
  constexpr std::uint64_t most_terms = 50'000;
  const GiNaC::ex s = graph.op.in(graph.symbols);
  std::vector<GiNaC::ex> kept{s};
  for (const MovingParameter& parameter : parameters) kept.push_back(graph.symbols.at(parameter.name).expr);
  const SignalFlowGraph numbered = graph.substituted(values_keeping(graph.symbols, kept));
  ParameterTape tape(parameters);
  std::vector<TapeBuilder::Value> outputs;
  std::string shapes;
  CoefficientScript made;
  for (const TransferFunction& T : transfer_functions(numbered, questions, {.budget = budget.with_terms(most_terms)})) {
    const std::vector<DelayedCoefficients> above = delayed_coefficients(T.value.space(), T.value.numerator(), s),
                                           below = delayed_coefficients(T.value.space(), T.value.denominator(), s);
    made.delayed_loop = made.delayed_loop || below.size() > 1;
    const exact::Rational unit = power_of_two_near(greatest_coefficient(T.value.denominator()));
    CoefficientWriter write(
        tape.builder(), T.value.space(), [&](const GiNaC::ex& letter) { return tape(letter); },
        [&](const exact::Rational& number) { return tape.number(number / unit); });
    const std::string upper = side_script(above, write, tape, outputs), lower = side_script(below, write, tape, outputs);
    const DelayedCoefficients hidden = hidden_modes(T, s);
    write.append(hidden, outputs);
    shapes += (shapes.empty() ? "" : ",") + fmt::format("{{above:{},below:{},hidden:{}}}", upper, lower, hidden.size());
  }
  made.text = fmt::format("shapes:[{}],\ncoefficients:{}", shapes, tape.script(outputs, graph.symbols));
  return made;
}

/// The values themselves, of the operator and the parameters.
std::string values_script(const SignalFlowGraph& graph, std::span<const Question> questions,
                          const std::vector<MovingParameter>& parameters, const Budget& budget) {
  CompiledOptions options{.budget = budget};
  for (const MovingParameter& parameter : parameters) options.parameters.push_back(parameter.name);
  const CompiledResponse compiled(graph, questions, options);
  constexpr std::size_t most_operations = 20'000;
  if (compiled.tape().operation_count() > most_operations)
    throw LimitReached("a value takes more than 20,000 operations", Advice::reduce_graph);
  std::vector<std::pair<std::string, exact::Rational>> numbers;
  const std::span<const std::string> names = compiled.tape().inputs().subspan(1 + parameters.size());
  for (std::size_t k = 0; k < names.size(); ++k) numbers.emplace_back(names[k], *compiled.constants()[k].rational);
  return "values:" + tape_script(compiled.tape(), 1 + parameters.size(), numbers);
}

/// The parameters; one that is stated by others with its program.
std::string parameters_script(const SignalFlowGraph& graph, const std::vector<MovingParameter>& parameters) {
  std::string text;
  for (const MovingParameter& parameter : parameters) {
    text += fmt::format("{}{{name:{},start:{}", text.empty() ? "" : ",\n", script_string(parameter.name),
                        script_number(parameter.start));
    if (!parameter.follows.empty()) {
      ParameterTape tape(parameters);
      const TapeBuilder::Value value = tape(*graph.symbols.at(parameter.name).value);
      text += ",follows:" + tape.script(std::span(&value, 1), graph.symbols);
    }
    text += "}";
  }
  return text;
}

}  // namespace

MovingModel moving_model(const SignalFlowGraph& graph, std::span<const Question> questions, const Budget& budget) {
  MovingModel made{.parameters = moving_parameters(graph), .transfers = {}, .script = {}};
  std::string transfers, program;
  for (const Question& question : questions) {
    const std::string &input = graph[question.input].name, &output = graph[question.output].name;
    made.transfers.push_back(output + "/" + input);
    transfers += fmt::format("{}{{input:{},output:{},label:{}}}", transfers.empty() ? "" : ",", script_string(input),
                             script_string(output), script_string(made.transfers.back()));
  }
  try {
    const CoefficientScript script = coefficients_script(graph, questions, made.parameters, budget);
    program = script.text;
    made.coefficients = !script.delayed_loop;
  } catch (const Cancelled&) {
    throw;
  } catch (const Failure&) {  // no coefficients, or too many of them
    program = values_script(graph, questions, made.parameters, budget);
    made.coefficients = false;
  }
  made.script = fmt::format("const moving = {{variable:{},period:{},\ntransfers:[{}],\nparameters:[{}],\n{}}};\n",
                            script_string(graph.op.symbol()),
                            graph.op.discrete() ? fmt::format("{}", graph.op.period().to_double()) : "null", transfers,
                            parameters_script(graph, made.parameters), program);
  return made;
}

}  // namespace sfg
