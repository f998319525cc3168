// A class of three marked against a solution: the same transfer function, or the branch that differs.
#include <iostream>

#include "sfg/compare/comparison.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"

namespace {

sfg::ComparedModel model(const std::string& file) {
  sfg::Input input = sfg::read_file(file);
  auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  std::vector<sfg::Question> asked = sfg::questions(graph);
  return {file, std::move(graph), std::move(asked), {}};
}

}  // namespace

int main() {
  constexpr const char* words[] = {"the same", "different", "not decided"};
  const sfg::ComparedModel solution = model("class/solution.dot");
  for (const char* file : {"class/anna.dot", "class/bela.dot", "class/chris.dot"}) {
    const sfg::Comparison found = sfg::compare(solution, model(file));
    std::cout << file << ": " << words[static_cast<int>(found.same)];
    if (found.same == sfg::Sameness::same)
      std::cout << (found.method == sfg::Equality::Method::exact ? ", proved" : ", most likely");
    if (!found.explanations.alternatives.empty()) {
      const sfg::Explanation& why = found.explanations.alternatives.front();
      std::cout << ": " << why.from << " -> " << why.to << ", " << sfg::print(why.a) << " in the solution, " << sfg::print(why.b)
                << " here";
    }
    std::cout << '\n';
  }
}

/* prints
class/anna.dot: the same, proved
class/bela.dot: different: v -> u, -b in the solution, b here
class/chris.dot: different: C -> e, -1 in the solution, 0 here
*/
