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
tau = 5 t, 13 elements, 14 potentiometers
INT1 = 20 x1: 2 INT2
INT2 = -2 Dx1: 0.8 SRC1 1 INV1 0.08 INT2 1 INV3 1 INV4
INT3 = 20 x2: 2 INV2
INT4 = 2 Dx2: 0.6 INT3 0.04 INT4 2 INV3 2 INV4
x2(1) = 0.0214769
x2(10) = -0.00280677
x2(20) = -0.00972643
*/
