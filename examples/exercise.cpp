// Two exercises for Mason's rule on a sheet, and the answers.
#include <sfg/sfg.hpp>

#include <iostream>
#include <vector>

int main() {
  std::vector<sfg::Exercise> exercises;
  for (const std::uint64_t seed : {7, 8})
    exercises.push_back(sfg::exercise({.nodes = 6, .loops = 4, .pairs = 2, .paths = 2}, seed));
  sfg::write_text(std::cout, sfg::page(exercises));
  for (const sfg::Exercise& exercise : exercises) {
    const sfg::MasonListing& solution = exercise.solution;
    std::cout << "seed " << exercise.seed << ": " << solution.loops.size() << " loops, " << exercise.counts.pairs
              << " pairs of them apart, C/R = " << sfg::print(solution.transmittance) << "\n";
  }
  try {
    sfg::exercise({.nodes = 4, .loops = 4}, 1);
  } catch (const sfg::NoAnswer& e) {
    std::cout << e.what() << "\n";
  }
}

/* prints
Mason's rule: exercises
Seeds 7, 8

Exercise 1
Find the gain C/R of the signal-flow graph with these branches by Mason's rule.
  branch    gain
  R -> x1   G1
  x1 -> x2  G2
  x2 -> x3  G3
  x3 -> x4  G4
  x4 -> C   G5
  x2 -> C   G6
  x2 -> x1  -H1
  x4 -> x1  -H2
  x3 -> x2  -H3
  x4 -> x4  -H4

Exercise 2
Find the gain C/R of the signal-flow graph with these branches by Mason's rule.
  branch    gain
  R -> x1   1
  x1 -> x2  G1
  x2 -> x3  G2
  x3 -> x4  G3
  x4 -> C   1
  x2 -> C   G4
  x1 -> x1  -H1
  x4 -> x1  -H2
  x3 -> x2  -H3
  x4 -> x2  -H4
seed 7: 4 loops, 2 pairs of them apart, C/R = (G1*G2*G3*G4*G5 + G1*G2*G6*H4 + G1*G2*G6)/(G2*G3*G4*H2 + G2*H1*H4 + G2*H1 + G3*H3*H4 + G3*H3 + H4 + 1)
seed 8: 4 loops, 2 pairs of them apart, C/R = (G1*G2*G3 + G1*G4)/(G1*G2*G3*H2 + G2*G3*H1*H4 + G2*G3*H4 + G2*H1*H3 + G2*H3 + H1 + 1)
2 nodes between source and sink and up to 2 forward paths leave room for at most 3 loops, not 4
*/
