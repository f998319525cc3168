#include "sfg/write/frequency_response.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;

namespace {

std::size_t value_count(const SingularValues& found) { return std::min(found.inputs.size(), found.outputs.size()); }

}  // namespace

Page page(const SingularValues& found, const FrequencyColumns& options) {
  Page page;
  page.add(Paragraph{
      words(fmt::format("singular values of the matrix of {} outputs by {} inputs", found.outputs.size(), found.inputs.size()))});
  Table table{{{options.hertz ? words("frequency, Hz") : Prose{Math::name("omega"), ", rad/s"}, true, 14}}, {}, 1};
  for (std::size_t i = 1; i <= value_count(found); ++i)
    table.columns.push_back({{Math::name("sigma_" + std::to_string(i))}, true, 14});
  double most = 0;
  for (std::size_t k = 0; k < found.frequency.size(); ++k) {
    table.rows.push_back({{number_math(shown_frequency(found.frequency[k], options))}});
    for (const double value : found.values[k])
      table.rows.back().push_back(std::isnan(value) ? words("-") : Prose{number_math(value)});
    if (found.error[k] > most) most = found.error[k];
  }
  page.add(std::move(table));
  if (most > 0) page.add(Paragraph{{"each is right to ", number_math(std::pow(10.0, std::ceil(std::log10(most) + 0.3)), 1)}, 1});
  return page;
}

void write_json(std::ostream& out, const SingularValues& found) {
  Json values = Json::array();
  for (const auto& at : found.values) values.push_back(json::numbers(at));
  const Json j{{"schema", "sfg/bode/1"},
               {"unit", "rad/s"},
               {"inputs", found.inputs},
               {"outputs", found.outputs},
               {"frequency", json::numbers(found.frequency)},
               {"singular_values", std::move(values)},
               {"error", json::numbers(found.error)}};
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, const SingularValues& found, const FrequencyColumns& options) {
  out << (options.hertz ? "frequency_Hz" : "omega_rad_s");
  for (std::size_t i = 1; i <= value_count(found); ++i) fmt::print(out, ",sigma_{}", i);
  out << '\n';
  for (std::size_t k = 0; k < found.frequency.size(); ++k) {
    out << print(shown_frequency(found.frequency[k], options));
    for (const double value : found.values[k]) out << ',' << (std::isnan(value) ? "" : print(value));
    out << '\n';
  }
}

}  // namespace sfg
