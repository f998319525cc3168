#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "sfg/study/tuning/constrained_search.hpp"
#include "sfg/study/tuning/pole_placement.hpp"
#include "sfg/study/tuning/tuning.hpp"

// Not installed: a goal of tuning as functions in the unit box.
namespace sfg {

/// Bounds as the unit box: a positive parameter with bounds far apart on a scale of ratios, any other one linearly.
class TuningBox {
 public:
  TuningBox(std::vector<TunedRange>, std::vector<double> stated);

  std::size_t size() const noexcept { return ranges_.size(); }
  /// Bounds and stated values come back without rounding.
  std::vector<double> values(std::span<const double> x) const;
  double slope(std::size_t parameter, double value) const;               ///< d(value)/dx
  const std::vector<double>& stated() const noexcept { return start_; }  ///< x of the stated values, moved into the bounds

 private:
  double x_of(std::size_t parameter, double value) const;

  std::vector<TunedRange> ranges_;
  std::vector<double> stated_, start_;
  std::vector<bool> ratio_;
};

/// The functions of a goal, with the points counted at which they were asked for. Any number of threads may ask.
class TuningProblem {
 public:
  TuningProblem(const MeasuredSystem&, const std::vector<TunedRange>&, const TuningGoal&, const Budget&);

  /// What is to be least.
  enum class Aim {
    conditions,  ///< nothing: the specs alone
    change,      ///< the distance from the stated values
    objective,
    distance,  ///< of the poles from where they are wanted
  };
  /// @param specs  those that are conditions
  /// @param exact  whether wanted poles are a condition, too
  SearchProblem problem(Aim, std::vector<std::size_t> specs, bool exact = false) const;

  const TuningBox& box() const noexcept { return box_; }
  const MeasureProgram& program() const noexcept { return program_; }
  const PolePlacement* placement() const noexcept { return placement_ ? &*placement_ : nullptr; }
  /// Of the specs, at values of their measures: with equality within 1e-6, and so much slack elsewhere.
  bool met(std::size_t spec, double value) const;
  /// Values of the measures at parameters: the objective where there is one, then the specs.
  std::vector<double> measured(const std::vector<double>& parameters) const;
  std::size_t evaluations() const noexcept { return evaluations_; }
  /// Sets of specs that some point met, as bits; of up to 64 specs.
  std::set<std::uint64_t> met_together() const;

 private:
  struct Rows {
    std::vector<double> values, slopes;  ///< slopes by x
  };
  /// As of the program, counted. Where a measure would take more than is ever taken for one (a response that hardly dies away),
  /// it does not exist; the time that is over ends all.
  void evaluate(std::size_t points, std::span<const double> parameters, std::span<double> values) const;
  LocalMeasures at(const std::vector<double>& parameters) const;
  Rows rows(const std::vector<double>& x, bool slopes) const;
  void add_differences(const std::vector<double>& x, Rows&) const;
  void note_met(const std::vector<double>& measured) const;
  double condition(std::size_t spec, double value) const;
  void add_placement(SearchValues&, const std::vector<double>& parameters, bool distances, bool exact, bool slopes) const;

  Budget budget_;
  TuningGoal goal_;
  MeasureProgram program_;
  std::optional<PolePlacement> placement_;
  TuningBox box_;
  std::vector<double> unit_;  ///< of the specs: what a violation is measured in
  mutable std::atomic<std::size_t> evaluations_ = 0;
  mutable std::mutex mutex_;
  mutable std::set<std::uint64_t> met_;
};

}  // namespace sfg
