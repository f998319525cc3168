#pragma once
#include <memory>

#include "sfg/study/samples/monte_carlo.hpp"

namespace sfg::command {

/// The processes that mpirun started, of which this is one; nullptr where it is alone, and in a command that was built without
/// MPI. What ranks other than 0 write goes nowhere.
std::unique_ptr<Ranks> ranks_of_process();
/// Whether the command is built with MPI (SFG_MPI).
bool knows_mpi();

}  // namespace sfg::command
