#include <fmt/format.h>

#include "sfg/report/sections.hpp"

namespace sfg {

namespace {

/// What stands on the input alone, and no calculation proves.
void add_limits(Page& page, const ReportWork& work) {
  page.add(Heading{words("What was not verified")});
  if (work.model() != nullptr)
    page.add(
        Paragraph{{"The step from the model to its equations: each kind of model is derived on one way here. Whether the model "
                   "is that of the thing it is meant for is its author's affair."}});
  else
    page.add(Paragraph{{"Whether the graph is that of the thing it is meant for is its author's affair."}});
  if (work.answerable() && work.known())
    page.add(
        Paragraph{{"Values of parameters count as exact as they are written. Curves are drawn through the points that were "
                   "calculated; between these they are straight."}});
  if (!work.linear()) page.add(Paragraph{{"Simulated motions are integrated numerically to tolerances: they are not proven."}});
}

}  // namespace

std::vector<ReportPart> verification_section(ReportWork& work) {
  Page page;
  if (work.verified().empty()) {
    page.add(Paragraph{{"No section of this report has an answer that is verified by a second way."}});
  } else {
    page.add(
        Paragraph{{"Each answer in symbols was compared with a second, independent way at random points modulo large primes. "
                   "The bound is that of the chance that a wrong answer passed (Schwartz and Zippel)."}});
    Table table;
    table.columns = {{.head = words("section")},
                     {.head = words("answer")},
                     {.head = words("how")},
                     {.head = words("points"), .right = true},
                     {.head = words("chance of a miss below"), .right = true}};
    for (const VerifiedAnswer& answer : work.verified())
      table.rows.push_back({words(answer.section), words(answer.answer.empty() ? "all" : answer.answer), words(answer.method),
                            answer.points ? words(std::to_string(*answer.points)) : Prose{},
                            answer.error_bound ? Prose{Math::number(fmt::format("{:.0e}", *answer.error_bound))} : Prose{}});
    page.add(std::move(table));
  }
  add_limits(page, work);
  return {{{}, std::move(page)}};
}

}  // namespace sfg
