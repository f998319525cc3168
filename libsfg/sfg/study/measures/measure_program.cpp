#include "sfg/study/measures/measure.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/study/measures/exact_measure.hpp"
#include "sfg/study/measures/fraction_evaluator.hpp"
#include "sfg/study/measures/noise_measure.hpp"
#include "sfg/study/samples/sampled_figures.hpp"

namespace sfg {

namespace {

constexpr std::size_t chunk = numeric::Tape::batch_size;

bool on_axis_at(MeasureKind kind) { return kind == MeasureKind::gain || kind == MeasureKind::db || kind == MeasureKind::phase; }

/// Whether a value in doubles is the certified one.
bool agree(MeasureKind kind, double value, double certified) {
  const bool in_degrees_or_decibels = kind == MeasureKind::phase || kind == MeasureKind::db || kind == MeasureKind::overshoot ||
                                      kind == MeasureKind::gain_margin || kind == MeasureKind::phase_margin;
  constexpr double relative = 1e-8;
  return std::abs(value - certified) <= relative * std::abs(certified) + (in_degrees_or_decibels ? 1e-9 : 1e-14);
}

/// GiNaC is not to be used by several threads, of whatever programs.
std::mutex& exact_passes() {
  static std::mutex one;
  return one;
}

/// An expression of base measures and parameters.
struct Formula {
  std::vector<std::size_t> bases;     ///< which of all base measures
  std::optional<numeric::Tape> tape;  ///< inputs: those, then the parameters; nothing where it is a base measure itself
};

}  // namespace

struct MeasureProgram::Impl {
  MeasuredSystem system;
  std::vector<Measure> measures;
  std::vector<std::string> parameters;
  std::vector<double> nominal;
  Budget budget;

  std::vector<BaseMeasure> bases;  ///< distinct ones of all measures; gain@, db@ and phase@ first, ascending
  std::size_t along_axis = 0;      ///< so many of these
  std::vector<double> times;       ///< at which a simulated response is needed
  /// Whether double precision answers for a base.
  enum class Compiled : char { never, beside, always };  ///< beside: everywhere but at the stated values
  std::vector<Compiled> compiled;
  std::vector<Formula> formulas;
  std::optional<CompiledFraction> fraction, loop;
  std::optional<NoisyOutput> noisy;  ///< at the stated values, where a measure is of it

  void collect_bases();
  void compile_formulas();
  void find_noise();
  void check_compiled();
  void choose_times();
  const std::optional<CompiledFraction>& fraction_for(const BaseMeasure& base) const {
    return is_margin(base.kind) && system.loop ? loop : fraction;
  }

  /// The system with the values of a point; its parameters keep their names where the graph is the same everywhere.
  MeasuredSystem system_at(std::span<const double> point) const {
    if (system.anew) return system.anew(parameters, point);
    MeasuredSystem there = system;
    put_in(there.graph, point);
    if (there.loop) put_in(there.loop->first, point);
    return there;
  }

  NoisyOutput noisy_at(std::span<const double> point) const {
    if (system.anew) return system.noisy(parameters, point);
    NoisyOutput there = *noisy;
    put_in(there.graph, point);
    return there;
  }

  void put_in(SignalFlowGraph& graph, std::span<const double> point) const {
    for (std::size_t k = 0; k < parameters.size(); ++k)
      if (point[k] != nominal[k]) graph.symbols.find(parameters[k])->value = numeric_value(exact::Rational::of(point[k]));
  }

  /// The certified passes at one point, for the bases that are asked.
  class Exact {
   public:
    Exact(const Impl& impl, std::span<const double> point) : impl_(impl), point_(point.begin(), point.end()) {}
    double operator()(const BaseMeasure& base) {
      const std::lock_guard lock(exact_passes());
      impl_.budget.check("the measures");
      if (impl_.system.simulated) return simulated(base);
      const bool opened = is_margin(base.kind) && impl_.system.loop;
      std::optional<ExactTransfer>& T = opened ? loop_ : transfer_;
      try {
        if (of_noise(base.kind)) return noise_rms(impl_.noisy_at(point_), base, impl_.budget).value_or(undefined);
        if (!system_) system_ = impl_.system_at(point_);
        const Question& question = opened ? system_->loop->second : system_->question;
        if (!T)
          T = exact_transfers(opened ? system_->loop->first : system_->graph, std::span(&question, 1), {.budget = impl_.budget})
                  .front();
        return exact_measure(*T, *T, base).value_or(undefined);
      } catch (const NoAnswer&) {
        if (point_ == impl_.nominal && !impl_.system.infinite) throw;
        return undefined;
      } catch (const LimitReached&) {  // of a response that hardly settles; unless it was the time
        impl_.budget.check("the measures");
        if (point_ == impl_.nominal) throw;
        return undefined;
      }
    }

   private:
    double simulated(const BaseMeasure& base) {
      try {
        if (!response_) response_ = impl_.system.simulated->response(impl_.parameters, point_, impl_.times);
        return sampled_figure(*response_, base).value_or(undefined);
      } catch (const NoAnswer&) {
        if (point_ == impl_.nominal) throw;
        return undefined;
      }
    }

    const Impl& impl_;
    std::vector<double> point_;
    std::optional<TimeResponse> response_;
    std::optional<MeasuredSystem> system_;
    std::optional<ExactTransfer> transfer_, loop_;
  };

  void evaluate_chunk(std::size_t first, std::size_t count, std::size_t points, std::span<const double> columns,
                      std::span<double> values, FractionEvaluator* T, FractionEvaluator* L) const;
  /// @param decided  base by base, whether doubles decide; nothing: the certified passes answer where they do not
  void base_values(std::span<double> found, FractionEvaluator* T, FractionEvaluator* L, std::span<const double> point,
                   std::vector<char>* decided = nullptr) const;
  bool agrees_at(std::span<const double> point, const BaseMeasure&, FractionEvaluator&, Exact&) const;
  std::vector<double> beside(double part) const;
  void add_gradient(std::size_t base, double value, FractionEvaluator& evaluator, std::span<const double> point,
                    std::span<double> out) const;
  std::vector<double> response_gradient(const BaseMeasure&, std::span<const double> point) const;
};

void MeasureProgram::Impl::collect_bases() {
  for (const Measure& measure : measures)
    for (const BaseMeasure& base : measure.bases)
      if (std::ranges::find(bases, base) == bases.end()) bases.push_back(base);
  std::ranges::stable_sort(bases, {}, [](const BaseMeasure& base) {
    return std::pair(!on_axis_at(base.kind), on_axis_at(base.kind) ? base.at : 0.0);
  });
  along_axis =
      static_cast<std::size_t>(std::ranges::count_if(bases, [](const BaseMeasure& base) { return on_axis_at(base.kind); }));
}

void MeasureProgram::Impl::compile_formulas() {
  std::vector<GiNaC::ex> kept;
  for (const std::string& name : parameters) kept.push_back(system.graph.symbols.at(name).expr);
  const GiNaC::exmap values = values_keeping(system.graph.symbols, kept);
  for (const Measure& measure : measures) {
    Formula formula;
    std::vector<GiNaC::ex> inputs(measure.symbols);
    inputs.insert(inputs.end(), kept.begin(), kept.end());
    for (const BaseMeasure& base : measure.bases)
      formula.bases.push_back(static_cast<std::size_t>(std::ranges::find(bases, base) - bases.begin()));
    if (!measure.base()) {
      const GiNaC::ex expression = measure.expression.subs(values, GiNaC::subs_options::no_pattern);
      formula.tape = compile(std::span(&expression, 1), inputs);
    }
    formulas.push_back(std::move(formula));
  }
}

/// @throws NoAnswer where a parameter is none of the noise: the gain of a branch.
void MeasureProgram::Impl::find_noise() {
  if (std::ranges::none_of(bases, [](const BaseMeasure& base) { return of_noise(base.kind); })) return;
  noisy = noisy_output(system);
  for (const std::string& name : parameters)
    if (!noisy->graph.symbols.find(name))
      throw NoAnswer("noise has no derivative by the gain of '" + name + "': noise is of elements, not of branches",
                     "name parameters");
}

/// @throws NoAnswer for measures that a simulated response does not have.
void MeasureProgram::Impl::choose_times() {
  constexpr std::size_t samples = 2000;
  times = {0};
  bool figures = false;
  for (const BaseMeasure& base : bases) {
    if (!of_step(base.kind))
      throw NoAnswer("the measure '" + to_string(base) + "' is one of a linear model, and the simulated response has none",
                     "ask for final, rise, settling, overshoot or step@T, or for the linearised model");
    if (base.kind == MeasureKind::step)
      times.push_back(base.at);
    else
      figures = true;
  }
  const double until = system.simulated->until;
  if (figures && until <= 0) throw NoAnswer("how long the response is to be followed is not stated", "state the last time");
  for (std::size_t i = 1; figures && i <= samples; ++i) times.push_back(until * static_cast<double>(i) / samples);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

bool MeasureProgram::Impl::agrees_at(std::span<const double> point, const BaseMeasure& base, FractionEvaluator& evaluator,
                                     Exact& exactly) const {
  const std::vector<double> outputs = fraction_for(base)->program.tape().values<double>(point);
  evaluator.set(outputs);
  const FoundMeasure found = evaluator(base);
  if (!found.decided && std::isnan(found.value)) return false;
  double certified = undefined;
  try {
    certified = exactly(base);
  } catch (const NoAnswer&) {
  } catch (const LimitReached&) {
    budget.check("the measures");
  }
  return std::isnan(certified) ? std::isnan(found.value) : agree(base.kind, found.value, certified);
}

/// A point in general position near the stated values.
std::vector<double> MeasureProgram::Impl::beside(double part) const {
  double least = 1;
  for (const double k : nominal)
    if (k != 0) least = std::min(least, std::abs(k));
  std::vector<double> point = nominal;
  constexpr double golden = 0.6180339887498949;
  for (std::size_t k = 0; k < point.size(); ++k) {
    const double moved = part * (0.5 + std::fmod(golden * static_cast<double>(k + 1), 1.0));
    point[k] = point[k] == 0 ? least * moved : point[k] * (1 + moved);
  }
  return point;
}

/// Double precision is trusted with a kind of measure when it agrees with the certified passes at the stated values, or, where
/// these are special (a pole that is double there, or cancels, decides nothing about other values), at two points beside them.
void MeasureProgram::Impl::check_compiled() {
  compiled.assign(bases.size(), Compiled::never);
  std::optional<FractionEvaluator> T, L;
  if (fraction) T.emplace(*fraction);
  if (loop) L.emplace(*loop);
  const std::vector<std::vector<double>> points{nominal, beside(0x1p-10), beside(-0x1p-9)};
  std::vector<Exact> exactly;
  for (const std::vector<double>& point : points) exactly.emplace_back(*this, point);
  const auto evaluator_of = [&](const BaseMeasure& base) -> FractionEvaluator* {
    if (of_noise(base.kind)) return nullptr;
    return is_margin(base.kind) && system.loop ? (L ? &*L : nullptr) : (T ? &*T : nullptr);
  };
  // Two of a kind, and the last: at the highest frequency a phase has passed all its turns.
  std::map<MeasureKind, std::pair<std::vector<std::size_t>, Compiled>> tried;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    if (!evaluator_of(bases[i])) continue;
    auto& [which, trust] = tried.try_emplace(bases[i].kind, std::vector<std::size_t>(), Compiled::always).first->second;
    if (which.size() > 2) which.pop_back();
    which.push_back(i);
  }
  for (auto& [kind, found] : tried)
    for (const std::size_t i : found.first) {
      FractionEvaluator& evaluator = *evaluator_of(bases[i]);
      Compiled& trust = found.second;
      if (trust == Compiled::always && !agrees_at(points[0], bases[i], evaluator, exactly[0])) trust = Compiled::beside;
      if (trust == Compiled::beside &&
          !(agrees_at(points[1], bases[i], evaluator, exactly[1]) && agrees_at(points[2], bases[i], evaluator, exactly[2])))
        trust = Compiled::never;
      if (trust == Compiled::never) break;
    }
  for (std::size_t i = 0; i < bases.size(); ++i)
    if (evaluator_of(bases[i])) compiled[i] = tried.at(bases[i].kind).second;
}

void MeasureProgram::Impl::base_values(std::span<double> found, FractionEvaluator* T, FractionEvaluator* L,
                                       std::span<const double> point, std::vector<char>* decided) const {
  std::optional<Exact> exactly;
  const auto certified = [&](const BaseMeasure& base) {
    if (!exactly) exactly.emplace(*this, point);
    return (*exactly)(base);
  };
  const bool stated = std::ranges::equal(point, nominal);
  const auto trusted = [&](Compiled c) { return c == Compiled::always || (c == Compiled::beside && !stated); };
  if (decided) decided->assign(bases.size(), 1);
  std::size_t first = 0;
  if (T && along_axis > 0 && std::all_of(compiled.begin(), compiled.begin() + static_cast<std::ptrdiff_t>(along_axis), trusted)) {
    T->axis().along(std::span(bases).first(along_axis), found.first(along_axis));
    first = along_axis;
  }
  for (std::size_t i = first; i < bases.size(); ++i) {
    FractionEvaluator* evaluator = is_margin(bases[i].kind) && system.loop ? L : T;
    FoundMeasure value{undefined, false};
    if (evaluator && trusted(compiled[i])) value = (*evaluator)(bases[i]);
    if (decided) (*decided)[i] = value.decided;
    found[i] = value.decided ? value.value : decided ? undefined : certified(bases[i]);
  }
}

void MeasureProgram::Impl::evaluate_chunk(std::size_t first, std::size_t count, std::size_t points,
                                          std::span<const double> columns, std::span<double> values, FractionEvaluator* T,
                                          FractionEvaluator* L) const {
  budget.check("the measures");
  std::vector<std::span<const double>> inputs;
  for (std::size_t k = 0; k < parameters.size(); ++k) inputs.push_back(columns.subspan(k * points + first, count));
  const auto outputs_of = [&](const std::optional<CompiledFraction>& program) {
    std::vector<double> outputs;
    if (!program) return outputs;
    const numeric::Tape& tape = program->program.tape();
    outputs.resize(tape.outputs().size() * count);
    std::vector<double> workspace(tape.slot_count() * chunk);
    tape.run_batch<double>(count, inputs, outputs, workspace);
    return outputs;
  };
  const std::vector<double> for_T = outputs_of(fraction), for_L = outputs_of(loop);
  std::vector<double> point(parameters.size()), of_T(for_T.size() / count), of_L(for_L.size() / count), found(bases.size());
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t k = 0; k < point.size(); ++k) point[k] = inputs[k][p];
    const auto pick = [&](FractionEvaluator* evaluator, std::vector<double>& to, const std::vector<double>& from) {
      for (std::size_t o = 0; o < to.size(); ++o) to[o] = from[o * count + p];
      if (evaluator) evaluator->set(to);
    };
    pick(T, of_T, for_T);
    pick(L, of_L, for_L);
    base_values(found, T, L, point);
    for (std::size_t m = 0; m < formulas.size(); ++m) {
      double& value = values[m * points + first + p];
      if (!formulas[m].tape) {
        value = found[formulas[m].bases.front()];
        continue;
      }
      std::vector<double> arguments;
      for (const std::size_t base : formulas[m].bases) arguments.push_back(found[base]);
      arguments.insert(arguments.end(), point.begin(), point.end());
      value = formulas[m].tape->values<double>(arguments).front();
      if (!std::isfinite(value)) value = undefined;
    }
  }
}

/// The derivative of |T| and arg T where there are no coefficients, by the compiled elimination of the graph.
std::vector<double> MeasureProgram::Impl::response_gradient(const BaseMeasure& base, std::span<const double> point) const {
  std::vector<double> result(parameters.size(), undefined);
  if (of_noise(base.kind) && !system.anew) {
    const std::lock_guard lock(exact_passes());
    return noise_slopes(noisy_at(point), base, parameters, budget);
  }
  if (system.anew || system.simulated || (!on_axis_at(base.kind) && base.kind != MeasureKind::dc)) return result;
  const std::lock_guard lock(exact_passes());
  const SignalFlowGraph graph = system_at(point).graph;
  const CompiledResponse program(graph, std::span(&system.question, 1), {.budget = budget, .derivatives = parameters});
  const std::complex<double> s = graph.op.at_frequency(base.at);
  const CompiledValues found = program.values(std::span(&s, 1), {}, {.tolerance = 1e-12, .budget = budget});
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const std::complex<double> T = found.value[0], slope = found.value[1 + k], relative = slope / T;
    switch (base.kind) {
      case MeasureKind::dc: result[k] = slope.real(); break;
      case MeasureKind::gain: result[k] = std::abs(T) * relative.real(); break;
      case MeasureKind::db: result[k] = 20 / std::log(10.0) * relative.real(); break;
      default: result[k] = 180 / 3.14159265358979323846 * relative.imag();
    }
  }
  return result;
}

void MeasureProgram::Impl::add_gradient(std::size_t base, double value, FractionEvaluator& evaluator,
                                        std::span<const double> point, std::span<double> out) const {
  CoefficientSlopes slopes;
  std::ranges::fill(out, undefined);
  const FoundMeasure found = evaluator(bases[base]);
  if (!agree(bases[base].kind, found.value, value)) return;  // the slopes would be of something else
  if (evaluator.slopes(bases[base], slopes)) fraction_for(bases[base])->sweep_back(point, slopes, out);
}

NoisyOutput noisy_output(const MeasuredSystem& system) {
  if (!system.noisy)
    throw Error({}, "the measure 'noise' is of what the elements of a circuit bring, and this is none", "give a netlist (.cir)");
  return system.noisy({}, {});
}

MeasureProgram::MeasureProgram(MeasuredSystem system, std::vector<Measure> measures, std::vector<std::string> parameters,
                               const Budget& budget)
    : impl_(std::make_unique<Impl>()) {
  Impl& impl = *impl_;
  impl.system = std::move(system);
  impl.measures = std::move(measures);
  impl.parameters = std::move(parameters);
  impl.budget = budget;
  const GiNaC::exmap values = impl.system.graph.symbols.values();
  for (const std::string& name : impl.parameters) {
    const auto value = values.find(impl.system.graph.symbols.at(name).expr);
    if (value == values.end()) throw missing_values({name}, impl.system.graph.symbols);
    impl.nominal.push_back(double_value(value->second).value_or(undefined));
  }
  impl.collect_bases();
  impl.compile_formulas();
  const bool opened = impl.system.loop.has_value(), symbolic = !impl.system.anew && !impl.system.simulated;
  if (impl.system.simulated) impl.choose_times();
  impl.find_noise();
  const auto of_fraction = [&](const BaseMeasure& base) { return !of_noise(base.kind) && (!opened || !is_margin(base.kind)); };
  if (symbolic && std::ranges::any_of(impl.bases, of_fraction))
    impl.fraction = compiled_fraction(impl.system.graph, impl.system.question, impl.parameters, impl.nominal, budget);
  if (opened && symbolic && std::ranges::any_of(impl.bases, [](const BaseMeasure& base) { return is_margin(base.kind); }))
    impl.loop = compiled_fraction(impl.system.loop->first, impl.system.loop->second, impl.parameters, impl.nominal, budget);
  impl.check_compiled();
}
MeasureProgram::~MeasureProgram() = default;
MeasureProgram::MeasureProgram(MeasureProgram&&) noexcept = default;
MeasureProgram& MeasureProgram::operator=(MeasureProgram&&) noexcept = default;

std::size_t MeasureProgram::size() const noexcept { return impl_->measures.size(); }
const std::vector<Measure>& MeasureProgram::measures() const noexcept { return impl_->measures; }
const std::vector<std::string>& MeasureProgram::parameters() const noexcept { return impl_->parameters; }
std::span<const double> MeasureProgram::nominal() const noexcept { return impl_->nominal; }

void MeasureProgram::evaluate(std::size_t points, std::span<const double> parameters, std::span<double> values) const {
  std::optional<FractionEvaluator> T, L;
  if (impl_->fraction) T.emplace(*impl_->fraction);
  if (impl_->loop) L.emplace(*impl_->loop);
  for (std::size_t first = 0; first < points; first += chunk)
    impl_->evaluate_chunk(first, std::min(chunk, points - first), points, parameters, values, T ? &*T : nullptr,
                          L ? &*L : nullptr);
}

LocalMeasures MeasureProgram::at(std::span<const double> point, bool certified) const {
  const Impl& impl = *impl_;
  std::optional<FractionEvaluator> T, L;
  const auto prepare = [&](std::optional<FractionEvaluator>& evaluator, const std::optional<CompiledFraction>& fraction,
                           std::vector<double>& outputs) {
    if (!fraction) return;
    evaluator.emplace(*fraction);
    outputs = fraction->program.tape().values<double>(point);
    evaluator->set(outputs);
  };
  std::vector<double> of_T, of_L;
  prepare(T, impl.fraction, of_T);
  prepare(L, impl.loop, of_L);
  const std::size_t n = impl.parameters.size();
  std::vector<double> found(impl.bases.size()), gradients(impl.bases.size() * n, undefined);
  std::vector<char> decided;
  impl.base_values(found, T ? &*T : nullptr, L ? &*L : nullptr, point, certified ? nullptr : &decided);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(found[i])) continue;
    std::optional<FractionEvaluator>& evaluator = is_margin(impl.bases[i].kind) && impl.system.loop ? L : T;
    const std::span<double> out = std::span(gradients).subspan(i * n, n);
    if (evaluator && impl.compiled[i] != Impl::Compiled::never) {
      impl.add_gradient(i, found[i], *evaluator, point, out);
    } else if (certified) {
      std::ranges::copy(impl.response_gradient(impl.bases[i], point), out.begin());
    }
  }
  LocalMeasures result;
  result.derivative.assign(impl.formulas.size() * n, 0.0);
  for (std::size_t m = 0; m < impl.formulas.size(); ++m) {
    const Formula& formula = impl.formulas[m];
    result.decided.push_back(certified ||
                             std::ranges::all_of(formula.bases, [&](std::size_t base) { return decided[base] != 0; }));
    const std::span<double> out = std::span(result.derivative).subspan(m * n, n);
    if (!formula.tape) {
      result.value.push_back(found[formula.bases.front()]);
      std::ranges::copy(std::span(gradients).subspan(formula.bases.front() * n, n), out.begin());
      continue;
    }
    std::vector<double> arguments;
    for (const std::size_t base : formula.bases) arguments.push_back(found[base]);
    arguments.insert(arguments.end(), point.begin(), point.end());
    double value = 0;
    const double seed = 1;
    std::vector<double> slopes(arguments.size()), workspace(2 * formula.tape->instructions().size());
    formula.tape->gradient<double>(arguments, std::span(&seed, 1), std::span(&value, 1), slopes, workspace);
    result.value.push_back(std::isfinite(value) ? value : undefined);
    for (std::size_t k = 0; k < n; ++k) {
      out[k] = slopes[formula.bases.size() + k];
      for (std::size_t b = 0; b < formula.bases.size(); ++b)
        if (slopes[b] != 0) out[k] += slopes[b] * gradients[formula.bases[b] * n + k];
    }
  }
  return result;
}

std::string MeasureProgram::missing(std::size_t measure, std::span<const double> parameters) const {
  std::vector<double> values(size());
  evaluate(1, parameters, values);
  if (std::isfinite(values[measure])) return "";
  const std::string& name = impl_->measures[measure].text;
  if (impl_->system.simulated)
    return name + " does not exist here: the response has not settled in the time for which it is followed";
  return name + " does not exist here";
}

}  // namespace sfg
