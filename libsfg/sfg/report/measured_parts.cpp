#include "sfg/report/sections.hpp"

#include <algorithm>

#include "sfg/plot/figures.hpp"
#include "sfg/response/measured_response.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/write/frequency_response.hpp"

namespace sfg {

namespace {

std::vector<Measurement> records_over(const ReportWork& work, MeasuredAxis axis) {
  std::vector<Measurement> found;
  std::ranges::copy_if(work.subject().records, std::back_inserter(found),
                       [&](const Measurement& record) { return record.axis == axis; });
  return found;
}

/// Behind the picture: it holds for the stated values, wherever the parameters of the page are moved.
template <class Item>
std::vector<ReportPart> misfits(const std::vector<Item>& measured, std::span<const ExactTransfer> transfers) {
  if (measured.empty()) return {};
  const std::string one = transfers.size() == 1 ? transfers.front().output + "/" + transfers.front().input : "";
  Page whole = page(std::span<const Item>(measured));
  whole.add(Paragraph{{"The measures of misfit are those of the stated values."}});
  std::vector<ReportPart> parts;
  parts.push_back({one, std::move(whole)});
  return parts;
}

}  // namespace

std::vector<ReportPart> add_measured_to_bode(const ReportWork& work, Figure& figure, std::span<const ExactTransfer> transfers) {
  const std::vector<Measurement> records = records_over(work, MeasuredAxis::frequency);
  const std::vector<double> there = measured_frequencies(records);
  if (there.empty()) return {};
  std::vector<FrequencyResponse> model;
  for (const ExactTransfer& transfer : transfers) model.push_back(frequency_response(transfer, there));
  const std::vector<MeasuredTransfer> measured = beside(records, model);
  add_measured_to_bode(figure, measured, {.residuals = false});
  return misfits(measured, transfers);
}

std::vector<ReportPart> add_measured_to_step(const ReportWork& work, Figure& figure, std::vector<NamedResponse> shown,
                                             std::span<const ExactTransfer> transfers) {
  const std::vector<Measurement> records = records_over(work, MeasuredAxis::time);
  if (records.empty()) return {};
  const Operator& op = transfers.front().op;
  std::vector<NamedResponse> model =
      responses(transfers, Excitation::step, measured_times(records, op), {.pade_order = 8, .budget = work.share(5)});
  const auto& asked = work.subject().questions;
  const bool several = std::ranges::any_of(asked, [&](const Question& q) { return q.input != asked.front().input; });
  if (several)  // as the columns are named
    for (std::size_t i = 0; i < transfers.size(); ++i)
      model[i].name = shown[i].name = transfers[i].output + " (" + transfers[i].input + ")";
  const std::vector<MeasuredSignal> measured = beside(records, model, op, 0.0);
  add_measured(figure, shown, measured, {.residuals = false});
  return misfits(measured, transfers);
}

}  // namespace sfg
