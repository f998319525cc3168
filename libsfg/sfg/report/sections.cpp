#include "sfg/report/sections.hpp"

#include <nlohmann/json.hpp>

#include "sfg/control/poles.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/responses.hpp"
#include "sfg/write/poles.hpp"
#include "sfg/write/transfer.hpp"

namespace sfg {

std::vector<ReportPart> model_section(ReportWork& work) {
  Page page;
  page.add(Listing{work.subject().text});
  return {{{}, std::move(page)}};
}

std::vector<ReportPart> equations_section(ReportWork&) { return {}; }

std::vector<ReportPart> graph_section(ReportWork& work) { return {{{}, ReportGraph{work.graph()}}}; }

std::vector<ReportPart> mason_section(ReportWork& work) {
  if (!work.linear()) return {};
  return {{{}, ReportDerivation{work.listings()}}};
}

std::vector<ReportPart> transfer_section(ReportWork& work) {
  if (!work.linear()) return {};
  std::vector<ReportPart> parts;
  for (const TransferFunction& transfer : work.transfers())
    parts.push_back({transfer_label(work.graph(), transfer.question), page(work.graph(), std::span(&transfer, 1))});
  return parts;
}

std::vector<ReportPart> poles_section(ReportWork& work) {
  if (!work.known()) return {};
  std::vector<ReportPart> parts;
  for (std::size_t i = 0; i < work.exact().size(); ++i) {
    const PolesZeros found = poles_zeros(work.exact()[i]);
    parts.push_back({transfer_label(work.graph(), work.subject().questions[i]), page(std::span(&found, 1))});
  }
  return parts;
}

std::vector<ReportPart> frequency_section(ReportWork&) { return {}; }
std::vector<ReportPart> time_section(ReportWork&) { return {}; }
std::vector<ReportPart> sensitivity_section(ReportWork&) { return {}; }
std::vector<ReportPart> reduction_section(ReportWork&) { return {}; }
std::vector<ReportPart> verification_section(ReportWork&) { return {}; }
std::vector<ReportPart> reproduce_section(ReportWork&) { return {}; }

}  // namespace sfg
