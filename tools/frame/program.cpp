#include "tools/frame/program.hpp"

// By itself: tests and the Python module are made of the other parts of the command, too.
int main(int count, char** words) { return sfg::command::run_program(count, words); }
