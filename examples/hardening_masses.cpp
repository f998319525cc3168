// The analog computer program of two masses joined by a spring that hardens.
#include <sfg/read/input.hpp>
#include <sfg/sfg.hpp>

#include <iostream>

int main() {
  const auto graph = std::get<sfg::SignalFlowGraph>(sfg::read_file("hardening_masses.dot").content);
  sfg::AnalogEquations equations = sfg::analog_equations(graph);
  sfg::SymbolTable names;
  names.add({.name = "t", .kind = sfg::SymbolKind::time, .expr = equations.time});
  sfg::AnalogOptions options{.maxima = {{"w", 4}}, .until = 20};
  options.runs = {{"shaken", {sfg::parse("4*cos(13*t)", names)}}};
  const sfg::AnalogProgram program = sfg::analog_program(std::move(equations), options);

  std::cout << "tau = " << program.time_scale << " t, " << program.elements.size() << " elements, " << program.potentiometers
            << " potentiometers\n";
  for (const sfg::AnalogElement& element : program.elements)
    if (element.kind == sfg::AnalogKind::INT) {
      std::cout << element.id << " = " << element.sign * element.scale << ' ' << element.variable << ':';
      for (const auto& input : element.inputs)
        std::cout << ' ' << input.gain * input.alpha << ' ' << program.elements[input.from].id;
      std::cout << '\n';
    }
  const std::vector<double> times{1, 10, 20};
  const sfg::AnalogTrace trace = sfg::interpreted(program, program.runs[0], times);
  for (std::size_t i = 0; i < times.size(); ++i) std::cout << "x2(" << times[i] << ") = " << trace.outputs[0][i] << '\n';
}

/* prints
 */
