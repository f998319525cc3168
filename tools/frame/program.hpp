#pragma once

namespace sfg::command {

/// The command, with the words that main() gets. @returns the exit status
int run_program(int count, char** words);

}  // namespace sfg::command
