#include "sfg/export/exported_motion.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

#include "sfg/export/proper_branches.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/response/switching_times.hpp"
#include "sfg/response/time_scales.hpp"
#include "sfg/transfer/state_space.hpp"

namespace sfg {

namespace {

using numeric::TapeBuilder;
using Value = TapeBuilder::Value;

std::vector<NodeId> nodes_of(const ExportSubject& subject, const std::vector<std::string>& names) {
  std::vector<NodeId> nodes;
  for (const std::string& name : names) nodes.push_back(subject.graph.at(name));
  return nodes;
}

void declare(TapeBuilder& builder, const std::vector<ExportedParameter>& parameters) {
  for (const ExportedParameter& parameter : parameters) builder.input(parameter.name);
}

/// GiNaC gives a sum within a product the one sign or the other, from run to run: here letters stand for the sums.
class SettledFractions {
 public:
  explicit SettledFractions(ExpressionCompiler& compile) : compile_(compile) {}

  GiNaC::ex operator()(const GiNaC::ex& e) {
    const auto [above, below] = fraction(e);
    return letter(above) / letter(below);
  }

 private:
  GiNaC::ex letter(const GiNaC::ex& sum) {
    if (!GiNaC::is_a<GiNaC::add>(sum)) return sum;
    const GiNaC::symbol letter("sum " + std::to_string(++count_));
    compile_.define(letter, sum);
    return letter;
  }

  ExpressionCompiler& compile_;
  std::size_t count_ = 0;
};

ExportedStates of_signals(const ExportSubject& subject, const std::vector<ExportedParameter>& parameters, const Budget& budget) {
  ExportedStates result{.states = {}, .inputs = export_inputs(subject), .outputs = export_outputs(subject), .entries = {}};
  const StateSpace space =
      state_space(subject.graph,
                  {.inputs = nodes_of(subject, result.inputs), .outputs = nodes_of(subject, result.outputs), .budget = budget});
  result.states = space.states;
  TapeBuilder builder;
  declare(builder, parameters);
  ExpressionCompiler compile(builder);
  SettledFractions settled(compile);
  std::vector<Value> entries;
  for (const StateSpace::Matrix* matrix : {&space.A, &space.B, &space.C, &space.D})
    for (const std::vector<GiNaC::ex>& row : *matrix)
      for (const GiNaC::ex& entry : row) entries.push_back(compile(settled(entry)));
  result.entries = builder.tape(entries);
  return result;
}

/// A companion form in units of time that keep its entries near 1: row i of x is divided by w^i, w a power of two.
class CompanionForms {
 public:
  CompanionForms(const std::vector<ExportedTransfer>& transfers, const std::vector<ExportedParameter>& parameters,
                 ExportedStates& to)
      : transfers_(transfers), values_(values_of(parameters)), to_(to) {
    declare(builder_, parameters);
  }

  void write() {
    std::size_t n = 0;
    for (const ExportedTransfer& T : transfers_) n += T.improper() ? 0 : T.denominator - 1;
    A_.assign(n, std::vector<Value>(n, builder_.constant(0)));
    B_.assign(n, std::vector<Value>(to_.inputs.size(), builder_.constant(0)));
    C_.assign(to_.outputs.size(), std::vector<Value>(n, builder_.constant(0)));
    D_.assign(to_.outputs.size(), std::vector<Value>(to_.inputs.size(), builder_.constant(0)));
    for (const ExportedTransfer& T : transfers_) {
      if (T.improper())
        to_.improper.push_back(T.label());
      else
        add(T);
    }
    std::vector<Value> entries;
    for (const auto* matrix : {&A_, &B_, &C_, &D_})
      for (const std::vector<Value>& row : *matrix) entries.insert(entries.end(), row.begin(), row.end());
    to_.entries = builder_.tape(entries);
  }

 private:
  void add(const ExportedTransfer& T) {
    const std::vector<Value> c = inserted(builder_, T.coefficients);
    const std::size_t n = T.denominator - 1, first = used_;
    used_ += n;
    const std::size_t u = place(to_.inputs, T.input), y = place(to_.outputs, T.output);
    const double w = T.pace(values_);
    const auto N = [&](std::size_t power) { return power < T.numerator ? c[T.numerator - 1 - power] : builder_.constant(0); };
    const auto a = [&](std::size_t power) { return builder_.divide(c[T.numerator + n - power], c[T.numerator]); };
    const Value d = builder_.divide(N(n), c[T.numerator]);
    D_[y][u] = builder_.add(D_[y][u], d);
    for (std::size_t k = 0; k < n; ++k) {
      to_.states.push_back("x" + std::to_string(first + k + 1));
      const Value scale = builder_.constant(std::pow(w, static_cast<double>(k) - static_cast<double>(n - 1)));
      if (k + 1 < n) A_[first + k][first + k + 1] = builder_.constant(w);
      A_[first + n - 1][first + k] = builder_.negate(builder_.multiply(scale, a(k)));
      const Value b = builder_.divide(N(k), c[T.numerator]);
      C_[y][first + k] = builder_.multiply(scale, builder_.subtract(b, builder_.multiply(d, a(k))));
    }
    if (n > 0) B_[first + n - 1][u] = builder_.constant(1);
  }

  static std::size_t place(const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  }

  const std::vector<ExportedTransfer>& transfers_;
  std::vector<double> values_;
  ExportedStates& to_;
  TapeBuilder builder_;
  std::vector<std::vector<Value>> A_, B_, C_, D_;
  std::size_t used_ = 0;
};

/// Builds f and g of a graph cut open at its laws.
class MotionTape {
 public:
  MotionTape(const ExportSubject& subject, const std::vector<ExportedParameter>& parameters, const PrincipalForm& form,
             const Budget& budget)
      : subject_(subject),
        form_(form),
        space_(state_space(form.linear, {.inputs = form.inputs(), .outputs = form.outputs(), .budget = budget})) {
    declare(builder_, parameters);
    compile_.define(form.time, input("the time"));
    for (std::size_t k = 0; k < space_.states.size(); ++k) states_.push_back(input("state " + std::to_string(k)));
    for (std::size_t k = 0; k < form.sources.size(); ++k) inputs_.push_back(input("input " + std::to_string(k)));
    known_.assign(inputs_.size(), true);
    known_.resize(form.input_count(), false);
    for (std::size_t k = 0; k < form.laws.size(); ++k) inputs_.push_back(GiNaC::symbol("law " + std::to_string(k)));
  }

  const std::vector<std::string>& states() const { return space_.states; }

  std::vector<BranchId> sliding() const {
    std::vector<BranchId> found;
    const GiNaC::exmap values = subject_.graph.parameter_values();
    for (std::size_t k = 0; k < form_.laws.size(); ++k) {
      if (!jumps(form_.laws[k].law)) continue;
      GiNaC::ex own = 0;  // C B: what the law adds to the rates of its arguments
      for (const std::size_t a : form_.laws[k].arguments)
        for (std::size_t j = 0; j < states_.size(); ++j) {
          const GiNaC::ex part = space_.C[a][j] * space_.B[j][form_.sources.size() + k];
          own += GiNaC::pow(part.subs(values), 2);
        }
      if (!own.is_zero()) found.push_back(form_.laws[k].branch);
    }
    return found;
  }

  /// What in the laws follows from the time alone, the inputs given.
  void add_parts_of_laws(const std::vector<GiNaC::ex>& drives, std::vector<GiNaC::ex>& found) const {
    GiNaC::exmap meaning = subject_.graph.parameter_values();
    for (std::size_t a = 0; a < form_.arguments.size(); ++a) {
      const auto zero = [](const GiNaC::ex& entry) { return entry.is_zero(); };
      const auto& of_inputs = space_.D[a];
      const auto first_law = of_inputs.begin() + static_cast<std::ptrdiff_t>(drives.size());
      if (!std::ranges::all_of(space_.C[a], zero) || !std::all_of(first_law, of_inputs.end(), zero)) continue;
      GiNaC::ex signal = 0;
      for (std::size_t k = 0; k < drives.size(); ++k) signal += of_inputs[k].subs(subject_.graph.parameter_values()) * drives[k];
      meaning[form_.arguments[a].symbol] = signal;
    }
    meaning[form_.time] = subject_.time;
    for (const PrincipalForm::Law& law : form_.laws)
      add_parts_of_time(law.law.subs(meaning, GiNaC::subs_options::no_pattern), subject_.time, found);
  }

  numeric::Tape tape() {
    for (std::size_t left = form_.laws.size(); left > 0; --left) evaluate(next_law());
    std::vector<Value> outputs;
    for (std::size_t k = 0; k < states_.size(); ++k) outputs.push_back(compile_(row(space_.A[k], space_.B[k])));
    for (std::size_t k = 0; k < form_.sinks.size(); ++k) outputs.push_back(compile_(signal(form_.arguments.size() + k)));
    return builder_.tape(outputs);
  }

 private:
  static bool jumps(const GiNaC::ex& law) {
    for (auto part = law.preorder_begin(); part != law.preorder_end(); ++part)
      if (const std::string name = function_name(*part); name == "sign" || name == "step" || name == "floor") return true;
    return false;
  }

  GiNaC::ex input(const std::string& name) {
    builder_.input(name);
    return GiNaC::symbol(name);
  }

  GiNaC::ex row(const std::vector<GiNaC::ex>& of_states, const std::vector<GiNaC::ex>& of_inputs) {
    GiNaC::ex sum = 0;
    for (std::size_t k = 0; k < of_states.size(); ++k) sum += settled_(of_states[k]) * states_[k];
    for (std::size_t k = 0; k < of_inputs.size(); ++k) sum += settled_(of_inputs[k]) * inputs_[k];
    return sum;
  }
  GiNaC::ex signal(std::size_t k) { return row(space_.C[k], space_.D[k]); }

  bool ready(std::size_t argument) const {
    for (std::size_t k = 0; k < known_.size(); ++k)
      if (!known_[k] && !space_.D[argument][k].is_zero()) return false;
    return true;
  }

  /// A law whose arguments are known: its output makes those of others known.
  std::size_t next_law() const {
    for (std::size_t k = 0; k < form_.laws.size(); ++k)
      if (!known_[form_.sources.size() + k] &&
          std::ranges::all_of(form_.laws[k].arguments, [&](std::size_t a) { return ready(a); }))
        return k;
    for (std::size_t k = 0; k < form_.laws.size(); ++k)
      if (!known_[form_.sources.size() + k])
        refuse_branch(subject_.graph, subject_.graph[form_.laws[k].branch],
                      "is in a loop without an integrator, which has to be solved at every time",
                      "the targets json, csv, graphml and latex write it as it stands");
    throw NoAnswer("the laws are in a loop without an integrator");
  }

  void evaluate(std::size_t k) {
    const PrincipalForm::Law& law = form_.laws[k];
    for (const std::size_t a : law.arguments)
      if (defined_.insert(a).second) compile_.define(form_.arguments[a].symbol, signal(a));
    try {
      compile_.define(inputs_[form_.sources.size() + k], law.law);
      compile_(inputs_[form_.sources.size() + k]);
    } catch (const Error&) {
      refuse_branch(subject_.graph, subject_.graph[law.branch], "has a law with memory, which this target does not know",
                    "the targets json, csv, graphml and latex write it as it stands");
    }
    known_[form_.sources.size() + k] = true;
  }

  const ExportSubject& subject_;
  const PrincipalForm& form_;
  StateSpace space_;
  TapeBuilder builder_;
  ExpressionCompiler compile_{builder_};
  SettledFractions settled_{compile_};
  std::vector<GiNaC::ex> states_, inputs_;  // of inputs those of the laws behind the others
  std::vector<bool> known_;
  std::set<std::size_t> defined_;
};

/// Values of the inputs at a time.
numeric::Tape driving(const ExportSubject& subject, const std::vector<std::string>& inputs,
                      const std::vector<ExportedParameter>& parameters) {
  TapeBuilder builder;
  declare(builder, parameters);
  builder.input("the time");
  ExpressionCompiler compile(builder);
  compile.define(subject.time, GiNaC::symbol("the time"));
  std::vector<Value> values;
  for (const std::string& name : inputs) {
    const auto drive = std::ranges::find(subject.drives, name, &std::pair<std::string, GiNaC::ex>::first);
    values.push_back(drive == subject.drives.end() ? builder.constant(1) : compile(drive->second));
  }
  return builder.tape(values);
}

std::vector<double> start_of(const ExportSubject& subject, const std::vector<std::string>& states) {
  std::vector<double> start(states.size(), 0.0);
  for (const auto& [name, value] : subject.initial) {
    const auto state = std::ranges::find(states, name);
    if (state == states.end())
      throw NoAnswer("the initial value of '" + name + "' is of no state", "give it to a signal behind an integrator");
    start[static_cast<std::size_t>(state - states.begin())] = value;
  }
  return start;
}

void declare_with_time(TapeBuilder& builder, const std::vector<ExportedParameter>& parameters) {
  for (const ExportedParameter& parameter : parameters) builder.input(parameter.name);
  builder.input("the time");
}

}  // namespace

ExportedStates exported_states(const ExportSubject& subject, const std::vector<ExportedParameter>& parameters,
                               const std::vector<ExportedTransfer>& transfers, const Budget& budget) {
  for (const ExportedTransfer& T : transfers)
    if (T.delayed) refuse_gains(subject);
  constexpr std::size_t longest = 20'000;
  if (std::ranges::none_of(transfers, &ExportedTransfer::improper)) try {
      ExportedStates found = of_signals(subject, parameters, budget.with_terms(longest));
      if (found.entries.operation_count() <= longest) return found;
    } catch (const LimitReached&) {
    }
  return companion_states(subject, parameters, transfers);
}

ExportedStates companion_states(const ExportSubject& subject, const std::vector<ExportedParameter>& parameters,
                                const std::vector<ExportedTransfer>& transfers) {
  ExportedStates result{.states = {}, .inputs = export_inputs(subject), .outputs = export_outputs(subject), .entries = {}};
  CompanionForms(transfers, parameters, result).write();
  return result;
}

namespace {

/// Of the inputs, in that order; one that nothing states is a unit step.
std::vector<GiNaC::ex> drives_of(const ExportSubject& subject, const std::vector<std::string>& inputs) {
  std::vector<GiNaC::ex> found;
  for (const std::string& name : inputs) {
    const auto drive = std::ranges::find(subject.drives, name, &std::pair<std::string, GiNaC::ex>::first);
    found.push_back(drive == subject.drives.end() ? GiNaC::ex(1) : drive->second.subs(subject.graph.parameter_values()));
  }
  return found;
}

/// @param functions  of the time
std::vector<double> switches_of(const ExportSubject& subject, const std::vector<GiNaC::ex>& functions, const Budget& budget) {
  const double until = subject.times.back(), spacing = until / static_cast<double>(subject.times.size());
  std::set<double> times;
  for (const GiNaC::ex& function : functions)
    for (const double time : switching_times(function, subject.time, until, budget).times) times.insert(time);
  constexpr std::size_t most = 2000;  // what varies so fast all the time, steps see without them
  const std::vector<double> narrow = TimeScales(functions, subject.time, until, budget).parts_below(spacing / 2);
  if (narrow.size() > most) return {times.begin(), times.end()};
  const std::set<double> switches = times;
  const auto beside_switch = [&](double end) {  // parts crowd where a function jumps
    const double close = 1e-6 * until;
    const auto next = switches.lower_bound(end - close);
    return next != switches.end() && *next <= end + close;
  };
  std::ranges::copy_if(narrow, std::inserter(times, times.end()), std::not_fn(beside_switch));
  return {times.begin(), times.end()};
}

}  // namespace

ExportedMotion exported_motion(const ExportSubject& subject, const std::vector<ExportedParameter>& parameters,
                               const Budget& budget) {
  ExportedMotion result{
      .states = {}, .inputs = export_inputs(subject), .outputs = export_outputs(subject), .start = {}, .rates = {}, .drives = {}};
  const std::vector<NodeId> sources = nodes_of(subject, result.inputs), sinks = nodes_of(subject, result.outputs);
  const PrincipalForm form = principal_form(subject.graph, sources, sinks);
  MotionTape motion(subject, parameters, form, budget);
  result.states = motion.states();
  result.rates = motion.tape();
  if (!subject.graph.op.discrete()) result.sliding = motion.sliding();
  result.start = start_of(subject, result.states);
  result.drives = driving(subject, result.inputs, parameters);
  if (subject.times.empty() || subject.graph.op.discrete()) return result;
  std::vector<GiNaC::ex> functions = drives_of(subject, result.inputs);
  motion.add_parts_of_laws(std::vector(functions), functions);
  result.switches = switches_of(subject, functions, budget);
  return result;
}

void refuse_sliding(const ExportSubject& subject, const ExportedMotion& motion) {
  if (motion.sliding.empty()) return;
  refuse_branch(subject.graph, subject.graph[motion.sliding.front()],
                "has a law that jumps and acts on the rate of what it depends on: where it slides or sticks, the integrators of "
                "this target take steps without end",
                "write the jump as a steep saturation; the targets json, csv, graphml and latex write it as it stands");
}

std::vector<Value> inserted(TapeBuilder& builder, const numeric::Tape& tape) {
  std::vector<Value> inputs;
  for (const std::string& name : tape.inputs()) inputs.push_back(builder.input(name));
  return inserted(builder, tape, inputs);
}

std::vector<Value> inserted(TapeBuilder& builder, const numeric::Tape& tape, std::span<const Value> inputs) {
  std::vector<Value> values;
  for (const numeric::Instruction& i : tape.instructions()) {
    using enum numeric::Operation;
    switch (i.operation) {
      case constant: values.push_back(builder.constant(tape.constants()[i.left])); break;
      case input: values.push_back(inputs[i.left]); break;
      case integer_power: values.push_back(builder.power(values[i.left], i.exponent())); break;
      default:
        values.push_back(operand_count(i.operation) > 1 ? builder.apply(i.operation, values[i.left], values[i.right])
                                                        : builder.apply(i.operation, values[i.left]));
    }
  }
  std::vector<Value> outputs;
  for (const std::uint32_t output : tape.outputs()) outputs.push_back(values[output]);
  return outputs;
}

ExportedMotion linear_motion(const ExportedStates& space, const std::vector<ExportedParameter>& parameters) {
  ExportedMotion motion{.states = space.states,
                        .inputs = space.inputs,
                        .outputs = space.outputs,
                        .start = std::vector<double>(space.states.size(), 0.0),
                        .rates = {},
                        .drives = {}};
  TapeBuilder builder, driving;
  declare_with_time(builder, parameters);
  declare_with_time(driving, parameters);
  std::vector<Value> signals;
  for (std::size_t k = 0; k < space.states.size(); ++k) signals.push_back(builder.input("state " + std::to_string(k)));
  for (std::size_t k = 0; k < space.inputs.size(); ++k) signals.push_back(builder.input("input " + std::to_string(k)));
  const std::vector<Value> entries = inserted(builder, space.entries);
  const std::size_t n = space.states.size(), in = space.inputs.size(), out = space.outputs.size();
  std::vector<Value> rows;
  const auto row = [&](std::size_t of_states, std::size_t of_inputs) {
    Value sum = builder.constant(0);
    for (std::size_t k = 0; k < n; ++k) sum = builder.add(sum, builder.multiply(entries[of_states + k], signals[k]));
    for (std::size_t k = 0; k < in; ++k) sum = builder.add(sum, builder.multiply(entries[of_inputs + k], signals[n + k]));
    rows.push_back(sum);
  };
  for (std::size_t k = 0; k < n; ++k) row(k * n, n * n + k * in);
  for (std::size_t k = 0; k < out; ++k) row(n * (n + in) + k * n, n * (n + in) + out * n + k * in);
  motion.rates = builder.tape(rows);
  const std::vector<Value> steps(in, driving.constant(1));
  motion.drives = driving.tape(steps);
  return motion;
}

}  // namespace sfg
