#include "sfg/model/mechanism.hpp"

namespace sfg {

using Point = Mechanism::Point;

Point MechanismPose::direction(std::size_t body, const Point& vector) const {
  const Frame& frame = frames.at(body);
  Point result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) result[i] += frame.axes[k][i] * vector[k];
  return result;
}

Point MechanismPose::at(std::size_t body, const Point& point) const {
  Point result = direction(body, point);
  for (std::size_t i = 0; i < 3; ++i) result[i] += frames[body].position[i];
  return result;
}

}  // namespace sfg
