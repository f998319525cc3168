#include "sfg/nonlinear/compiled_laws.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "sfg/expr/compile.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/nonlinear/run/laws_with_memory.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// Expressions of the inputs as tapes. Inputs are renamed by their numbers: a signal may be called like a parameter.
class Programs {
 public:
  Programs(const std::vector<ex>& inputs, const GiNaC::exmap& values) : values_(values) {
    for (const ex& input : inputs) {
      inputs_.push_back(GiNaC::symbol("#" + std::to_string(inputs_.size())));
      renamed_[input] = inputs_.back();
      values_.erase(input);
    }
  }

  numeric::Tape tape(const std::vector<ex>& outputs) const { return compile(renamed(outputs), inputs_, values_); }

  /// With constants as they are, for enclosures.
  numeric::Tape exact_tape(const std::vector<ex>& outputs) const {
    numeric::TapeBuilder builder(numeric::TapeBuilder::Folding::exact);
    for (const ex& input : inputs_) builder.input(GiNaC::ex_to<GiNaC::symbol>(input).get_name());
    ExpressionCompiler compiler(builder, values_);
    std::vector<numeric::TapeBuilder::Value> results;
    for (const ex& output : renamed(outputs)) results.push_back(compiler(output));
    return builder.tape(results);
  }

 private:
  std::vector<ex> renamed(const std::vector<ex>& outputs) const {
    std::vector<ex> result;
    for (const ex& output : outputs) result.push_back(output.subs(renamed_, plain));
    return result;
  }

  std::vector<ex> inputs_;
  GiNaC::exmap renamed_, values_;
};

std::vector<std::uint32_t> numbers(std::size_t begin, std::size_t count) {
  std::vector<std::uint32_t> result(count);
  std::iota(result.begin(), result.end(), static_cast<std::uint32_t>(begin));
  return result;
}

/// Working memory of a thread: laws are called often, and are short.
struct Scratch {
  std::vector<double> inputs, slots, outputs;
};
Scratch& scratch() {
  thread_local Scratch mine;
  return mine;
}

}  // namespace

CompiledLaws::CompiledLaws(const PrincipalForm& form, const GiNaC::exmap& values, std::span<const ex> parameters)
    : laws_(form.laws.size()), arguments_(form.arguments.size()), parameters_(parameters.size()) {
  std::vector<ex> stated, inputs, next, followed, switching, range;
  for (const auto& law : form.laws) {
    stated.push_back(law.law);
    grips_.push_back(has_grip(law.law));
  }
  const ExplicitLaws laws = explicit_laws(stated);
  for (const auto& argument : form.arguments) inputs.push_back(argument.symbol);
  inputs.push_back(form.time);
  inputs.insert(inputs.end(), parameters.begin(), parameters.end());
  for (const MemoryTerm& term : laws.memories) {
    inputs.push_back(term.memory);
    memories_.push_back({term.relay ? Memory::Kind::hysteresis : Memory::Kind::backlash, term.law, term.relay ? -1.0 : 0.0});
    next.push_back(term.next);
    followed.push_back(term.followed);
    range.push_back(term.low);
    range.push_back(term.high);
  }
  const Programs programs(inputs, values);
  std::vector<std::uint32_t> by = numbers(0, arguments_);
  const auto free = numbers(arguments_ + 1, parameters_);
  by.insert(by.end(), free.begin(), free.end());
  value_ = programs.tape(laws.laws);
  jacobian_ = numeric::with_jacobian(value_, by);
  next_ = programs.tape(next);
  followed_ = programs.tape(followed);
  // A function that has no argument, time or memory never changes its sign.
  const auto moves = [&](const Switch& s) {
    return std::ranges::any_of(inputs, [&](const ex& input) {
      return s.function.has(input) &&
             std::ranges::find_if(parameters, [&](const ex& p) { return p.is_equal(input); }) == parameters.end();
    });
  };
  for (const Switch& s : laws.switches) {
    if (!moves(s)) continue;
    switching.push_back(s.function);
    jumps_.push_back(s.jumps);
  }
  switching_ = programs.tape(switching);
  exact_ = programs.exact_tape(laws.laws);
  range_ = programs.exact_tape(range);
}

template <class Output>
void CompiledLaws::run(const numeric::Tape& tape, const Point& point, Output&& output) const {
  if (point.arguments.size() != arguments_ || point.parameters.size() != parameters_)
    throw std::invalid_argument("CompiledLaws: a value for every argument and every free parameter");
  if (!point.memory.empty() && point.memory.size() != memories_.size())
    throw std::invalid_argument("CompiledLaws: a value for every memory, or none");
  Scratch& work = scratch();
  work.inputs.assign(point.arguments.begin(), point.arguments.end());
  work.inputs.push_back(point.time);
  work.inputs.insert(work.inputs.end(), point.parameters.begin(), point.parameters.end());
  for (std::size_t i = 0; i < memories_.size(); ++i)
    work.inputs.push_back(point.memory.empty() ? memories_[i].initial : point.memory[i]);
  work.slots.resize(std::max(work.slots.size(), tape.slot_count()));
  work.outputs.resize(tape.outputs().size());
  tape.run<double>(work.inputs, work.outputs, work.slots);
  output(std::span<const double>(work.outputs));
}

void CompiledLaws::values(const Point& point, std::span<double> f) const {
  run(value_, point, [&](std::span<const double> found) { std::ranges::copy(found, f.begin()); });
}

void CompiledLaws::values(const Point& point, std::span<double> f, std::span<double> by_arguments) const {
  sensitivities(point, f, by_arguments, {});
}

void CompiledLaws::sensitivities(const Point& point, std::span<double> f, std::span<double> by_arguments,
                                 std::span<double> by_parameters) const {
  const std::size_t width = arguments_ + parameters_;
  run(jacobian_, point, [&](std::span<const double> found) {
    std::ranges::copy(found.first(laws_), f.begin());
    for (std::size_t law = 0; law < laws_; ++law) {
      const auto row = found.subspan(laws_ + law * width, width);
      std::ranges::copy(row.first(arguments_), by_arguments.subspan(law * arguments_).begin());
      if (!by_parameters.empty()) std::ranges::copy(row.subspan(arguments_), by_parameters.subspan(law * parameters_).begin());
    }
  });
}

std::vector<double> CompiledLaws::initial_memory() const {
  std::vector<double> result;
  for (const Memory& memory : memories_) result.push_back(memory.initial);
  return result;
}

void CompiledLaws::remember(const Point& point, std::span<double> next) const {
  run(next_, point, [&](std::span<const double> found) { std::ranges::copy(found, next.begin()); });
}

void CompiledLaws::followed(const Point& point, std::span<double> signals) const {
  run(followed_, point, [&](std::span<const double> found) { std::ranges::copy(found, signals.begin()); });
}

void CompiledLaws::switching(const Point& point, std::span<double> g) const {
  run(switching_, point, [&](std::span<const double> found) { std::ranges::copy(found, g.begin()); });
}

Enclosure CompiledLaws::enclosure(std::span<const ring::Bounds> arguments, const ring::Bounds& time,
                                  std::span<const double> parameters, std::span<const int> sides) const {
  if (arguments.size() != arguments_ || parameters.size() != parameters_)
    throw std::invalid_argument("CompiledLaws::enclosure: bounds of every argument and a value of every free parameter");
  std::vector<ring::Bounds> box(arguments.begin(), arguments.end());
  box.push_back(time);
  for (const double parameter : parameters) box.push_back(ring::Bounds::exactly(parameter));
  const std::size_t first = box.size();
  box.resize(first + memories_.size());
  for (std::size_t i = 0; i < memories_.size(); ++i) {  // what follows another memory comes behind it
    const Enclosure range = sfg::enclosure(range_, box, {});
    box[first + i] = hull(range.values[2 * i], range.values[2 * i + 1]);
  }
  return sfg::enclosure(exact_, box, numbers(0, arguments_), sides);
}

std::vector<double> CompiledLaws::batch(std::size_t points, std::span<const double> arguments,
                                        std::span<const double> parameters) const {
  constexpr double time = 0;
  std::vector<std::span<const double>> columns;
  for (std::size_t a = 0; a < arguments_; ++a) columns.push_back(arguments.subspan(a * points, points));
  columns.emplace_back(&time, 1);
  for (const double& value : parameters) columns.emplace_back(&value, 1);
  std::vector<double> all(jacobian_.outputs().size() * points), workspace(jacobian_.slot_count() * numeric::Tape::batch_size);
  jacobian_.run_batch<double>(points, columns, all, workspace);
  return all;
}

}  // namespace sfg
