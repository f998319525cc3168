#pragma once
#include "sfg/multibody/aggregate_parts.hpp"

// Not installed.
namespace sfg {

/// What acts on the parts of a model. @throws sfg::Error for parameters without values.
AggregateLaw law_of(std::shared_ptr<const AggregateParts>, AggregateModel::Inputs);

}  // namespace sfg
