#include <algorithm>

#include "sfg/control/poles.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/write/poles.hpp"

namespace sfg {

namespace {

constexpr std::size_t digits = 6;  ///< of the roots, in tables

/// Stability in words.
Prose verdict(const PolesZeros& found) {
  const char* region = found.op.discrete() ? "inside the unit circle" : "to the left of the imaginary axis";
  if (found.modes.empty()) return words("There are no poles: the answer follows the input at once.");
  if (found.stable) return words(std::string("Stable: every pole lies ") + region + ".");
  if (found.undamped) return words("Undamped: it oscillates for ever, and nothing decays or grows.");
  return words(std::string("Not stable: not every pole lies ") + region + ".");
}

/// Modes that cancel and do not decay are no detail.
void add_hidden(Page& page, const PolesZeros& found) {
  const bool unstable =
      std::ranges::any_of(found.hidden, [](const Mode& mode) { return !mode.time_constant || *mode.time_constant <= 0; });
  if (unstable)
    page.add(Paragraph{{"Warning: a mode that cancels here does not decay. It is not seen at this output, and is there."}});
}

bool nothing_to_map(const PolesZeros& found) { return found.modes.empty() && found.zeros.empty(); }

}  // namespace

std::vector<ReportPart> poles_section(ReportWork& work) {
  if (!work.answerable() || !work.known()) return {};
  const std::vector<ExactTransfer>& transfers = work.exact();
  // dead time in a loop: infinitely many poles
  if (std::ranges::any_of(transfers, [](const ExactTransfer& transfer) {
        return !transfer.denominator.rational() || (transfer.numerator.parts.empty() && transfer.cancelled.is_zero());
      }))
    return {};
  std::vector<ReportPart> parts;
  for (const ExactTransfer& transfer : transfers) {
    const PolesZeros found = poles_zeros(transfer);
    const std::string label = transfer.output + "/" + transfer.input;
    Page page = sfg::page(std::span(&found, 1), {.digits = digits});
    if (!transfer.numerator.parts.empty()) {
      std::erase_if(page.blocks, [](const Block& block) {  // said at greater length
        const auto* said = std::get_if<Paragraph>(&block);
        return said != nullptr && (said->text == words("stable") || said->text == words("unstable"));
      });
      page.add(Paragraph{verdict(found)});
      add_hidden(page, found);
    }
    parts.push_back({label, std::move(page)});
    if (!nothing_to_map(found)) parts.push_back({label, pole_figure(std::span(&found, 1))});
  }
  if (const auto matrix = transmission_zeros(work.graph(), work.subject().questions, transfers, {.budget = work.share(2)})) {
    Page page;
    add_matrix_zeros(page, *matrix, digits);
    parts.push_back({{}, std::move(page)});
    work.verified({"Poles and zeros", "", "the Smith-McMillan form agrees with the common divisors of the matrix' minors"});
  }
  const auto numbers = ReportCommand::Values::numbers;
  work.gives({.verb = "poles", .values = numbers, .ends = ReportCommand::Ends::all});
  work.gives({.verb = "poles", .values = numbers, .ends = ReportCommand::Ends::all, .picture = "poles"});
  work.verified(
      {"Poles and zeros", "", "each root is enclosed in ball arithmetic until its digits are proven, multiple ones too"});
  return parts;
}

}  // namespace sfg
