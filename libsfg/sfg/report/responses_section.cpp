#include <fmt/format.h>
#include <ginac/numeric.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "sfg/control/margins.hpp"
#include "sfg/control/open_loop.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/text/unit_text.hpp"
#include "sfg/write/margins.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/time_response.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_figures = 12;  ///< one a pair; with more pairs one an input

std::string label(const ExactTransfer& transfer) { return transfer.output + "/" + transfer.input; }
bool is_zero(const ExactTransfer& transfer) { return transfer.numerator.parts.empty(); }

bool is_improper(const ExactTransfer& transfer) {
  return transfer.rational() && transfer.numerator.polynomial().degree() > transfer.denominator.polynomial().degree();
}

/// The pairs whose curves share a picture.
std::vector<std::vector<std::size_t>> groups(const std::vector<ExactTransfer>& transfers) {
  std::vector<std::vector<std::size_t>> found;
  std::map<std::string, std::size_t> of_input;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    if (is_zero(transfers[i])) continue;
    if (transfers.size() <= most_figures) {
      found.push_back({i});
      continue;
    }
    const auto [at, fresh] = of_input.emplace(transfers[i].input, found.size());
    if (fresh) found.emplace_back();
    found[at->second].push_back(i);
  }
  return found;
}

/// Output by input: "m/N".
std::string unit_of(const ReportWork& work, const ExactTransfer& transfer) {
  const std::string above = work.unit(transfer.output), below = work.unit(transfer.input);
  if (above == below) return "";
  if (above.empty() || below.empty()) return below == "1" ? above : "";
  return below.find_first_of("*/") == below.npos ? above + "/" + below : above + "/(" + below + ")";
}

std::vector<ReportPart> zeros(const std::vector<ExactTransfer>& transfers, const std::string& what) {
  std::vector<ReportPart> parts;
  for (const ExactTransfer& transfer : transfers)
    if (is_zero(transfer)) parts.push_back(remark(label(transfer) + " is 0: there is no " + what + ".", label(transfer)));
  return parts;
}

/// Margins of each pair, taken for the open loop.
std::vector<ReportPart> margins_of(ReportWork& work, const std::vector<ExactTransfer>& transfers) {
  std::vector<ReportPart> parts{
      heading(words("Margins")),
      remark("Each transfer function is taken here for the open loop of a feedback with gain −1 from its output to its input.")};
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    if (is_zero(transfers[i])) continue;
    const Question& question = work.subject().questions[i];
    Page page;
    page.add(Paragraph{{gain_name(transfers[i].input, transfers[i].output)}});
    if (passes_through_loop(work.graph(), question))
      page.add(
          Paragraph{{"This way passes through a loop: the function is that of a closed loop already, and these are the "
                     "margins of closing another around it."}});
    try {
      Margins found = margins(transfers[i]);
      found.error_constants = error_constants(work.graph(), question, transfers[i], work.budget());
      page.add(sfg::page(found));
      work.gives(
          {.verb = "margins", .values = ReportCommand::Values::numbers, .ends = ReportCommand::Ends::one, .question = question});
    } catch (const Failure& failure) {
      work.budget().check("the margins");
      page.add(Paragraph{{std::string("No margins: ") + failure.what() + "."}});
    }
    parts.push_back({label(transfers[i]), std::move(page)});
  }
  work.verified({"Margins", "", "crossings are certified real roots of exact polynomials: none is missed"});
  return parts;
}

std::vector<double> frequencies(const ReportWork& work, std::span<const ExactTransfer> transfers) {
  constexpr std::size_t points = 300;
  const std::vector<double>& stated = work.subject().input().analyses.frequency;
  if (!stated.empty()) return stated;
  std::vector<double> found = frequency_range(transfers, points);
  for (const Measurement& record : work.subject().records)  // the axis holds what was measured
    if (record.axis == MeasuredAxis::frequency)
      found = widened(std::move(found), *std::ranges::min_element(record.at), *std::ranges::max_element(record.at));
  return found;
}

/// A gain that is no rational function, sqrt(s) say: by the compiled way.
std::vector<ReportPart> compiled_frequency(ReportWork& work) {
  std::vector<ReportPart> parts;
  for (const FrequencyResponse& response :
       frequency_responses(work.graph(), work.subject().questions, {.seed = work.seed(), .budget = work.budget()}))
    parts.push_back({response.output + "/" + response.input, bode_figure(std::span(&response, 1))});
  return parts;
}

std::vector<ReportPart> exact_frequency(ReportWork& work) {
  const std::vector<ExactTransfer>& transfers = work.exact();
  std::vector<ReportPart> parts = zeros(transfers, "response to an oscillation");
  for (const std::vector<std::size_t>& group : groups(transfers)) {
    std::vector<ExactTransfer> together;
    for (const std::size_t i : group) together.push_back(transfers[i]);
    const std::vector<double> frequency = frequencies(work, together);
    std::vector<FrequencyResponse> responses;
    for (const ExactTransfer& transfer : together) {
      responses.push_back(frequency_response(transfer, frequency));
      responses.back().group_delay.clear();
      responses.back().unit = unit_of(work, transfer);
    }
    Figure figure = bode_figure(responses);
    std::vector<ReportPart> measured = add_measured_to_bode(work, figure, together);
    parts.push_back({group.size() == 1 ? label(together.front()) : "", std::move(figure)});
    std::ranges::move(measured, std::back_inserter(parts));
    for (const FrequencyResponse& response : responses)
      for (const std::string& note : response.notes) parts.push_back(remark(note + ".", response.output + "/" + response.input));
  }
  if (!work.loop())  // the section of the loop has them
    for (ReportPart& part : margins_of(work, transfers)) parts.push_back(std::move(part));
  work.verified({"Frequency response", "", "values in ball arithmetic, each correct to double precision"});
  return parts;
}

/// "" where the response has its figures.
std::string figures_in_words(const NamedResponse& response) {
  const StepFigures& figures = response.figures;
  if (!figures.missing.empty()) return figures.missing;
  return figures.grows ? "the response grows without bound" : "";
}

Page figures_of(const NamedResponse& response) {
  Page page;
  std::vector<std::vector<Prose>> rows;
  const auto row = [&](const char* name, const std::optional<double>& value, const std::string& unit) {
    if (value) rows.push_back({words(name), {number_math(*value, 5), unit}});
  };
  const std::string of = response.unit.empty() ? "" : " " + unit_text(response.unit);
  if (response.value.initial) row("just after t = 0", response.value.initial->to_double(), of);
  if (response.value.final) row("in the end", response.value.final->to_double(), of);
  row("rise time, 10 % to 90 %", response.figures.rise_time, " s");
  row("settling time, within 2 %", response.figures.settling_time, " s");
  row("overshoot", response.figures.overshoot, " %");
  if (response.figures.peak)
    rows.push_back(
        {words("peak"), {number_math(*response.figures.peak, 5), of + " at ", number_math(response.figures.peak_time, 5), " s"}});
  if (!rows.empty()) page.add(summary(std::move(rows)));
  if (const std::string why = figures_in_words(response); !why.empty()) page.add(Paragraph{{"Remark: " + why + "."}});
  if (!response.value.impulses.empty()) page.add(Paragraph{{"The response has impulses; they are drawn as arrows."}});
  for (const std::string& note : response.value.notes) page.add(Paragraph{{note + "."}});
  return page;
}

/// As many side by side can be told apart.
constexpr double most_oscillations = 40;

/// Until it settles, or for as long as its oscillations can be told apart.
double shown_until(const ExactTransfer& transfer) {
  const double range = step_range(transfer), count = oscillations(transfer, range);
  return count > most_oscillations ? range * most_oscillations / count : range;
}

std::vector<double> times_of(const ReportWork& work, std::span<const ExactTransfer> transfers) {
  constexpr std::size_t points = 801;
  double until = 0;
  if (const auto& stated = work.subject().input().analyses.until)
    until = parse_number(*stated).to_double();
  else
    for (const ExactTransfer& transfer : transfers) until = std::max(until, shown_until(transfer));
  if (transfers.front().op.discrete()) return sample_times(until, transfers.front().op.period());
  std::vector<double> times(points);
  for (std::size_t i = 0; i < points; ++i) times[i] = until * static_cast<double>(i) / (points - 1);
  return times;
}

Figure step_figure(std::span<const NamedResponse> responses, std::span<const ExactTransfer> transfers,
                   std::vector<std::optional<OscillationBand>> bands) {
  Figure figure =
      response_figure(responses, "Step response", {.samples = transfers.front().op.discrete(), .bands = std::move(bands)});
  for (const ExactTransfer& transfer : transfers)
    if (is_improper(transfer))
      for (Panel& panel : figure.panels)
        for (Series& series : panel.series)
          if (series.transfer == label(transfer)) series.kind.clear();  // with impulses in it, it does not move
  return figure;
}

std::vector<ReportPart> step_of(ReportWork& work, std::span<const ExactTransfer> transfers) {
  const std::vector<double> times = times_of(work, transfers);
  std::vector<NamedResponse> found = responses(transfers, Excitation::step, times, {.pade_order = 8, .budget = work.share(5)});
  std::vector<std::optional<OscillationBand>> bands;
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].unit = work.unit(transfers[i].output);
    bands.push_back(times.empty() ? std::nullopt : oscillation_band(transfers[i], Excitation::step, times.back()));
  }
  std::vector<ReportPart> parts;
  Figure figure = step_figure(found, transfers, std::move(bands));
  std::vector<ReportPart> measured = add_measured_to_step(work, figure, found, transfers);
  parts.push_back({found.size() == 1 ? label(transfers.front()) : "", std::move(figure)});
  std::ranges::move(measured, std::back_inserter(parts));
  for (std::size_t i = 0; i < found.size(); ++i) {
    Page page;
    if (found.size() > 1) page.add(Paragraph{{gain_name(transfers[i].input, transfers[i].output)}});
    page.add(figures_of(found[i]));
    if (times.size() > 1 && !work.subject().input().analyses.until && times.back() < step_range(transfers[i]))
      page.add(Paragraph{{fmt::format("It oscillates some {:.0f} times until it settles: its beginning is shown.",
                                      oscillations(transfers[i], step_range(transfers[i])))}});
    parts.push_back({label(transfers[i]), std::move(page)});
  }
  return parts;
}

std::vector<ReportPart> step_responses(ReportWork& work) {
  const std::vector<ExactTransfer>& transfers = work.exact();
  std::vector<ReportPart> parts = zeros(transfers, "response to a step");
  bool all = true;
  for (const std::vector<std::size_t>& group : groups(transfers)) {
    std::vector<ExactTransfer> together;
    for (const std::size_t i : group) together.push_back(transfers[i]);
    try {
      for (ReportPart& part : step_of(work, together)) parts.push_back(std::move(part));
    } catch (const Failure& failure) {
      work.budget().check("the step response");
      all = false;
      parts.push_back(
          remark(label(together.front()) + ": no step response, for " + failure.what() + ".", label(together.front())));
    }
  }
  const auto numbers = ReportCommand::Values::numbers;
  if (all) work.gives({.verb = "step", .values = numbers, .ends = ReportCommand::Ends::asked, .picture = "step"});
  work.verified({"Step response", "", "partial fractions in ball arithmetic, each value correct to double precision"});
  return parts;
}

}  // namespace

std::vector<ReportPart> frequency_section(ReportWork& work) {
  if (!work.answerable() || !work.known()) return {};
  std::vector<ReportPart> parts;
  try {
    parts = exact_frequency(work);
  } catch (const Failure&) {
    work.budget().check("the frequency response");
    parts = compiled_frequency(work);
  }
  const auto numbers = ReportCommand::Values::numbers;
  work.gives({.verb = "bode", .values = numbers, .ends = ReportCommand::Ends::asked, .picture = "bode"});
  return parts;
}

std::vector<ReportPart> time_section(ReportWork& work) {
  if (!work.linear()) return work.loop() ? std::vector<ReportPart>{} : nonlinear_time(work);
  std::vector<ReportPart> parts = work.answerable() && work.known() ? step_responses(work) : std::vector<ReportPart>{};
  if (work.loop()) return parts;  // what the file states is of the closed graph
  try {
    for (ReportPart& part : stated_motion(work)) parts.push_back(std::move(part));
  } catch (const Failure& failure) {
    work.budget().check("the simulation");
    parts.push_back(remark(std::string("What the file states is not simulated: ") + failure.what() + "."));
  }
  return parts;
}

}  // namespace sfg
