#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/report/report.hpp"
#include "sfg/report/report_command.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// How an answer of the report was verified.
struct VerifiedAnswer {
  std::string section;  ///< "Mason's rule"
  std::string answer;   ///< "Z/z1"; "" for all of the section
  std::string method;
  std::optional<std::size_t> points = {};
  std::optional<double> error_bound = {};  ///< of the chance that a wrong answer passed
};

/// What several sections need, found once, when it is first asked for; and what they say of how they came about.
class ReportWork {
 public:
  ReportWork(const ReportSubject& subject, const ReportOptions& options) : subject_(subject), options_(options) {}

  const ReportSubject& subject() const noexcept { return subject_; }
  const SignalFlowGraph& graph() const { return subject_.graph(); }
  const Budget& budget() const noexcept { return options_.budget; }
  std::uint64_t seed() const noexcept { return options_.seed; }
  const Model* model() const { return subject_.subject.model(); }
  bool linear() const { return graph().linear(); }
  /// A linear graph with something asked of it.
  bool answerable() const { return linear() && !subject_.questions.empty(); }
  /// The loop that the report is about, where it is not about the whole.
  const std::optional<LoopTerms>& loop() const { return subject_.subject.terms().loop; }
  /// Whether a section is asked for by its name.
  bool requested(std::string_view section) const;
  /// Whether every gain has a value at the stated values.
  bool known() const;
  /// The parameters, as the input states them.
  const SymbolTable& symbols() const { return subject_.subject.symbols(); }
  std::string unit(const std::string& signal) const { return subject_.input().dimensions.unit(signal); }
  const std::string& input(const Question& question) const { return graph()[question.input].name; }
  const std::string& output(const Question& question) const { return graph()[question.output].name; }
  /// For a part that others do not wait for: so many seconds, products and bytes, and no more.
  Budget share(double seconds) const;

  const std::vector<MasonListing>& listings();       ///< cut beyond listed_at_most; @throws as mason()
  const std::vector<TransferFunction>& transfers();  ///< in symbols; @throws as transfer_functions()
  const std::vector<ExactTransfer>& exact();         ///< with the stated values; @throws as exact_transfers()

  void gives(ReportCommand command) { commands_.push_back(std::move(command)); }
  void verified(VerifiedAnswer answer) { verified_.push_back(std::move(answer)); }
  const std::vector<ReportCommand>& commands() const noexcept { return commands_; }
  const std::vector<VerifiedAnswer>& verified() const noexcept { return verified_; }

  static constexpr std::uint64_t listed_at_most = 300;

 private:
  const ReportSubject& subject_;
  const ReportOptions& options_;
  std::optional<std::vector<MasonListing>> listings_;
  std::optional<std::vector<TransferFunction>> transfers_;
  std::optional<std::vector<ExactTransfer>> exact_;
  std::vector<ReportCommand> commands_;
  std::vector<VerifiedAnswer> verified_;
};

/// A paragraph as a part of a section.
ReportPart remark(Prose text, std::string transfer = {});
ReportPart remark(std::string text, std::string transfer = {});
/// The page, where it is not too long for a report: else how long it would be, and that a command writes it.
ReportPart fitting(Page, std::string transfer = {});
/// A sub-heading.
ReportPart heading(Prose text, std::string transfer = {});

}  // namespace sfg
