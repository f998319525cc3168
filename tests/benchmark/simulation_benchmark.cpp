// Following a nonlinear graph in time: simulation_benchmark FILE INPUT SIGNAL OUTPUT UNTIL RTOL... 201 times. One line of JSON:
// seconds of reading the file, and for every tolerance seconds from the graph in memory to the checked response, the error stated
// and the values.
#include <iomanip>
#include <iostream>

#include "benchmark/measure.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/read/input.hpp"

namespace sfg::benchmark {
namespace {

int run(const std::vector<std::string>& words) {
  const double read = best_of(3, [&] { read_file(words[1]); });
  const Input input = read_file(words[1]);
  const auto& graph = std::get<SignalFlowGraph>(input.content);
  SymbolTable symbols;
  SimulationQuestion question;
  question.time = symbols.symbol("t");
  question.drives.push_back({*graph.find(words[2]), parse(words[3], symbols)});
  question.outputs.push_back(*graph.find(words[4]));
  std::vector<double> times;
  for (int i = 0; i <= 200; ++i) times.push_back(std::stod(words[5]) * i / 200);
  std::cout << std::setprecision(17) << R"({"read": )" << read << R"(, "runs": [)";
  for (std::size_t i = 6; i < words.size(); ++i) {
    const ForcedOptions options{.rtol = std::stod(words[i]), .atol = 1e-3 * std::stod(words[i])};
    std::vector<NamedResponse> found;
    const double seconds = best_of(5, [&] { found = transient(graph, question, times, options); });
    std::cout << (i > 6 ? ", " : "") << R"({"rtol": )" << words[i] << R"(, "seconds": )" << seconds << R"(, "error": )"
              << *found.front().value.error << R"(, "value": [)";
    for (std::size_t k = 0; k < times.size(); ++k) std::cout << (k > 0 ? ", " : "") << found.front().value.value[k];
    std::cout << "]}";
  }
  std::cout << "]}\n";
  return 0;
}

}  // namespace
}  // namespace sfg::benchmark

int main(int argc, char** argv) {
  if (argc < 7) return 2;
  try {
    return sfg::benchmark::run({argv, argv + argc});
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
