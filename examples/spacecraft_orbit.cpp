// A spacecraft that holds the local vertical: its motion in orbit by parts and by equations of motion, and what acts on it there.
#include <cmath>
#include <cstdio>
#include <vector>

#include "sfg/derive/multibody/surroundings.hpp"
#include "sfg/multibody/aggregate_run.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/read/input.hpp"

int main() {
  using namespace sfg::surroundings;
  const sfg::Input input = sfg::read_file("spacecraft_orbit.toml");
  const auto& model = std::get<sfg::Multibody>(std::get<sfg::Model>(input.content));

  const double mu = 398600441800000, radius = 6778137, inclination = 51.6 * 3.14159265358979 / 180;
  for (const double t : {0.0, 700.0, 1400.0}) {
    const MovingFrame<double> orbit = orbit_frame(mu, radius, inclination, t);
    const Vector<double> field = in_axes(orbit.axes, dipole_field<double>({0, 0, -7.94e22}, orbit.position));
    const Vector<double> moment = cross<double>({0.5, 2, -1}, field);
    std::printf("%4.0f s: field %6.2f %6.2f %6.2f uT, moment %7.2f %7.2f %7.2f uN m\n", t, 1e6 * field[0], 1e6 * field[1],
                1e6 * field[2], 1e6 * moment[0], 1e6 * moment[1], 1e6 * moment[2]);
  }

  sfg::MechanismQuestion question;
  for (const auto& entry : input.simulation.initial) question.initial.push_back({entry.name, std::stod(entry.text)});
  question.outputs = {"w2", "Om"};
  const std::vector<double> times{0, 100, 300, 600};
  const sfg::AggregateMotion parts = sfg::aggregate_motion(model, question, times);
  const sfg::MechanismRun equations = sfg::mechanism_run(model, question, times);
  for (std::size_t k = 0; k < times.size(); ++k)
    std::printf("%3.0f s: pitch rate %10.7f rad/s, wheel %9.4f rad/s; the equations of motion say %9.4f rad/s\n", times[k],
                parts.signals[0].value.value[k], parts.signals[1].value.value[k], equations.signals[1].value.value[k]);
}

/* prints
   0 s: field  19.98 -15.84  -0.00 uT, moment  -15.84  -19.98  -47.88 uN m
 700 s: field  14.04 -15.84  28.44 uT, moment   41.05  -28.26  -35.99 uN m
1400 s: field  -0.26 -15.84  39.96 uT, moment   64.08  -19.72   -7.39 uN m
  0 s: pitch rate -0.0011309 rad/s, wheel -200.0000 rad/s; the equations of motion say -200.0000 rad/s
100 s: pitch rate -0.0018191 rad/s, wheel -197.7606 rad/s; the equations of motion say -197.7606 rad/s
300 s: pitch rate -0.0010943 rad/s, wheel -200.2886 rad/s; the equations of motion say -200.2886 rad/s
600 s: pitch rate -0.0011317 rad/s, wheel -200.2980 rad/s; the equations of motion say -200.2980 rad/s
*/
