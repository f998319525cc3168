// The motion of a mechanism from its start to UNTIL: mechanism_benchmark FILE.toml UNTIL POINTS SIGNAL. One line of JSON: seconds from
// the file to the checked answer, the parts of it, and the values of the signal.
#include "benchmark/measure.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/read/input.hpp"

namespace sfg::benchmark {
namespace {

const Multibody& model_of(const Input& input) { return std::get<Multibody>(std::get<Model>(input.content)); }

int run(const std::string& file, double until, std::size_t points, const std::string& signal) {
  std::vector<double> times(points);
  for (std::size_t i = 0; i < points; ++i) times[i] = until * static_cast<double>(i) / static_cast<double>(points - 1);
  MechanismRun motion;
  const auto whole = [&] {
    const Input input = read_file(file);
    MechanismQuestion question;
    question.outputs = {signal};
    for (const auto& entry : input.simulation.initial)
      question.initial.push_back({entry.name, std::stod(entry.text)});
    motion = mechanism_run(model_of(input), question, times);
  };
  constexpr int runs = 7;
  const double seconds = best_of(runs, whole), reading = best_of(runs, [&] { read_file(file); });
  const Input input = read_file(file);
  const double deriving = best_of(runs, [&] { multibody_equations(model_of(input)); });
  std::cout << std::setprecision(17) << "{\"seconds\": " << seconds << ", \"reading\": " << reading << ", \"deriving\": " << deriving
            << ", \"steps\": " << motion.steps << ", \"error\": " << motion.signals.front().value.error.value_or(0) << ", \"values\": [";
  for (std::size_t i = 0; i < points; ++i) std::cout << (i > 0 ? ", " : "") << motion.signals.front().value.value[i];
  std::cout << "]}" << std::endl;
  return 0;
}

}  // namespace
}  // namespace sfg::benchmark

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: mechanism_benchmark FILE.toml UNTIL POINTS SIGNAL\n";
    return 2;
  }
  return sfg::benchmark::run(argv[1], std::stod(argv[2]), std::stoul(argv[3]), argv[4]);
}
