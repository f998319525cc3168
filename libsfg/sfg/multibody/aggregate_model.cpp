#include "sfg/multibody/aggregate_run.hpp"

#include "sfg/multibody/aggregate_parts.hpp"

namespace sfg {

AggregateModel::AggregateModel(const Multibody& model) : parts_(std::make_shared<const AggregateParts>(model)) {}

const Aggregate& AggregateModel::aggregate() const noexcept { return parts_->aggregate; }
const std::vector<std::string>& AggregateModel::coordinates() const noexcept { return parts_->coordinates; }
const std::vector<std::string>& AggregateModel::speeds() const noexcept { return parts_->speeds; }

std::vector<double> AggregateModel::state(const std::map<std::string, double>& values) const { return parts_->state(values); }

std::vector<double> AggregateModel::values(std::span<const double> state, std::span<const double> before) const {
  return parts_->values(state, before);
}

AggregateLaw AggregateModel::law(Inputs inputs, std::vector<double> before) const {
  return law_of(parts_, std::move(inputs), std::move(before));
}

}  // namespace sfg
