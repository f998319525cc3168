// Reading with errors: every problem of a file is told at once, each with its place and what to do.
#include <iostream>

#include "sfg/error.hpp"
#include "sfg/read/dot.hpp"

int main() {
  const char* text = R"dot(digraph "faulty" {
  input = "R";  output = "Y";
  R -> e [gain="1"];
  e -> C [gain="K/(s*(1+T*s)"];
  C->e[gain = "-1/0"];
}
)dot";
  try {
    sfg::read_dot(text, "faulty.dot");
  } catch (const sfg::Error& error) {
    for (const sfg::Diagnostic& diagnostic : error.diagnostics()) std::cout << sfg::to_string(diagnostic) << '\n';
  }
}

/* prints
faulty.dot:2:27: error: the output 'Y' is no node of the graph; known are: R, e, C
faulty.dot:4:29: error: a ')' is missing; close the '(' of column 19
faulty.dot:5:19: error: division by zero; correct the divisor
*/
