// Reading with errors: every problem of a file is told at once, each with its place and what to do.
#include <iostream>

#include "sfg/error.hpp"
#include "sfg/read/dot.hpp"

int main() {
  const char* text = R"(digraph "faulty" {
  input = "R";  output = "Y";
  R -> e [gain="1"];
  e -> C [gain="K/(s*(1+T*s)"];
  C->e[gain = "-1/0"];
}
)";
  try {
  sfg::read_dot(text, "faulty.dot");
} catch (const sfg::Error& error) {
  for (const sfg::Diagnostic& diagnostic : error.diagnostics()) std::cout << sfg::to_string(diagnostic) << '\n';
}
}
