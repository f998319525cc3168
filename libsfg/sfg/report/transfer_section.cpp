#include <algorithm>

#include "sfg/control/poles.hpp"
#include "sfg/expr/decimal_fraction.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/write/forms/transfer.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

constexpr std::size_t longest_copied = 300'000;  ///< characters behind the buttons of one formula
constexpr std::size_t longest_printed = 6'000;   ///< characters of one formula; as typeset mathematics twenty times as many bytes
constexpr std::size_t longest_together = 40'000;  ///< of all formulas that are printed

/// The grammar of programs with the power of Python: what SymPy's parser reads without further settings.
std::string for_sympy(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '^' ? std::string("**") : std::string(1, c);
  return result;
}

ReportFormula formula(const ReportWork& work, const TransferFunction& transfer) {
  const std::string text = quotient_text(print(transfer.value.numerator()), print(transfer.value.denominator()));
  const std::string latex =
      write(simple_quotient(math(transfer.value.numerator()), math(transfer.value.denominator())), Notation::latex);
  return {Equation{gain_name(work.input(transfer.question), work.output(transfer.question)), {transfer.value}}, text, latex,
          for_sympy(text)};
}

/// With numbers for the parameters, five digits each.
std::optional<Equation> in_numbers(const ReportWork& work, const TransferFunction& transfer) {
  const GiNaC::exmap values = work.graph().symbols.values();
  const GiNaC::ex value = transfer.value.expression().subs(values);
  const GiNaC::ex op = work.graph().op.in(work.graph().symbols);
  const std::array<GiNaC::ex, 1> all{value};
  const RationalFunction numbers = PolynomialSpace(all, op).rational(value).reduced();
  constexpr std::size_t digits = 5;
  const DecimalFraction decimals = decimal_fraction(numbers, digits);
  return Equation{gain_name(work.input(transfer.question), work.output(transfer.question)),
                  {decimals.below ? Math::quotient(decimals.above, *decimals.below) : decimals.above},
                  decimals.rounded ? Prose{"with numbers, rounded to five digits"} : Prose{"with numbers"}};
}

void add_numbers(Page& page, ReportWork& work, const TransferFunction& transfer) {
  constexpr std::size_t most = 1500;
  if (!work.known() || terms_of(transfer.value) > most || transfer.value.expression().is_zero()) return;
  const std::vector<std::string> names = symbol_names(transfer.value.expression());
  if (std::ranges::all_of(names, [&](const std::string& name) { return name == work.graph().op.symbol(); })) return;
  try {
    if (const auto equation = in_numbers(work, transfer)) page.add(Equations{{*equation}, work.graph().op.symbol()});
  } catch (const Failure&) {
    work.budget().check("the transfer functions");  // values at which the formula divides by zero: said with the poles
  }
}

/// A factor of parameters alone has no modes.
bool hides_modes(const ReportWork& work, const TransferFunction& transfer) {
  return transfer.value.space().expression(transfer.cancelled).has(work.graph().op.in(work.graph().symbols));
}

/// What stands beside the formula of one pair.
ReportPart remarks(ReportWork& work, const TransferFunction& transfer) {
  Page page;
  add_numbers(page, work, transfer);
  if (transfer.value.numerator().is_zero())
    page.add(Paragraph{{"No way leads from ", Math::signal(work.input(transfer.question)), " to ",
                        Math::signal(work.output(transfer.question)), ", or all of them cancel: the answer is 0."}});
  if (!transfer.cancelled.is_one())
    page.add(Paragraph{{"Cancelled: ", math(transfer.cancelled),
                        hides_modes(work, transfer)
                            ? ". The modes that belong to it are not seen from this input at this output."
                            : ", a factor without " + work.graph().op.symbol() + ": no mode is hidden by it."}});
  if (terms_of(transfer.value) > 400)
    page.add(Paragraph{{"Numerator and denominator have " + std::to_string(terms_of(transfer.value)) + " products."}});
  return {transfer_label(work.graph(), transfer.question), std::move(page)};
}

void tell_verification(ReportWork& work, const std::string& answer, const Verification& verification) {
  work.verified({"Transfer functions", answer, verification.method, verification.points, verification.error_bound});
}

std::vector<ReportPart> fractions(ReportWork& work) {
  std::vector<ReportPart> parts;
  std::size_t printed = 0;
  for (const TransferFunction& transfer : work.transfers()) {
    const std::string label = transfer_label(work.graph(), transfer.question);
    tell_verification(work, label, transfer.verification);
    ReportFormula shown = formula(work, transfer);
    if (shown.text.size() > longest_copied) {
      parts.push_back(remark(label + ": a fraction of " + std::to_string(terms_of(transfer.value)) +
                                 " products, too long for a page. The command of this section writes it.",
                             label));
      continue;
    }
    printed += shown.text.size();
    if (shown.text.size() > longest_printed || printed > longest_together) {
      shown.equation.right.clear();
      shown.equation.aside = {"a fraction of " + std::to_string(terms_of(transfer.value)) + " products, too long to print"};
    }
    parts.push_back({label, std::move(shown)});
    if (ReportPart beside = remarks(work, transfer); !std::get<Page>(beside.content).blocks.empty())
      parts.push_back(std::move(beside));
  }
  work.gives({.verb = "tf", .ends = ReportCommand::Ends::asked});
  return parts;
}

Math polynomial(const exact::RationalPolynomial& value, const std::string& variable) {
  std::vector<Math> terms;
  for (long k = value.degree(); k >= 0; --k) {
    const double c = value.coefficient(k).to_double();
    if (c == 0) continue;
    Math factor = number_math(std::abs(c), 6);
    if (k > 0) {
      Math power = k == 1 ? Math::name(variable) : Math::power(Math::name(variable), Math::number(std::to_string(k)));
      factor = c == 1 || c == -1 ? std::move(power) : Math::product({std::move(factor), std::move(power)});
    }
    terms.push_back(c < 0 ? Math::negative(std::move(factor)) : std::move(factor));
  }
  return terms.empty() ? Math::number("0") : Math::sum(std::move(terms));
}

/// What is too large for one fraction in symbols: nothing expanded, and the fraction with numbers.
std::vector<ReportPart> without_fraction(ReportWork& work, const LimitReached& reason) {
  std::vector<ReportPart> parts{remark(std::string("One fraction in symbols would be too large (") + reason.what() + ").")};
  constexpr std::size_t most_definitions = 150;
  const auto sequences = transfer_sequences(work.graph(), work.subject().questions, {.budget = work.share(5)});
  for (const TransferSequence& sequence : sequences) {
    const std::string label = transfer_label(work.graph(), sequence.question);
    tell_verification(work, label + " as a sequence", sequence.verification);
    if (sequence.definitions.size() <= most_definitions)
      parts.push_back(fitting(page(work.graph(), std::span(&sequence, 1)), label));
    else
      parts.push_back(remark(label + ": as a sequence of " + std::to_string(sequence.definitions.size()) + " definitions and " +
                                 std::to_string(sequence.operations.total()) +
                                 " operations, too long for a page. The command of this section writes it.",
                             label));
  }
  work.gives({.verb = "tf", .options = {"--form", "sequence"}, .ends = ReportCommand::Ends::asked});
  if (!work.known()) return parts;
  parts.push_back(remark("With numbers, six digits each:"));
  for (const ExactTransfer& transfer : work.exact()) {
    if (!transfer.rational()) continue;
    Page numbers;
    numbers.add(Equations{{{gain_name(transfer.input, transfer.output),
                            {Math::quotient(polynomial(transfer.numerator.polynomial(), transfer.op.symbol()),
                                            polynomial(transfer.denominator.polynomial(), transfer.op.symbol()))}}},
                          transfer.op.symbol()});
    parts.push_back({transfer.output + "/" + transfer.input, std::move(numbers)});
  }
  work.gives({.verb = "tf",
              .options = {"--form", "numeric"},
              .values = ReportCommand::Values::numbers,
              .ends = ReportCommand::Ends::asked});
  return parts;
}

}  // namespace

std::size_t terms_of(const RationalFunction& value) { return value.numerator().term_count() + value.denominator().term_count(); }

std::vector<ReportPart> transfer_section(ReportWork& work) {
  if (!work.answerable()) return {};
  try {
    return fractions(work);
  } catch (const LimitReached& reason) {
    work.budget().check("the transfer functions");
    return without_fraction(work, reason);
  }
}

}  // namespace sfg
