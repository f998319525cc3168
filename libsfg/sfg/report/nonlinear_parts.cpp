#include "sfg/report/nonlinear_parts.hpp"

#include "sfg/nonlinear/principal.hpp"
#include "sfg/write/principal.hpp"

namespace sfg {

std::vector<ReportPart> nonlinear_time(ReportWork&) { return {}; }

std::vector<ReportPart> nonlinear_reduction(ReportWork& work) {
  if (work.subject().questions.empty()) return {};
  return {{{}, page(principal_reduction(work.graph(), {}, {}, {.budget = work.share(4), .seed = work.seed()}))}};
}

}  // namespace sfg
