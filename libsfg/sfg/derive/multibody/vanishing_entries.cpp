#include "sfg/derive/multibody/vanishing_entries.hpp"

#include <cmath>
#include <complex>
#include <random>

namespace sfg {

std::vector<bool> vanishing_outputs(const numeric::Tape& tape, std::span<const std::array<std::size_t, 4>> quaternions) {
  using Complex = std::complex<double>;
  constexpr std::size_t points = 3;
  constexpr double no_error = 1e-150;     // of a branch that is 0 there, as of max(x, 0), and may be something elsewhere
  constexpr double rounded_before = 1e4;  // numbers of the model are results of others, too, closed to a dozen digits
  const std::size_t inputs = tape.inputs().size(), outputs = tape.outputs().size();
  std::vector<std::vector<Complex>> places(inputs, std::vector<Complex>(points));
  std::mt19937 random(1);
  for (auto& input : places)
    for (Complex& value : input) {
      const double size = 0.3 + static_cast<double>(random() % 1000) / 1000;
      value = random() % 2 == 0 ? size : -size;
    }
  for (const auto& quaternion : quaternions)
    for (std::size_t p = 0; p < points; ++p) {
      double square = 0;
      for (const std::size_t i : quaternion) square += std::norm(places[i][p]);
      for (const std::size_t i : quaternion) places[i][p] /= std::sqrt(square);
    }
  const std::vector<std::span<const Complex>> feeds(places.begin(), places.end());
  const std::vector<double> once(inputs, std::ldexp(1, -53));
  std::vector<Complex> values(points * outputs);
  std::vector<double> errors(values.size());
  tape.run_bounded(points, feeds, once, values, errors, 1);
  std::vector<bool> vanishing(outputs, true);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(errors[i] > no_error && std::isfinite(errors[i]) && std::abs(values[i]) <= rounded_before * errors[i]))
      vanishing[i / points] = false;
  return vanishing;
}

}  // namespace sfg
