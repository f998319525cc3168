#pragma once
#include <optional>
#include <vector>

#include "sfg/report/report.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// What several sections need, found once, when it is first asked for.
class ReportWork {
 public:
  ReportWork(const ReportSubject& subject, const ReportOptions& options) : subject_(subject), options_(options) {}

  const ReportSubject& subject() const noexcept { return subject_; }
  const SignalFlowGraph& graph() const noexcept { return subject_.graph; }
  const Budget& budget() const noexcept { return options_.budget; }
  std::uint64_t seed() const noexcept { return options_.seed; }
  const Model* model() const { return std::get_if<Model>(&subject_.input.content); }
  bool linear() const { return subject_.graph.linear(); }
  /// Whether a section is asked for by its name.
  bool requested(std::string_view section) const;
  /// Whether every gain has a value at the stated values.
  bool known() const;

  const std::vector<MasonListing>& listings();       ///< @throws as mason()
  const std::vector<TransferFunction>& transfers();  ///< in symbols; @throws as transfer_functions()
  const std::vector<ExactTransfer>& exact();         ///< with the stated values; @throws as exact_transfers()

 private:
  const ReportSubject& subject_;
  const ReportOptions& options_;
  std::optional<std::vector<MasonListing>> listings_;
  std::optional<std::vector<TransferFunction>> transfers_;
  std::optional<std::vector<ExactTransfer>> exact_;
};

}  // namespace sfg
