#include "sfg/study/samples/sample_tally.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sfg/numeric/vectors.hpp"

namespace sfg {

std::size_t SamplePlan::index(const Measure& measure) {
  const auto known = std::ranges::find(measures_, measure.text, &Measure::text);
  if (known != measures_.end()) return static_cast<std::size_t>(known - measures_.begin());
  measures_.push_back(measure);
  return measures_.size() - 1;
}

SamplePlan::SamplePlan(const SampledQuestions& questions, const SymbolTable& symbols) : specs_(questions.specs) {
  for (const Measure& measure : questions.measures) columns_.push_back({index(measure), measure_levels, Column::Kind::alone});
  alone_ = columns_.size();
  for (const Spec& spec : specs_) spec_measures_.push_back(index(spec.measure));
  for (const double t : questions.time) {
    measures_.push_back(measure_of(to_string(BaseMeasure{MeasureKind::step, t, 0}), symbols));
    columns_.push_back({measures_.size() - 1, envelope_levels, Column::Kind::step});
  }
  frequencies_ = questions.frequency.size();
  for (const Column::Kind kind : {Column::Kind::square, Column::Kind::turn})
    for (std::size_t f = 0; f < frequencies_; ++f)
      columns_.push_back({measures_.size() + f + (kind == Column::Kind::turn ? frequencies_ : 0), envelope_levels, kind});
}

SampleTally::SampleTally(const SamplePlan& plan)
    : columns(plan.columns().size()), windows(plan.columns().size()), met(plan.specs().size()) {}

SFG_VECTORS void SampleTally::Column::add(std::span<const double> x) {
  constexpr std::size_t lanes = 16;  // that the processor does at once, and what it has done before is ready
  constexpr double most = std::numeric_limits<double>::max();
  std::array<std::uint64_t, lanes> there{};
  std::array<double, lanes> low, high;
  low.fill(minimum);
  high.fill(maximum);
  const auto one = [&](double v, std::size_t lane) {
    const bool finite = std::abs(v) <= most;
    there[lane] += finite;
    low[lane] = (finite & (v < low[lane])) ? v : low[lane];
    high[lane] = (finite & (v > high[lane])) ? v : high[lane];
  };
  std::size_t i = 0;
  for (; i + lanes <= x.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) one(x[i + lane], lane);
  for (; i < x.size(); ++i) one(x[i], 0);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    count += there[lane];
    minimum = std::min(minimum, low[lane]);
    maximum = std::max(maximum, high[lane]);
  }
}

void SampleTally::add(const SamplePlan& plan, const Windows& all, std::size_t samples, std::span<const double> values) {
  std::span<const OrderWindow> rest = all;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const SamplePlan::Column& wanted = plan.columns()[c];
    const std::span<const double> x = values.subspan(wanted.number * samples, samples);
    Column& column = columns[c];
    column.add(x);
    if (wanted.kind == SamplePlan::Column::Kind::alone) column.histogram.add(x);
    windows[c].add(rest.first(wanted.levels.size()), x);
    rest = rest.subspan(wanted.levels.size());
  }
  for (std::size_t i = 0; i < samples && !met.empty(); ++i) {
    bool every = true;
    for (std::size_t s = 0; s < met.size(); ++s) {
      const bool one = plan.specs()[s].met(values[plan.measure_of_spec(s) * samples + i]);
      met[s] += one;
      every = every && one;
    }
    met_all += every;
  }
}

void SampleTally::take(SampleTally& other) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].count += other.columns[c].count;
    columns[c].minimum = std::min(columns[c].minimum, other.columns[c].minimum);
    columns[c].maximum = std::max(columns[c].maximum, other.columns[c].maximum);
    columns[c].histogram.add(other.columns[c].histogram);
    other.columns[c] = {};
  }
  for (std::size_t s = 0; s < met.size(); ++s) met[s] += std::exchange(other.met[s], 0);
  met_all += std::exchange(other.met_all, 0);
}

void SampleTally::pack(Packer& packer) const {
  for (const Column& column : columns) {
    packer.add(column.count);
    packer.add(column.minimum);
    packer.add(column.maximum);
    packer.add(column.histogram.exponent());
    packer.add(column.histogram.first());
    packer.add(column.histogram.counts());
  }
  for (const OrderTally& window : windows) window.pack(packer);
  packer.add(met);
  packer.add(met_all);
}

void SampleTally::unpack(Unpacker& from) {
  for (Column& column : columns) {
    column.count = from.take<std::uint64_t>();
    column.minimum = from.take<double>();
    column.maximum = from.take<double>();
    const int exponent = from.take<int>();
    const auto first = from.take<std::int64_t>();
    column.histogram = Histogram::of(exponent, first, from.list<std::uint64_t>());
  }
  for (OrderTally& window : windows) window.unpack(from);
  met = from.list<std::uint64_t>();
  met_all = from.take<std::uint64_t>();
}

}  // namespace sfg
