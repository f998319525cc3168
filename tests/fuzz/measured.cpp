// What instruments and simulators write: tables, scattering parameters, operating points.
#include <algorithm>
#include <array>
#include <cmath>

#include "fuzz/targets.hpp"
#include "sfg/read/measurement/measurement.hpp"
#include "sfg/read/measurement/touchstone.hpp"
#include "sfg/read/spice/simulator_point.hpp"

namespace sfg::fuzz {

namespace {

bool finite(const std::optional<double>& sample) { return !sample || std::isfinite(*sample); }

void examine(const MeasuredColumn& column, const Measurement& record) {
  require(column.samples.size() == record.at.size(), "a column has a sample, or none, in every row");
  require(std::ranges::all_of(column.samples, finite), "a sample is a number");
  if (!column.deviations) return;
  require(column.deviations->size() == record.at.size(), "a deviation in every row");
  for (std::size_t i = 0; i < record.at.size(); ++i)
    require(!column.samples[i] || (*column.deviations)[i] > 0, "a deviation of a sample is above 0");
}

void examine(const Measurement& record) {
  const bool of_time = record.axis == MeasuredAxis::time;
  require(!record.at.empty() && record.lines.size() == record.at.size(), "a record has rows, each with its line");
  for (const double at : record.at) require(std::isfinite(at) && (of_time || at > 0), "a row has its time or frequency");
  require(!of_time || std::ranges::is_sorted(record.at), "times do not decrease");
  require(!record.columns.empty(), "a record is of something");
  for (const MeasuredColumn& column : record.columns) examine(column, record);
  for (const MeasuredColumn& column : record.inputs) {
    examine(column, record);
    attempt([&] { sampled(record, column); });
  }
}

}  // namespace

int try_table(std::string_view text) {
  // The first byte: decimal commas, and what columns may be about.
  const unsigned first = text.empty() ? 0 : static_cast<unsigned char>(text.front());
  MeasurableNames names{.transfers = {{"u", "y"}, {"u", "x 2"}}, .signals = {"y", "x 2"}, .inputs = {"u"}};
  if (first / 2 % 3 == 1) names.axis = MeasuredAxis::time;
  if (first / 2 % 3 == 2) names.axis = MeasuredAxis::frequency;
  text.remove_prefix(std::min<std::size_t>(1, text.size()));
  attempt([&] { examine(read_measurement(text, "table.csv", names, {.decimal_comma = first % 2 == 1})); });
  return 0;
}

int try_touchstone(std::string_view text) {
  static constexpr std::array<const char*, 4> files{"data.s1p", "data.s2p", "data.S3P", "data.s12p"};
  const std::size_t first = text.empty() ? 0 : static_cast<unsigned char>(text.front());
  text.remove_prefix(std::min<std::size_t>(1, text.size()));
  attempt([&] {
    const MeasuredPorts found = read_touchstone(text, files[first % files.size()]);
    require(found.ports == touchstone_ports(found.file) && found.z0 > 0 && std::isfinite(found.z0), "ports of a resistance");
    require(!found.frequency.empty() && std::ranges::is_sorted(found.frequency) && found.frequency.front() > 0 &&
                std::isfinite(found.frequency.back()),
            "frequencies ascend from above 0");
    require(found.matrix.size() == found.ports, "a row of the matrix for every port");
    for (const auto& row : found.matrix) {
      require(row.size() == found.ports, "an entry of the row for every port");
      for (const auto& entry : row) {
        require(entry.size() == found.frequency.size(), "an entry at every frequency");
        for (const std::complex<double>& wave : entry)
          require(std::isfinite(wave.real()) && std::isfinite(wave.imag()), "an entry is a number");
      }
    }
  });
  return 0;
}

int try_point(std::string_view text) {
  attempt([&] {
    const SimulatorPoint point = read_simulator_point(text, "point.txt");
    require(!point.devices.empty(), "a point is of devices");
    for (const auto& [name, device] : point.devices) require(!name.empty(), "a device has a name");
  });
  return 0;
}

}  // namespace sfg::fuzz
