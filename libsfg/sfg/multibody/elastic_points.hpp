#pragma once
#include <vector>

#include "sfg/model/multibody.hpp"
#include "sfg/multibody/bodies.hpp"

// Not installed.
namespace sfg {

class ModelNumbers;

/// The mass of an elastic body as points, and its modal stiffness and damping.
struct ElasticPoints {
  std::vector<ElasticPart::MassPoint> points;
  std::vector<double> stiffness, damping;
};
/// As stated; of a beam those of a Gauss formula that is exact for its shapes.
/// @throws sfg::Error for shapes that are no polynomials, and parameters without values.
ElasticPoints elastic_points(const Multibody::Elastic&, const ModelNumbers&);

}  // namespace sfg
