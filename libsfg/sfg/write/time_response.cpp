#include "sfg/write/time_response.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/closed_form.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;
using json::number;
using json::numbers;
using json::text_or_null;

namespace {

std::string final_text(const TimeResponse& response) {
  if (response.final) return readable(*response.final);
  return response.final_known ? "none" : "not known: poles of the loop with dead time are too near the imaginary axis";
}

void write_figures(std::ostream& out, const StepFigures& figures) {
  if (!figures.missing.empty()) {
    fmt::print(out, "  rise time, settling time, overshoot, peak: not found: {}\n", figures.missing);
    return;
  }
  const auto figure = [&](const char* name, const std::optional<double>& v, const char* unit) {
    if (v) fmt::print(out, "  {}: {:.6g} {}\n", name, *v, unit);
  };
  figure("rise time (10 % to 90 %)", figures.rise_time, "s");
  figure("settling time (2 %)", figures.settling_time, "s");
  figure("overshoot", figures.overshoot, "%");
  if (figures.grows) fmt::print(out, "  peak: none, the response grows without bound\n");
  if (figures.peak)
    fmt::print(out, "  peak: {:.6g} at {:.6g} s{}\n", *figures.peak, figures.peak_time,
               figures.until ? fmt::format(" (up to {:.6g} s)", *figures.until) : "");
}

Json impulses_json(const std::vector<exact::DelayedImpulse>& impulses) {
  Json list = Json::array();
  for (const exact::DelayedImpulse& impulse : impulses)
    list.push_back({{"at", impulse.at.text()}, {"order", impulse.order}, {"weight", impulse.weight.text()}});
  return list;
}

std::string closed_form_text(const NamedResponse& r) { return r.closed_form ? shown_text(*r.closed_form) : std::string(); }

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

void write_text(std::ostream& out, std::span<const NamedResponse> responses, const std::string& verb) {
  for (const NamedResponse& r : responses) {
    fmt::print(out, "{}\n", r.name);
    if (const std::string text = closed_form_text(r); !text.empty()) fmt::print(out, "  y(t) = {}\n", text);
    if (verb == "simulate" && !r.value.method.empty()) fmt::print(out, "  method: {}\n", r.value.method);
    for (const std::string& note : r.value.notes) fmt::print(out, "  note: {}\n", note);
    for (const exact::DelayedImpulse& impulse : r.value.impulses)
      fmt::print(out, "  impulse at {}: {} * delta{}\n", readable(impulse.at), readable(impulse.weight),
                 std::string(impulse.order, '\''));
    if (r.value.initial) fmt::print(out, "  initial value (0+): {}\n", readable(*r.value.initial));
    if (verb != "simulate") fmt::print(out, "  final value: {}\n", final_text(r.value));
    if (verb == "step") write_figures(out, r.figures);
    fmt::print(out, "  {:>12}  {:>16}\n", "t, s", "y");
    for (std::size_t i = 0; i < r.value.time.size(); ++i)
      fmt::print(out, "  {:>12.6g}  {:>16.9g}\n", r.value.time[i], r.value.value[i]);
  }
}

void write_json(std::ostream& out, std::span<const NamedResponse> responses, const std::string& verb) {
  Json j{{"schema", "sfg/" + verb + "/1"},
         {"time", responses.empty() ? Json::array() : numbers(responses.front().value.time)},
         {"signals", Json::object()},
         {"figures", Json::object()}};
  for (const NamedResponse& r : responses) {
    j["signals"][r.name] = numbers(r.value.value);
    Json f = Json::object();
    if (verb == "simulate")
      f["method"] = r.value.method;
    else
      f = {{"initial", text_or_null(r.value.initial)}, {"final", text_or_null(r.value.final)}};
    if (!r.value.final_known) f["final_known"] = false;
    if (verb == "step") f.update(figures_json(r.figures));
    if (!r.value.impulses.empty()) f["impulses"] = impulses_json(r.value.impulses);
    if (!r.value.notes.empty()) f["notes"] = r.value.notes;
    if (const std::string text = closed_form_text(r); !text.empty()) f["expression"] = text;
    j["figures"][r.name] = std::move(f);
  }
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, std::span<const NamedResponse> responses) {
  out << "t";
  for (const NamedResponse& r : responses) fmt::print(out, ",\"{}\"", r.name);
  out << '\n';
  if (responses.empty()) return;
  for (std::size_t i = 0; i < responses.front().value.time.size(); ++i) {
    out << print(responses.front().value.time[i]);
    for (const NamedResponse& r : responses) out << ',' << print(r.value.value[i]);
    out << '\n';
  }
}

}  // namespace sfg
