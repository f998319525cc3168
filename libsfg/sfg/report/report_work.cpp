#include "sfg/report/report_work.hpp"

#include <algorithm>

#include "sfg/expr/rational.hpp"

namespace sfg {

bool ReportWork::requested(std::string_view section) const {
  return std::ranges::find(options_.sections, section) != options_.sections.end();
}

bool ReportWork::known() const {
  const GiNaC::exmap values = graph().symbols.values();
  return std::ranges::all_of(graph().branches(), [&](const Branch& branch) {
    if (!branch.linear()) return false;
    return std::ranges::all_of(symbol_names(branch.gain().subs(values)),
                               [&](const std::string& name) { return name == graph().op.symbol(); });
  });
}

const std::vector<MasonListing>& ReportWork::listings() {
  if (!listings_) {
    std::vector<MasonListing> found;
    for (const Question& question : subject_.questions) found.push_back(mason(graph(), question, {.budget = budget()}));
    listings_ = std::move(found);
  }
  return *listings_;
}

const std::vector<TransferFunction>& ReportWork::transfers() {
  if (!transfers_) transfers_ = transfer_functions(graph(), subject_.questions, {.budget = budget(), .seed = seed()});
  return *transfers_;
}

const std::vector<ExactTransfer>& ReportWork::exact() {
  if (!exact_) exact_ = exact_transfers(graph(), subject_.questions, {.budget = budget(), .seed = seed()});
  return *exact_;
}

}  // namespace sfg
