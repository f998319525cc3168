// Deriving M and F of a multibody model: multibody_benchmark FILE.toml. Reading the file is not timed. One line of JSON: seconds,
// the operations of M and F with substitutions and with everything put in, substitutions, and nanoseconds of one evaluation by
// the tape.
#include "benchmark/measure.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/derive/multibody/substitution.hpp"
#include "sfg/read/input.hpp"

namespace sfg::benchmark {
namespace {

double nanoseconds_of(const numeric::Tape& tape, std::vector<double> inputs) {
  constexpr int count = 20'000;
  std::vector<double> outputs(tape.outputs().size()), slots(tape.slot_count());
  const double seconds = best_of(5, [&] {
    for (int i = 0; i < count; ++i) tape.run<double>(inputs, outputs, slots);
  });
  return 1e9 * seconds / count;
}

int run(const std::string& file) {
  const Input input = read_file(file);
  const auto& model = std::get<Multibody>(std::get<Model>(input.content));
  const double seconds = best_of(5, [&] { multibody_equations(model); });
  const MultibodyEquations equations = multibody_equations(model);
  const SubstitutionList list = substitution_list(equations, model);
  const SubstitutionPoint point = sample_point(list);
  std::vector<double> inputs = point.constants;
  inputs.insert(inputs.end(), point.states.begin(), point.states.end());
  inputs.insert(inputs.end(), point.inputs.begin(), point.inputs.end());
  if (list.time) inputs.push_back(point.time);
  print_line({{"seconds", seconds},
              {"operations", static_cast<double>(equations.operations.substituted)},
              {"direct", equations.operations.direct},
              {"substitutions", static_cast<double>(list.substitutions.size())},
              {"tape_ns", nanoseconds_of(compile(list), inputs)}},
             {});
  return 0;
}

}  // namespace
}  // namespace sfg::benchmark

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: multibody_benchmark FILE.toml\n";
    return 2;
  }
  return sfg::benchmark::run(argv[1]);
}
