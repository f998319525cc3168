#include <cstdlib>
#include <iostream>

#include "tools/frame/ranks.hpp"

namespace sfg::command {

std::unique_ptr<Ranks> ranks_of_process() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size && std::string_view(size) != "1")
    std::cerr << "sfg: warning: this command was built without MPI: each of the processes does the whole work\n";
  return nullptr;
}

bool knows_mpi() { return false; }

}  // namespace sfg::command
