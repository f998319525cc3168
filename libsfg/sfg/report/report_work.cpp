#include "sfg/report/report_work.hpp"

#include <algorithm>
#include <sstream>

#include "sfg/expr/rational.hpp"
#include "sfg/write/page/page.hpp"

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

Budget ReportWork::share(double seconds) const {
  budget().check("the report");
  Budget::Limits limits = budget().limits();
  limits.seconds = std::min(seconds, limits.seconds.value_or(seconds));
  return Budget(limits);
}

const std::vector<MasonListing>& ReportWork::listings() {
  if (!listings_) {
    const Budget share = this->share(4);
    std::vector<MasonListing> found;
    for (const Question& question : subject_.questions)
      found.push_back(mason(graph(), question, {.limit = listed_at_most, .budget = share}));
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

ReportPart remark(Prose text, std::string transfer) {
  Page page;
  page.add(Paragraph{std::move(text)});
  return {std::move(transfer), std::move(page)};
}

ReportPart remark(std::string text, std::string transfer) { return remark(Prose{std::move(text)}, std::move(transfer)); }

ReportPart fitting(Page page, std::string transfer) {
  constexpr std::size_t longest = 25'000;  // characters: as typeset mathematics twenty times as many bytes
  std::ostringstream text;
  write_text(text, page);
  const std::string written = text.str();
  if (written.size() <= longest) return {std::move(transfer), std::move(page)};
  return remark("It takes " + std::to_string(std::ranges::count(written, '\n')) +
                    " lines, too many for a report: the command of this section writes it.",
                std::move(transfer));
}

ReportPart heading(Prose text, std::string transfer) {
  Page page;
  page.add(Heading{std::move(text)});
  return {std::move(transfer), std::move(page)};
}

}  // namespace sfg
