// A transfer function with what somebody else needs to check it: equations, answer, and residues of both modulo primes.
#include <iostream>
#include <sstream>

#include "sfg/read/input.hpp"
#include "sfg/transfer/certificate.hpp"
#include "sfg/write/certificate.hpp"

int main() {
  const sfg::Input input = sfg::read_file("servo.dot");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  const std::vector<sfg::Question> questions = sfg::questions(graph);
  const sfg::Certificate certificate = sfg::certificate(graph, questions, sfg::linear_equations(graph, questions), {.points = 2});

  for (const auto& equation : certificate.equations) {
    std::cout << (equation.of == certificate.answers[0].driven ? "1 =" : "0 =");
    for (const auto& [signal, coefficient] : equation.terms) std::cout << "  (" << coefficient << ")*" << signal;
    std::cout << "\n";
  }
  for (const auto& answer : certificate.answers)
    std::cout << answer.output << "/" << answer.input << " = (" << answer.numerator << ")/(" << answer.denominator
              << ")\n  a wrong one agrees at all points with a chance below " << answer.error_bound << "\n";
  for (const auto& point : certificate.points) std::cout << "modulo " << point.prime << " it is " << point.answers[0] << "\n";

  std::ostringstream file;  // for tools/check_certificate
  sfg::write_json(file, certificate);
  std::cout << file.str().substr(0, 34) << "…\n";
}

/* prints
1 =  (1)*ref
0 =  (-1)*ref  (1)*err  (1)*theta
0 =  (-Ka)*err  (1)*v  (Km)*omega
0 =  (-1/(L*s + R))*v  (1)*i
0 =  (-Km)*i  (1)*tau  (1)*load
0 =  (1)*load
0 =  (-1/(J*s + b))*tau  (1)*omega
0 =  (-1/s)*omega  (1)*theta
theta/ref = (Ka*Km)/(J*L*s^3 + (J*R + L*b)*s^2 + (Km^2 + R*b)*s + Ka*Km)
  a wrong one agrees at all points with a chance below 1.08334e-34
modulo 2261143799185068661 it is 895301340745651287
modulo 1178067099956576113 it is 922214231330865414
{
  "schema": "sfg/certificate/1",…
*/
