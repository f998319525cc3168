#include "sfg/study/sample_tally.hpp"

#include <algorithm>
#include <cmath>

namespace sfg {

std::size_t SamplePlan::index(const Measure& measure) {
  const auto known = std::ranges::find(measures_, measure.text, &Measure::text);
  if (known != measures_.end()) return static_cast<std::size_t>(known - measures_.begin());
  measures_.push_back(measure);
  return measures_.size() - 1;
}

SamplePlan::SamplePlan(const SampledQuestions& questions, const SymbolTable& symbols) : specs_(questions.specs) {
  for (const Measure& measure : questions.measures) columns_.push_back({index(measure), measure_levels, true});
  alone_ = columns_.size();
  for (const Spec& spec : specs_) spec_measures_.push_back(index(spec.measure));
  const auto at = [&](MeasureKind kind, const std::vector<double>& places) {
    for (const double place : places) {
      measures_.push_back(measure_of(to_string(BaseMeasure{kind, place, 0}), symbols));
      columns_.push_back({measures_.size() - 1, envelope_levels, false});
    }
  };
  at(MeasureKind::gain, questions.frequency);  // in decibels in the end: the order is the same
  at(MeasureKind::phase, questions.frequency);
  at(MeasureKind::step, questions.time);
}

SampleTally::SampleTally(const SamplePlan& plan) : columns(plan.columns().size()), met(plan.specs().size()) {
  std::size_t count = 0;
  for (const SamplePlan::Column& column : plan.columns()) count += column.levels.size();
  windows.resize(count);
}

void SampleTally::add(const SamplePlan& plan, const Windows& all, std::size_t samples, std::span<const double> values) {
  std::size_t window = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const SamplePlan::Column& wanted = plan.columns()[c];
    const std::span<const double> x = values.subspan(wanted.measure * samples, samples);
    Column& column = columns[c];
    for (const double v : x) {
      const bool there = std::abs(v) <= std::numeric_limits<double>::max();
      column.count += there;
      column.minimum = there && v < column.minimum ? v : column.minimum;
      column.maximum = there && v > column.maximum ? v : column.maximum;
    }
    if (wanted.alone) column.histogram.add(x);
    for (std::size_t l = 0; l < wanted.levels.size(); ++l, ++window) windows[window].add(all[window], x);
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
  for (OrderTally& window : windows) window = OrderTally::unpacked(from);
  met = from.list<std::uint64_t>();
  met_all = from.take<std::uint64_t>();
}

}  // namespace sfg
