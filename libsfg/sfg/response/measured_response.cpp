#include "sfg/response/measured_response.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;

Complex checked(Complex z) { return std::isfinite(std::abs(z)) ? z : Complex(undefined, undefined); }

std::vector<double> each_once(std::vector<double> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The time itself, or that of the sample which holds then, rounded as sample times are.
double held_since(double time, const Operator& op) {
  constexpr double rounding = 1e-9;
  if (!op.discrete()) return time;
  return (op.period() * static_cast<std::size_t>(std::floor(time / op.period().to_double() + rounding))).to_double();
}

std::size_t place_of(const std::vector<double>& ascending, double value) {
  return static_cast<std::size_t>(std::ranges::lower_bound(ascending, value) - ascending.begin());
}

double at(const std::optional<double>& sample) { return sample.value_or(undefined); }

/// What the columns say of one transfer function, one row of each.
struct Parts {
  const MeasuredColumn *real = nullptr, *imaginary = nullptr, *magnitude = nullptr, *phase = nullptr;

  void add(const MeasuredColumn& column) {
    switch (column.part) {
      case MeasuredPart::real: real = &column; break;
      case MeasuredPart::imaginary: imaginary = &column; break;
      case MeasuredPart::magnitude_db: magnitude = &column; break;
      case MeasuredPart::phase_deg: phase = &column; break;
      case MeasuredPart::value: break;
    }
  }

  void fill(MeasuredTransfer& found, std::size_t row) const {
    if (real) {
      found.value.push_back(checked({at(real->samples[row]), at(imaginary->samples[row])}));
      found.magnitude_db.push_back(20 * std::log10(std::abs(found.value.back())));
      found.phase_deg.push_back(std::arg(found.value.back()) * degrees);
      return;
    }
    if (magnitude) found.magnitude_db.push_back(at(magnitude->samples[row]));
    if (phase) found.phase_deg.push_back(at(phase->samples[row]));
    if (!magnitude || !phase) return;
    const double size = std::pow(10, found.magnitude_db.back() / 20), angle = found.phase_deg.back() * radians_of_degree;
    found.value.push_back(checked({size * std::cos(angle), size * std::sin(angle)}));
  }
};

void add_model(MeasuredTransfer& found, const FrequencyResponse& model) {
  for (std::size_t k = 0; k < found.frequency.size(); ++k) {
    const std::size_t i = place_of(model.frequency, found.frequency[k]);
    found.model.push_back(model.value.at(i));
    found.model_db.push_back(model.magnitude_db[i]);
    found.model_deg.push_back(model.phase_deg[i]);
    if (found.phase_deg.empty()) continue;
    const double near = model.phase_deg[i], own = found.phase_deg[k];
    found.near_deg.push_back(std::isfinite(near) ? near + std::remainder(own - near, 360.0) : own);
  }
}

double size_of(double value) { return std::abs(value); }
double size_of(Complex value) { return std::abs(value); }

template <class Value>
Misfit counted_misfit(std::span<const Value> measured, std::span<const Value> model) {
  Misfit found;
  double left = 0, spread = 0;
  Value mean{};
  const auto counts = [&](std::size_t k) { return std::isfinite(size_of(measured[k])) && std::isfinite(size_of(model[k])); };
  for (std::size_t k = 0; k < measured.size(); ++k)
    if (counts(k)) ++found.samples, mean += measured[k];
  if (found.samples == 0) return found;
  mean /= static_cast<double>(found.samples);
  for (std::size_t k = 0; k < measured.size(); ++k) {
    if (!counts(k)) continue;
    left = std::hypot(left, size_of(measured[k] - model[k]));
    spread = std::hypot(spread, size_of(measured[k] - mean));
  }
  found.rms = left / std::sqrt(static_cast<double>(found.samples));
  constexpr double rounding = 1e-14;
  const double of_mean = rounding * size_of(mean) * std::sqrt(static_cast<double>(found.samples));
  constexpr double percent = 100;
  if (spread > of_mean) found.fit = percent * (1 - left / spread);
  return found;
}

TransferMisfit misfit_of(const MeasuredTransfer& t) {
  TransferMisfit found;
  if (!t.magnitude_db.empty()) found.decibels = misfit(t.magnitude_db, t.model_db);
  if (!t.near_deg.empty()) found.degrees = misfit(t.near_deg, t.model_deg);
  const Misfit& part = t.magnitude_db.empty() ? found.degrees : found.decibels;
  found.value = t.in_full ? misfit(t.value, t.model) : Misfit{part.samples, {}, part.fit};
  return found;
}

}  // namespace

std::vector<double> measured_frequencies(std::span<const Measurement> records) {
  std::vector<double> all;
  for (const Measurement& record : records) all.insert(all.end(), record.at.begin(), record.at.end());
  return each_once(std::move(all));
}

std::vector<double> measured_times(std::span<const Measurement> records, const Operator& op) {
  std::vector<double> all{0};
  for (const Measurement& record : records)
    for (const double time : record.at)
      if (time > 0) all.push_back(held_since(time, op));
  all = each_once(std::move(all));
  return op.discrete() ? sample_times(all.back(), op.period()) : all;
}

std::vector<MeasuredTransfer> beside(std::span<const Measurement> records, std::span<const FrequencyResponse> model) {
  std::vector<MeasuredTransfer> all;
  for (const Measurement& record : records)
    for (const FrequencyResponse& response : model) {
      Parts parts;
      for (const MeasuredColumn& column : record.columns)
        if (column.input == response.input && column.output == response.output) parts.add(column);
      if (!parts.real && !parts.magnitude && !parts.phase) continue;
      MeasuredTransfer found{.file = record.file, .input = response.input, .output = response.output, .frequency = record.at};
      for (std::size_t row = 0; row < record.at.size(); ++row) parts.fill(found, row);
      found.in_full = !found.value.empty();
      add_model(found, response);
      found.misfit = misfit_of(found);
      all.push_back(std::move(found));
    }
  return all;
}

std::vector<MeasuredSignal> beside(std::span<const Measurement> records, std::span<const NamedResponse> model, const Operator& op,
                                   std::optional<double> before) {
  std::vector<MeasuredSignal> all;
  for (const Measurement& record : records)
    for (const NamedResponse& response : model) {
      const auto column = std::ranges::find(record.columns, response.name, &MeasuredColumn::output);
      if (column == record.columns.end()) continue;
      MeasuredSignal found{.file = record.file, .name = response.name, .time = record.at};
      for (std::size_t row = 0; row < record.at.size(); ++row) {
        const double time = record.at[row];
        found.value.push_back(at(column->samples[row]));
        found.model.push_back(time < 0 ? before.value_or(undefined)
                                       : response.value.value.at(place_of(response.value.time, held_since(time, op))));
      }
      found.misfit = misfit(found.value, found.model);
      all.push_back(std::move(found));
    }
  return all;
}

std::vector<MeasuredTransfer> beside(const MeasuredPorts& ports, std::span<const FrequencyResponse> model) {
  std::vector<MeasuredTransfer> all;
  for (std::size_t i = 0; i < ports.ports; ++i)
    for (std::size_t j = 0; j < ports.ports; ++j) {
      MeasuredTransfer found{.file = ports.file,
                             .input = std::to_string(j + 1),
                             .output = std::to_string(i + 1),
                             .frequency = ports.frequency,
                             .value = ports.matrix[i][j]};
      for (const Complex z : found.value) {
        found.magnitude_db.push_back(20 * std::log10(std::abs(z)));
        found.phase_deg.push_back(std::arg(z) * degrees);
      }
      add_model(found, model[j * ports.ports + i]);
      found.misfit = misfit_of(found);
      all.push_back(std::move(found));
    }
  return all;
}

Misfit misfit(std::span<const Complex> measured, std::span<const Complex> model) { return counted_misfit(measured, model); }
Misfit misfit(std::span<const double> measured, std::span<const double> model) { return counted_misfit(measured, model); }

}  // namespace sfg
