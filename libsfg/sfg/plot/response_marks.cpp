#include "sfg/plot/response_marks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sfg/plot/curves.hpp"
#include "sfg/text/unit_text.hpp"

namespace sfg {

namespace {

double three_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return unit > 1 ? unit * std::round(value / unit) : value;
}

}  // namespace

void add_band(Panel& panel, const OscillationBand& envelope, const std::string& name, const Series& curve) {
  Series band = curve;
  band.pattern.reset();
  band.style = Series::Style::area;
  band.x = envelope.time, band.y = envelope.high;
  band.x.insert(band.x.end(), envelope.time.rbegin(), envelope.time.rend());
  band.y.insert(band.y.end(), envelope.low.rbegin(), envelope.low.rend());
  panel.series.push_back(std::move(band));
  for (const auto* edge : {&envelope.low, &envelope.high}) {
    Series line = curve;
    line.label.clear();
    line.pattern.reset();
    line.style = Series::Style::thin;
    line.x = envelope.time, line.y = *edge;
    panel.series.push_back(std::move(line));
  }
  panel.remarks.push_back(
      fmt::format("{} oscillates about {:.0f} times: the band between its least and greatest values is drawn.", name,
                  three_digits(envelope.oscillations)));
}

std::string in_words(const NamedResponse& response) {
  const TimeResponse& value = response.value;
  const StepFigures& figures = response.figures;
  const std::string unit = response.unit.empty() ? "" : " " + unit_text(response.unit);
  std::string text = response.name + ":";
  const auto add = [&](const std::string& what) { text += " " + what + ";"; };
  if (!value.time.empty()) add(fmt::format("from 0 to {:.4g} s", value.time.back()));
  for (const auto& impulse : value.impulses)
    add("an impulse of weight " + four_digits(impulse.weight.to_double()) +
        (impulse.order > 0 ? fmt::format(" and order {}", impulse.order) : "") + " at " + four_digits(impulse.at.to_double()) +
        " s");
  if (value.initial) add("initial value " + four_digits(value.initial->to_double()) + unit);
  if (value.final)
    add("final value " + four_digits(value.final->to_double()) + unit);
  else if (value.final_known)
    add("no final value");
  if (figures.grows) add("it grows without bound");
  if (figures.peak) add("peak " + four_digits(*figures.peak) + unit + " at " + four_digits(figures.peak_time) + " s");
  if (figures.overshoot) add("overshoot " + four_digits(*figures.overshoot) + " %");
  if (figures.settling_time) add("settling time " + four_digits(*figures.settling_time) + " s");
  text.back() = '.';
  return text + " ";
}

}  // namespace sfg
