#include "sfg/write/time_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/text/unit_text.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/rational_text.hpp"
#include "sfg/write/response_json.hpp"

namespace sfg {

using json::Json;
using json::number;
using json::numbers;
using json::text_or_null;

namespace {

Prose final_text(const TimeResponse& response) {
  if (response.final) return {rational_math(*response.final)};
  return words(response.final_known ? "none" : "not known: poles of the loop with dead time are too near the imaginary axis");
}

void add_figures(Page& page, const StepFigures& figures) {
  const auto add = [&](std::string text) { page.add(Paragraph{words(std::move(text)), 1}); };
  if (!figures.missing.empty()) return add("rise time, settling time, overshoot, peak: not found: " + figures.missing);
  const auto figure = [&](const char* name, const std::optional<double>& v, const char* unit) {
    if (v) page.add(Paragraph{{std::string(name) + ": ", number_math(*v), std::string(" ") + unit}, 1});
  };
  figure("rise time (10 % to 90 %)", figures.rise_time, "s");
  figure("settling time (2 %)", figures.settling_time, "s");
  figure("overshoot", figures.overshoot, "%");
  if (figures.grows) add("peak: none, the response grows without bound");
  if (figures.peak && figures.overshoot != 0.0)  // without overshoot it is the final value, never reached
    page.add(Paragraph{{"peak: ", number_math(*figures.peak), " at ", number_math(figures.peak_time), " s",
                        figures.until ? fmt::format(" (up to {:.6g} s)", *figures.until) : std::string()},
                       1});
}

/// The samples, of a response that was integrated to a tenth of its error: further digits are of the steps, not
/// of the response. Where the runs differ by more than was asked for, they do so from a time on that is said.
std::vector<double> supported(const TimeResponse& response) {
  std::vector<double> values = response.value;
  constexpr double guard = 0.1, doubles = 1e-300;
  const double unit = response.error ? guard * *response.error : 0;
  if (!response.within_tolerance || unit < doubles) return values;
  const int places = std::max(0, static_cast<int>(std::lround(-std::log10(unit))));
  for (double& value : values) {
    if (!std::isfinite(value) || std::abs(value) * std::numeric_limits<double>::epsilon() > unit) continue;
    value = std::round(value / unit) * unit;
    if (places > 0) {
      const std::string text = fmt::format("{:.{}f}", value, places);
      std::from_chars(text.data(), text.data() + text.size(), value);
    }
    value += 0.0;  // no -0
  }
  return values;
}

void add_samples(Page& page, const TimeResponse& response, const std::string& unit) {
  Prose signal{Math::name("y")};
  if (!unit.empty()) signal.push_back(", " + unit_text(unit));
  Table table{{{{Math::name("t"), ", s"}, true, 12}, {std::move(signal), true, 16}}, {}, 1};
  const std::size_t rows = response.time.size();
  const std::vector<std::size_t> shown = shown_rows(rows);
  const std::vector<double> values = supported(response);
  for (const std::size_t i : shown) table.rows.push_back({{number_math(response.time[i])}, {number_math(values[i], 9)}});
  page.add(std::move(table));
  if (shown.size() < rows)
    page.add(Paragraph{words(fmt::format("{} of {} samples; JSON and CSV have them all", shown.size(), rows)), 1});
}

Json impulses_json(const std::vector<exact::DelayedImpulse>& impulses) {
  Json list = Json::array();
  for (const exact::DelayedImpulse& impulse : impulses)
    list.push_back({{"at", impulse.at.text()}, {"order", impulse.order}, {"weight", impulse.weight.text()}});
  return list;
}

std::optional<Math> closed_form(const NamedResponse& r) {
  return r.closed_form ? shown_expression(*r.closed_form) : std::nullopt;
}

Json figures_json(const StepFigures& figures) {
  Json j{{"rise_time", number(figures.rise_time)},
         {"settling_time", number(figures.settling_time)},
         {"overshoot_percent", number(figures.overshoot)},
         {"peak", number(figures.peak)},
         {"peak_time", figures.peak ? number(figures.peak_time) : Json(nullptr)}};
  if (figures.grows) j["grows_without_bound"] = true;
  if (figures.until) j["peak_until"] = number(*figures.until);
  if (!figures.missing.empty()) j["missing"] = figures.missing;
  return j;
}

}  // namespace

Page page(std::span<const NamedResponse> responses, const std::string& verb) {
  Page page;
  for (const NamedResponse& r : responses) {
    page.add(Paragraph{words(r.name)});
    if (auto y = closed_form(r)) page.add(Equations{{{Math::call("y", {Math::name("t")}), {*std::move(y)}}}, {}, 1});
    if (verb == "simulate" && !r.value.method.empty()) page.add(Paragraph{words("method: " + r.value.method), 1});
    if (r.value.error) page.add(Paragraph{{"error: up to ", number_math(*r.value.error), ", by the difference of two runs"}, 1});
    for (const std::string& note : r.value.notes) page.add(Paragraph{words("note: " + note), 1});
    for (const exact::DelayedImpulse& each : r.value.impulses)
      page.add(Paragraph{{"impulse at ", rational_math(each.at), ": ", impulse(rational_math(each.weight), each.order)}, 1});
    add_samples(page, r.value, r.unit);
    if (r.value.initial) page.add(Paragraph{{"initial value (0+): ", rational_math(*r.value.initial)}, 1});
    if (verb != "simulate") page.add(Paragraph{joined({words("final value: "), final_text(r.value)}, ""), 1});
    if (verb == "step") add_figures(page, r.figures);
  }
  return page;
}

Json json::responses(std::span<const NamedResponse> responses, const std::string& verb) {
  Json j{{"schema", "sfg/" + verb + "/1"},
         {"time", responses.empty() ? Json::array() : numbers(responses.front().value.time)},
         {"signals", Json::object()},
         {"figures", Json::object()}};
  for (const NamedResponse& r : responses) {
    j["signals"][r.name] = numbers(supported(r.value));
    Json f = Json::object();
    if (verb == "simulate")
      f["method"] = r.value.method;
    else
      f = {{"initial", text_or_null(r.value.initial)}, {"final", text_or_null(r.value.final)}};
    if (r.value.error) f["error"] = *r.value.error;
    if (!r.value.final_known) f["final_known"] = false;
    if (verb == "step") f.update(figures_json(r.figures));
    if (!r.unit.empty()) f["unit"] = r.unit;
    if (!r.value.impulses.empty()) f["impulses"] = impulses_json(r.value.impulses);
    if (!r.value.notes.empty()) f["notes"] = r.value.notes;
    if (const auto y = closed_form(r)) f["expression"] = write(*y, Notation::text);
    j["figures"][r.name] = std::move(f);
  }
  return j;
}

Json json::state(std::span<const InitialValue> values) {
  Json j = Json::object();
  for (const InitialValue& each : values) j[each.name] = number(each.value);
  return j;
}

void write_json(std::ostream& out, std::span<const NamedResponse> responses, const std::string& verb) {
  out << json::responses(responses, verb).dump() << '\n';
}

void write_json(std::ostream& out, std::span<const NamedResponse> responses, const RunRecord& record) {
  Json j = json::responses(responses, "simulate");
  j["last_state"] = json::state(record.last_state);
  j["events"] = json::events(record.events);
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, std::span<const NamedResponse> responses) {
  out << "t";
  for (const NamedResponse& r : responses) out << fmt::format(",\"{}\"", r.name);
  out << '\n';
  if (responses.empty()) return;
  std::vector<std::vector<double>> values;
  for (const NamedResponse& r : responses) values.push_back(supported(r.value));
  for (std::size_t i = 0; i < responses.front().value.time.size(); ++i) {
    out << print(responses.front().value.time[i]);
    for (const std::vector<double>& each : values) out << ',' << print(each[i]);
    out << '\n';
  }
}

}  // namespace sfg
