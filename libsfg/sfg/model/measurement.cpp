#include "sfg/model/measurement.hpp"

#include <utility>

namespace sfg {

SampledSignal sampled(const Measurement& record, const MeasuredColumn& column) {
  SampledSignal signal;
  std::optional<std::pair<double, double>> before;  // the last one below 0
  for (std::size_t k = 0; k < record.at.size(); ++k) {
    if (!column.samples[k]) continue;
    const double time = record.at[k], value = *column.samples[k];
    if (time < 0) {
      before = {time, value};
      continue;
    }
    if (signal.time.empty() && time > 0) {
      signal.time.push_back(0);
      signal.value.push_back(before ? value + (value - before->second) * time / (before->first - time) : value);
    }
    signal.time.push_back(time);
    signal.value.push_back(value);
  }
  if (signal.time.empty() && before) signal = {{0}, {before->second}};
  return signal;
}

}  // namespace sfg
