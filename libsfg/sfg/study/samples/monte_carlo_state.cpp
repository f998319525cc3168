#include "sfg/study/samples/monte_carlo_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/numeric/parallel.hpp"
#include "sfg/study/measures/axis_samples.hpp"

namespace sfg {

MonteCarloState::MonteCarloState(const SamplePlan& plan, double caution)
    : caution_(caution), tally_(plan), moments_(plan.alone()) {
  for (const SamplePlan::Column& column : plan.columns()) quantiles_.emplace_back(column.levels, caution);
  tally_.windows.clear();
}

void MonteCarloState::take(std::vector<SampleTally>& tallies, const std::vector<Block>& blocks, std::uint64_t samples,
                           unsigned threads) {
  for (SampleTally& tally : tallies) tally_.take(tally);
  constexpr std::size_t together = 16;  // columns: much less is not worth a thread
  const std::size_t groups = (quantiles_.size() + together - 1) / together;
  numeric::parallel(groups, threads, {}, "the quantiles", [&](std::size_t group) {
    for (std::size_t c = group * together; c < std::min(quantiles_.size(), (group + 1) * together); ++c) {
      for (SampleTally& tally : tallies) quantiles_[c].take(tally.windows[c]);
      quantiles_[c].settle(tally_.columns[c].count);
    }
  });
  for (const Block& block : blocks)
    for (std::size_t m = 0; m < moments_.size(); ++m) moments_[m].add(block.moments[m]);
  blocks_ += blocks.size();
  samples_ += samples;
}

Windows MonteCarloState::windows() const {
  Windows result;
  for (const QuantileWindows& quantiles : quantiles_)
    result.insert(result.end(), quantiles.windows().begin(), quantiles.windows().end());
  return result;
}

namespace {

using Kind = SamplePlan::Column::Kind;

/// A number as it is shown.
double shown(Kind kind, double x) {
  if (kind == Kind::square) return AxisSamples::decibels(x);
  return kind == Kind::turn ? AxisSamples::degrees(x) : x;
}

Envelope& envelope_of(MonteCarlo& result, Kind kind) {
  if (kind == Kind::square) return result.magnitude_db;
  return kind == Kind::turn ? result.phase_deg : result.step;
}

}  // namespace

bool MonteCarloState::find_quantiles(const SamplePlan& plan, std::size_t column, std::vector<double>& found) {
  const Kind kind = plan.columns()[column].kind;
  const std::uint64_t count = tally_.columns[column].count;
  found.assign(plan.columns()[column].levels.size(), undefined);
  if (count == 0) return true;
  const auto pairs = quantiles_[column].neighbours(count);
  for (std::size_t l = 0; pairs && l < found.size(); ++l) {
    const double low = shown(kind, (*pairs)[l].first), high = shown(kind, (*pairs)[l].second);
    found[l] = low == high ? low : low + (high - low) * quantiles_[column].fraction(l, count);
  }
  return pairs.has_value();
}

std::optional<MonteCarlo> MonteCarloState::result(const SamplePlan& plan) {
  MonteCarlo result;
  result.samples = samples_;
  for (std::size_t c = 0; c < plan.columns().size(); ++c) {
    const SamplePlan::Column& column = plan.columns()[c];
    const SampleTally::Column& tally = tally_.columns[c];
    std::vector<double> quantiles;
    if (!find_quantiles(plan, c, quantiles)) return {};
    const bool any = tally.count > 0;
    const double least = any ? shown(column.kind, tally.minimum) : undefined,
                 most = any ? shown(column.kind, tally.maximum) : undefined;
    if (column.kind == Kind::alone) {
      const Measure& measure = plan.measures()[column.number];
      const Moments all = moments_[c].total();
      result.measures.push_back({measure.text, measure.unit, undefined, samples_ - tally.count, any ? all.mean : undefined,
                                 all.deviation(), least, most, std::move(quantiles), tally.histogram});
      continue;
    }
    Envelope& envelope = envelope_of(result, column.kind);
    envelope.quantiles.resize(quantiles.size());
    envelope.minimum.push_back(least);
    envelope.maximum.push_back(most);
    for (std::size_t l = 0; l < quantiles.size(); ++l) envelope.quantiles[l].push_back(quantiles[l]);
  }
  for (std::size_t s = 0; s < plan.specs().size(); ++s) {
    const auto [low, high] = clopper_pearson(tally_.met[s], samples_);
    result.specs.push_back(
        {plan.specs()[s], tally_.met[s], static_cast<double>(tally_.met[s]) / static_cast<double>(samples_), {low, high}});
  }
  result.met = tally_.met_all;
  return result;
}

void MonteCarloState::pack(Packer& packer) const {
  packer.add(caution_);
  packer.add(samples_);
  packer.add(blocks_);
  tally_.pack(packer);
  for (const QuantileWindows& quantiles : quantiles_) quantiles.pack(packer);
  for (const MomentTree& tree : moments_) {
    packer.add(tree.blocks());
    for (const Moments& m : tree.subtrees()) {
      packer.add(m.count);
      for (const double x : {m.mean, m.squares, m.minimum, m.maximum}) packer.add(x);
    }
  }
}

void MonteCarloState::unpack(Unpacker& from) {
  caution_ = from.take<double>();
  samples_ = from.take<std::uint64_t>();
  blocks_ = from.take<std::uint64_t>();
  tally_.unpack(from);
  for (QuantileWindows& quantiles : quantiles_) quantiles.unpack(from);
  for (MomentTree& tree : moments_) {
    const auto blocks = from.take<std::uint64_t>();
    std::vector<Moments> subtrees;
    for (std::uint64_t rest = blocks; rest != 0; rest &= rest - 1) {
      Moments m;
      m.count = from.take<std::uint64_t>();
      for (double* x : {&m.mean, &m.squares, &m.minimum, &m.maximum}) *x = from.take<double>();
      subtrees.push_back(m);
    }
    tree = MomentTree::of(blocks, std::move(subtrees));
  }
}

namespace {

std::string text_of(const SignalFlowGraph& graph, const Question& question) {
  std::string text = graph.op.symbol() + (graph.op.sample_time() ? " " + graph.op.sample_time()->text() : std::string());
  for (const Branch& branch : graph.branches())
    text += fmt::format("\n{}>{}:{}", branch.from.index, branch.to.index, branch.linear() ? print(branch.gain()) : "nonlinear");
  for (const Symbol& symbol : graph.symbols.all())
    if (symbol.value) text += '\n' + symbol.name + '=' + print(*symbol.value);
  return text + fmt::format("\n{}>{}", question.input.index, question.output.index);
}

/// What the measure noise is of, where it is asked for.
std::string text_of_noise(const MeasuredSystem& system, const SampledQuestions& questions) {
  const auto asks = [](const Measure& measure) {
    return std::ranges::any_of(measure.bases, [](const BaseMeasure& base) { return of_noise(base.kind); });
  };
  if (std::ranges::none_of(questions.measures, asks) &&
      std::ranges::none_of(questions.specs, [&](const Spec& spec) { return asks(spec.measure); }))
    return "";
  const NoisyOutput noisy = noisy_output(system);
  std::string text = "\nnoise\n" + text_of(noisy.graph, {noisy.output, noisy.output}) + fmt::format("\n{} K", noisy.temperature);
  for (const NoiseSource& source : noisy.sources) text += fmt::format("\n{}:{}", source.signal, print(source.density));
  return text;
}

template <class List, class Text>
std::string joined(const List& list, const Text& text) {
  std::string all;
  for (const auto& entry : list) all += (all.empty() ? "" : ", ") + text(entry);
  return all.empty() ? "none" : all;
}

constexpr std::string_view kind = "Monte Carlo study";

}  // namespace

Identity identity_of(const MeasuredSystem& system, const Variation& variation, const SampledQuestions& questions,
                     const MonteCarloOptions& options) {
  std::string model = text_of(system.graph, system.question);
  if (system.loop) model += "\nloop\n" + text_of(system.loop->first, system.loop->second);
  model += text_of_noise(system, questions);
  const auto number = [](double x) { return fmt::format("{}", x); };
  const auto parameter = [](const VaryingParameter& p) {
    return fmt::format("{} = {} ± {} ({})", p.name, p.nominal, p.half_width, to_string(p.distribution));
  };
  return {{"the model", fingerprint(model)},
          {"what varies", joined(variation.parameters, parameter)},
          {"the matrix of correlations", joined(variation.cholesky, number)},
          {"the list of measures", joined(questions.measures, [](const Measure& m) { return m.text; })},
          {"the list of specs", joined(questions.specs, [](const Spec& s) { return s.text; })},
          {"the list of frequencies", joined(questions.frequency, number)},
          {"the list of times", joined(questions.time, number)},
          {"the number of samples", std::to_string(options.samples)},
          {"the sampling", to_string(options.sampling)},
          {"the seed", std::to_string(options.seed)},
          {"the way of the model", options.also.empty() ? "linear" : options.also},
          {"the table of samples", options.table.put ? "written" : "none"},
          {"the layout of its numbers", "2"}};
}

std::string kept_state(const Identity& identity, const MonteCarloState& state) {
  Packer packer;
  state.pack(packer);
  return kept_state(kind, identity, std::move(packer).bytes());
}

void resume(const std::string& kept, const Identity& identity, const SamplePlan& plan, MonteCarloState& state) {
  const std::string bytes = state_of(kept, kind, identity);
  try {
    Unpacker from(bytes);
    MonteCarloState found(plan, 0);
    found.unpack(from);
    state = std::move(found);
  } catch (const std::out_of_range&) {
    throw Error({}, "the checkpoint is damaged", "begin the study anew");
  }
}

}  // namespace sfg
